"""One record of an annotation file → annotations and the judge's scores, or what is wrong with it and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.annotations import Annotation, Annotations, read_value
from dragon_pipeline.core.screening.judge import BEST, POSITIVE, WORST

ITEM = ("qa_id", "item")
"""the first that a record has names the item"""
ANNOTATOR, CRITERION, VALUE, JUDGE = "annotator", "criterion", "value", "judge"
CONTENT = frozenset({"asks", "question", "answer", "articles"})
"""what our own files say besides"""
BOOKKEEPING = frozenset({"id", "annotation_id", "created_at", "updated_at", "lead_time"})
"""what Label Studio adds to its exports"""
FORM = (
    "columns qa_id (or item), annotator, and either criterion and value, or one column for each criterion; "
    "the judge's scores may stand in judge_<criterion>"
)
SHOWN = 10
LONGEST_QUOTE = 60

Where = str
"""file and line, or file, task and annotation"""


@dataclass
class Records:
    """Gathers the records of all files. Nothing is used unless all of them are right."""

    criteria: Sequence[str]
    faults: list[str] = field(default_factory=list)
    cancelled: int = 0
    _said: dict[tuple[str, str, str], tuple[bool, Where]] = field(default_factory=dict)
    _scores: dict[tuple[str, str], tuple[float, Where]] = field(default_factory=dict)
    _ignored: dict[str, None] = field(default_factory=dict)
    _empty: int = 0
    _has_criteria: bool = False

    def add(self, where: Where, record: Mapping[str, str]) -> None:
        """A record in the long form, of one criterion, or in the wide form, of many. Values are texts, absent ones empty."""
        cells = {name: text.strip() for name, text in record.items()}
        cells |= {name: _printable(cells[name]) for name in (*ITEM, ANNOTATOR) if name in cells}
        item = next((cells[name] for name in ITEM if cells.get(name)), "")
        if not item:
            self._refuse(where, "qa_id", "is empty; it names the question")
            return
        if CRITERION in cells:
            self._long(where, item, cells)
        else:
            self._wide(where, item, cells)

    def annotations(self) -> Annotations:
        """What all records said.

        Raises:
            BadInput: a record was wrong, none had a column of a criterion, or nobody filled anything in.
        """
        if not self.faults and not self._has_criteria:
            self.faults.append(f"no record is of a criterion. Give {FORM}. Criteria: {', '.join(self.criteria)}.")
        if not self.faults and not self._said:
            self.faults.append(f"nothing is filled in yet: {self._empty} values are empty")
        if self.faults:
            more = len(self.faults) - SHOWN
            raise BadInput("\n".join([*self.faults[:SHOWN], *([f"… and {more} faults more"] if more > 0 else [])]))
        said = [Annotation(*key, good) for key, (good, _) in sorted(self._said.items())]
        judged = {key: score >= POSITIVE for key, (score, _) in sorted(self._scores.items())}
        return Annotations(said, judged, self._empty, self.cancelled, tuple(self._ignored))

    def _long(self, where: Where, item: str, cells: Mapping[str, str]) -> None:
        criterion = cells[CRITERION]
        if criterion not in self.criteria:
            self._refuse(where, CRITERION, f"{_quoted(criterion)} is none of {', '.join(self.criteria)}")
            return
        self._has_criteria = True
        self._say(where, (item, cells.get(ANNOTATOR, ""), criterion), VALUE, cells.get(VALUE, ""))
        self._judge(where, (item, criterion), JUDGE, cells.get(JUDGE, ""))
        self._judges(where, item, cells)
        self._ignore(set(cells) - {CRITERION, VALUE, JUDGE})

    def _wide(self, where: Where, item: str, cells: Mapping[str, str]) -> None:
        for criterion in self.criteria:
            if criterion in cells:
                self._has_criteria = True
                self._say(where, (item, cells.get(ANNOTATOR, ""), criterion), criterion, cells[criterion])
        self._judges(where, item, cells)
        self._ignore(set(cells) - set(self.criteria))

    def _judges(self, where: Where, item: str, cells: Mapping[str, str]) -> None:
        for criterion in self.criteria:
            self._judge(where, (item, criterion), f"{JUDGE}_{criterion}", cells.get(f"{JUDGE}_{criterion}", ""))

    def _say(self, where: Where, key: tuple[str, str, str], column: str, text: str) -> None:
        if not text:
            self._empty += 1
            return
        try:
            good = read_value(text)
        except ValueError as error:
            self._refuse(where, column, f"{_quoted(text)} {error}")
            return
        if not key[1]:
            self._refuse(where, ANNOTATOR, f"is empty, but {column} is filled in; say who did it")
            return
        before, place = self._said.setdefault(key, (good, where))
        if before != good:
            item, annotator, criterion = key
            said = "good" if before else "not good"
            self._refuse(where, column, f"{annotator} says of {item}, {criterion}, another thing than in {place} ({said})")

    def _judge(self, where: Where, key: tuple[str, str], column: str, text: str) -> None:
        if not text:
            return
        score = _number(text)
        if score is None or not WORST <= score <= BEST:
            self._refuse(where, column, f"{_quoted(text)} is no score from {WORST:.0f} to {BEST:.0f}")
            return
        before, place = self._scores.setdefault(key, (score, where))
        if before != score:
            self._refuse(where, column, f"the judge's score of {key[0]}, {key[1]}, is another one than in {place} ({before:g})")

    def _ignore(self, names: set[str]) -> None:
        known = {*ITEM, ANNOTATOR, *CONTENT, *BOOKKEEPING, *(f"{JUDGE}_{criterion}" for criterion in self.criteria)}
        self._ignored |= dict.fromkeys(sorted(map(_printable, names - known)))

    def _refuse(self, where: Where, column: str, fault: str) -> None:
        self.faults.append(f"{where}, column {column}: {fault}")


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if isfinite(number) else None


def _quoted(text: str) -> str:
    return f"«{_printable(text[:LONGEST_QUOTE])}{'…' if len(text) > LONGEST_QUOTE else ''}»"


def _printable(text: str) -> str:
    """What any terminal and file can hold: no control sequences, no halves of letters."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in text)
