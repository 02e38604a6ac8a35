"""Results as tables that print well and go into a file, a web page or a paper."""

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_bench.comparison import Comparisons
from rag_bench.errors import UnknownMeasure
from rag_bench.measures import parse
from rag_bench.printable import printable
from rag_bench.scores import ALL, Scores

DIGITS = 4
NOTHING = "–"
Cell = str | int | float | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


@dataclass(frozen=True, repr=False)
class ResultTable:
    """Rows of cells; `print` it, or export it with full precision (CSV, JSON) or four digits (LaTeX)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""

    def __str__(self) -> str:
        shown = [[printable(column) for column in self.columns], *([_shown(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in shown]
        return "\n".join([*([printable(self.title)] if self.title else []), *lines])

    __repr__ = __str__  # what a notebook shows

    def to_csv(self, path: str | Path | None = None) -> str:
        """RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe before it."""
        sink = io.StringIO(newline="")
        writer = csv.writer(sink)
        writer.writerows([[_safe(cell) for cell in row] for row in (self.columns, *self.rows)])
        return _written(sink.getvalue(), path)

    def to_json(self, path: str | Path | None = None) -> str:
        """`{"title", "rows": [{column: cell}]}`."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return _written(json.dumps({"title": self.title, "rows": rows}, ensure_ascii=False, indent=1) + "\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """A `tabular` with the rules of the package booktabs."""
        lines = [" & ".join(_latex(_shown(cell)) for cell in row) + r" \\" for row in (self.columns, *self.rows)]
        columns = "l" + "r" * (len(self.columns) - 1)
        body = [lines[0], r"\midrule", *lines[1:]]
        whole = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}"]
        return _written("\n".join(whole) + "\n", path)


def score_table(scores: Scores, title: str = "") -> ResultTable:
    """One row per measure and one column per question type; the last row counts the questions."""
    rows = [(measure, *(scores.mean(measure, type) for type in scores.types)) for measure in scores.measures]
    counts = ("questions", *map(scores.count, scores.types))
    return ResultTable(("measure", *scores.types), (*rows, counts), title)


def system_table(scores: Mapping[str, Scores], type: str = ALL, by: str | None = None) -> ResultTable:
    """One row per system and one column per measure, the best first.

    Args:
        scores: name of the system → its scores on one release.
        type: of the questions.
        by: the measure to sort by; the first one when None.

    Raises:
        UnknownMeasure: `by` is none, or was not computed.
    """
    measures = list(dict.fromkeys(measure for one in scores.values() for measure in one.measures))
    by = str(parse(by)) if by else measures[0] if measures else ""
    if measures and by not in measures:
        raise UnknownMeasure(f"{by} was not computed; there are {', '.join(measures)}")
    rows = [(name, *(_mean(one, measure, type) for measure in measures)) for name, one in scores.items()]
    place = 1 + measures.index(by) if by in measures else 0
    rows.sort(key=lambda row: (row[place] is None, -float(row[place] or 0) if place else 0, row[0]))
    return ResultTable(("system", *measures), tuple(rows), "" if type == ALL else type)


def comparison_table(found: Comparisons) -> ResultTable:
    """One row per pair of systems: how much the better one scores above the other, its 95 % interval, and Holm's p."""
    rows = [
        (better, worse, one.mean, one.low, one.high, one.p, one.p_holm) for (better, worse), one in found.differences.items()
    ]
    title = next((f"{one.measure}, {one.n:,} questions" for one in found.differences.values()), "")
    return ResultTable(("better", "worse", "difference", "low", "high", "p", "p (Holm)"), tuple(rows), title)


def _mean(scores: Scores, measure: str, type: str) -> float | None:
    return scores.mean(measure, type) if measure in scores.measures and type in scores.types else None


def _shown(cell: Cell) -> str:
    if cell is None or cell != cell:
        return NOTHING
    return f"{cell:.{DIGITS}f}" if isinstance(cell, float) else printable(str(cell))


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _latex(text: str) -> str:
    return re.sub(r"[\\~^&%$#_{}]", lambda sign: _LATEX[sign[0]], text)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="")
    return text
