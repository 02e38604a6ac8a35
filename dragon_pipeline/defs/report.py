"""What a person sees of a table on its asset's page: counts, a chart, what was dropped, a sample, the recipe."""

import json
import re
import warnings
from collections.abc import Mapping, Sequence

import dagster as dg
import polars as pl

from dragon_pipeline.core.corpus.habits import habit_of
from dragon_pipeline.core.corpus.health import reasons_of
from dragon_pipeline.core.questions.strata import Tally
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.records import TABLES
from dragon_pipeline.core.screening.funnel import ALL, NOT_RUN, STAGES, lost
from dragon_pipeline.core.screening.screens import NOT_APPLICABLE
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.io_manager import content_hash

SAMPLE_ROWS, CELL, BAR, REASONS = 5, 80, 24, 3
IDLE = {NOT_RUN: "not run", NOT_APPLICABLE: "not for it"}


def report(
    table: str,
    frame: pl.DataFrame,
    by: str | None = None,
    dropped: Mapping[str, int] | None = None,
    recipe: Mapping[str, object] | None = None,
    **facts: int | float | str | dg.MetadataValue,
) -> dg.Output[pl.DataFrame]:
    """The frame as an asset's output.

    `by`: column whose values are counted; `dropped`: rows left out, by reason; `recipe`: prompts, models and settings
    behind the table; anything else is shown as it is. The data version is the content's hash: only content makes what
    follows stale.
    """
    return output(table, frame, {**shown(frame, by, dropped, recipe), **facts})


def output(table: str, frame: pl.DataFrame, metadata: Mapping, name: str = "result") -> dg.Output[pl.DataFrame]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.BetaWarning)  # data versions: DESIGN §4 builds on them
        version = dg.DataVersion(content_hash(TABLES[table], frame))
        return dg.Output(frame, output_name=name, metadata=dict(metadata), data_version=version)


def shown(
    frame: pl.DataFrame,
    by: str | None = None,
    dropped: Mapping[str, int] | None = None,
    recipe: Mapping[str, object] | None = None,
) -> dict[str, dg.MetadataValue]:
    metadata: dict[str, dg.MetadataValue] = {}
    if by and not frame.is_empty():
        metadata[f"rows by {by}"] = dg.MetadataValue.md(chart(counts(frame, by)))
    if dropped:
        metadata["dropped"] = dg.MetadataValue.md(chart(dropped))
        metadata["rows dropped"] = dg.MetadataValue.int(sum(dropped.values()))
    if not frame.is_empty():
        metadata["sample"] = dg.MetadataValue.md(sample(frame))
    if recipe:
        metadata["recipe"] = dg.MetadataValue.json(json.loads(json.dumps(recipe, default=str)))
    return metadata


def counts(frame: pl.DataFrame, by: str) -> dict[str, int]:
    """Rows per value of a column, most first; nulls and what stands after a colon (a reason's details) are left out."""
    values = frame.drop_nulls(by).select(pl.col(by).cast(pl.String).str.split(":").list.first())
    found = values.group_by(by).len().sort(["len", by], descending=[True, False])
    return {str(value): number for value, number in found.iter_rows()}


def chart(numbers: Mapping[str, int]) -> str:
    """Bars in a code block."""
    most, wide = max(numbers.values(), default=0) or 1, max(map(len, numbers), default=0)
    lines = [f"{name:<{wide}} {'█' * round(BAR * number / most)} {number}" for name, number in numbers.items()]
    return "\n".join(["```", *lines, "```"])


