"""Whether a run fits a release, before it is scored or sent: every row that does not, with the reason.

A *fault* loses points or is refused by a portal: a missing or unknown question, an unknown text, an entry of the wrong form, an
empty answer. A *note* costs nothing by itself: a text that is named twice, fewer than k texts, letters that are not what they
seem, an order to the judge (see `oddities`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_bench.errors import BadRun
from rag_bench.journal import made_for
from rag_bench.oddities import oddities, oddities_of_run
from rag_bench.printable import printable
from rag_bench.releases import Release
from rag_bench.runs import Answer, read_entries, sort_out

K = 5
SHOWN = {"fault": 10, "note": 3}
"""rows that are printed of each kind"""

MISSING, EMPTY, NOTHING_FOUND = "has no entry", "the answer is empty", "found_ids is empty"
INCOMPLETE = frozenset({MISSING, EMPTY, NOTHING_FOUND})
"""faults that score 0 and are no mistake of form: what a system that abstains leaves"""


@dataclass(frozen=True)
class Row:
    question: str
    """id as the run has it; empty for the run as a whole"""
    reason: str
    kind: str
    """the reason without its particulars"""

    def __str__(self) -> str:
        return f"question {self.question}: {self.reason}" if self.question else self.reason


@dataclass(frozen=True)
class Check:
    """What `check` found; prints as a list."""

    source: str
    version: str
    answered: int
    questions: int
    faults: tuple[Row, ...] = ()
    notes: tuple[Row, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no fault."""
        return not self.faults

    def __str__(self) -> str:
        head = f"{self.source}: {self.answered:,} of {self.questions:,} questions of version {self.version} answered, "
        head += f"{len(self.faults):,} faults, {len(self.notes):,} notes"
        return "\n".join([head, *_shown("fault", self.faults), *_shown("note", self.notes)])


def check(run: Mapping[Any, Any] | str | Path, release: Release, k: int | None = None) -> Check:
    """Holds a run against the release that it answers. Needs no gold and no network.

    Args:
        run: what `rag_bench.run` returned, a results file, or `{id: {"found_ids": …, "model_answer": …}}`.
        k: texts that are expected for each question; what the run was made with, or 5, when None.
    """
    expected: int = k or getattr(getattr(run, "key", None), "k", K)
    source = str(run) if isinstance(run, str | Path) else "the run"
    questions, texts = set(release.questions["id"]), set(release.texts["id"])
    try:
        entries = read_entries(run) if isinstance(run, str | Path) else run
        if not isinstance(entries, Mapping):
            raise BadRun(source, ['it must be an object {"0": {"found_ids": [17, 4], "model_answer": "…"}, …}'])
    except BadRun as error:
        faults = tuple(Row("", fault, "cannot be read") for fault in error.faults)
        return Check(source, release.version, 0, len(questions), faults)
    answers, faulty = sort_out(entries)
    faults = [Row(key, reason, reason) for key, reason in faulty]
    notes: list[Row] = []
    for public_id, answer in answers.items():
        if public_id in questions:
            faults += [Row(str(public_id), *told) for told in _faults(answer, texts)]
            notes += [Row(str(public_id), *told) for told in (*_notes(answer, expected), *oddities(answer.model_answer))]
        else:
            faults.append(Row(str(public_id), f"release {release.version} has no such question", "unknown question"))
    named = {key.strip("'") for key, _ in faulty}
    missing = sorted(one for one in questions - set(answers) if str(one) not in named)
    faults += [Row(str(one), MISSING, MISSING) for one in missing]
    notes += [Row("", *told) for told in oddities_of_run(answers)]
    answered = sum(1 for one, answer in answers.items() if one in questions and answer.model_answer.strip())
    faults = [*_other_release(run, release, faults, len(questions)), *faults]
    return Check(source, release.version, answered, len(questions), tuple(faults), tuple(notes))


def _faults(answer: Answer, texts: set[int]) -> Iterator[tuple[str, str]]:
    unknown = [text for text in answer.found_ids if text not in texts]
    if unknown:
        shown = ", ".join(map(str, unknown[:3])) + (f" and {len(unknown) - 3} more" if len(unknown) > 3 else "")
        yield f"found_ids names texts that the release does not have: {shown}", "unknown text"
    if not answer.model_answer.strip():
        yield EMPTY, EMPTY
    if not answer.found_ids:
        yield NOTHING_FOUND, NOTHING_FOUND


def _notes(answer: Answer, k: int) -> Iterator[tuple[str, str]]:
    once = len(set(answer.found_ids[:k]))
    if once < len(answer.found_ids[:k]):
        yield "found_ids names a text twice; it counts once", "repeats"
    if 0 < len(answer.found_ids) < k:
        yield f"found_ids has {len(answer.found_ids)} of {k} texts", "few"
    if len(answer.found_ids) > k:
        yield f"found_ids has {len(answer.found_ids)} texts; measures at {k} read the first {k}", "many"


def other_release(run: Any, release: Release) -> str | None:
    """That a run was made for another release than this one, said by the run or by the journal beside its file."""
    if isinstance(run, str | Path):
        key = made_for(Path(run).with_suffix(".journal.jsonl")) if Path(run).name else None
    else:
        key = getattr(run, "key", None)
    if key is None:
        return None
    if key.release != release.version:
        return f"the run was made for version {printable(key.release)}, and this is {release.version}"
    if release.manifest.get("content") and key.content != release.content:
        return f"the run was made for another version {release.version}: of the sandbox, or of another hub"
    return None


def _other_release(run: Any, release: Release, faults: list[Row], questions: int) -> list[Row]:
    """A run of another release: said by the run or its journal, or guessed when most of its ids are unknown."""
    told = other_release(run, release)
    if told is None and sum(row.kind.startswith("unknown") for row in faults) > questions / 2:
        told = f"most ids are not in version {release.version}: is the run one of another version?"
    return [Row("", told, "other release")] if told else []


def _shown(what: str, rows: tuple[Row, ...]) -> list[str]:
    """The first rows of each kind, and how many more there are."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row.kind, []).append(row)
    lines: list[str] = []
    for of in kinds.values():
        more = len(of) - SHOWN[what]
        lines += [f"  {what}  {row}" for row in of[: SHOWN[what]]]
        lines += [f"  {what}  … and {more:,} more of the kind"] if more > 0 else []
    return lines