def outlets_chart(found: pl.DataFrame, before: pl.DataFrame, day: str) -> str:
    """A day's OUTLETS as a Markdown table with a bar of the articles, beside the habit; `before`: those of days before."""
    lines = [
        "| outlet | articles | usually | | fallback | found | fetched | failed | left out | listings failed | length | why |"
    ]
    lines.append("| - | -: | -: | - | -: | -: | -: | -: | -: | -: | -: | - |")
    most = max(found["extracted"], default=0) or 1
    for row in found.iter_rows(named=True):
        usual = habit_of(before.filter(outlet=row["outlet"]), day).of(lambda other: other["extracted"])
        bar = "█" * round(BAR * row["extracted"] / most)
        numbers = [row[name] for name in ("fallback", "found", "fetched", "failed", "left_out", "listings_failed")]
        length = "" if row["median_length"] is None else f"{row['median_length']:.0f}"
        why = ", ".join(f"{reason} {number}" for reason, number in list(reasons_of(row).items())[:REASONS])
        cells = (row["outlet"], row["extracted"], "" if usual is None else f"{usual:.0f}", bar, *numbers, length, why)
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines)


def funnel_chart(funnel: pl.DataFrame) -> str:
    """FUNNEL as Markdown: bars over all types, what each type kept, and why a type has too few.

    A bar is what went on of the most that the funnel has of this unit. A screen that did not run has no bar.
    """
    rows = funnel.sort("order", "type").to_dicts()
    whole = [row for row in rows if row["type"] == ALL]
    most = {row["unit"]: max(other["rows_in"] for other in whole if other["unit"] == row["unit"]) or 1 for row in whole}
    wide = max((len(row["stage"]) for row in whole), default=0)
    lines = []
    for row in whole:
        bar = "not run" if row["state"] == NOT_RUN else "█" * round(BAR * row["rows_out"] / most[row["unit"]])
        why = ", ".join(f"{reason} {number}" for reason, number in list(lost(row).items())[:REASONS])
        lines.append(f"{row['stage']:<{wide}} {bar:<{BAR}} {row['rows_in']:>6} → {row['rows_out']:<6} {why}".rstrip())
    notes = [f"- **{row['type']}** {row['note']}" for row in rows if row["stage"] == "accepted" and row["note"]]
    return "\n".join(["```", *lines, "```", "", *_by_type(rows), "", *notes]).rstrip()


def _by_type(rows: Sequence[Mapping]) -> list[str]:
    """A Markdown table: what each stage from the questions on kept of each type."""
    kept: dict[str, dict[str, str]] = {}
    for row in rows:
        if row["stage"] not in STAGES[:-1]:
            stage = kept.setdefault(row["stage"], {})
            stage[row["type"]] = IDLE.get(row["state"], str(row["rows_out"]))
        if row["stage"] == STAGES[-1]:
            kept.setdefault("drawn", {})[row["type"]] = str(row["rows_in"])
    ordered = ["drawn", *(stage for stage in kept if stage != "drawn")] if kept else []
    lines = [("left after", ALL, *TYPES), ("-",) * (2 + len(TYPES))]
    lines += [(stage, *(kept[stage].get(type_, "") for type_ in (ALL, *TYPES))) for stage in ordered]
    return [f"| {' | '.join(line)} |" for line in lines]


def sample(frame: pl.DataFrame) -> str:
    """The first rows as a Markdown table, long cells cut."""
    rows = frame.drop(DAY, strict=False).head(SAMPLE_ROWS)
    lines = [rows.columns, ["-"] * rows.width, *([_cell(value) for value in row] for row in rows.iter_rows())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tallied(tallies: Mapping[str, Tally]) -> str:
    """What a draw of each type found, drew and left out, as a Markdown table."""
    lines = [["type", "wanted", "drawn", "candidates", "left out", "caps raised to"], ["-"] * 6]
    for name, tally in tallies.items():
        told = (", ".join(f"{what} {number}" for what, number in numbers.items()) for numbers in (tally.left_out, tally.raised))
        lines.append([name, *map(str, (tally.wanted, tally.drawn, tally.candidates)), *told])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{len(value)} bytes" if isinstance(value, bytes) else f"{value:.3f}" if isinstance(value, float) else str(value)
    text = " ".join(text.split())
    text = text if len(text) <= CELL else text[: CELL - 1] + "…"
    return re.sub(r"[\\`|\[<]", r"\\\g<0>", text)  # what comes from pages is neither link, image nor HTML on ours
