"""`dragon agreement`: how far the judge agrees with people, and people with each other."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import typer
from rich.console import Console

from dragon_pipeline.adapters.annotation.files import read_annotations
from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.agreement import Agreement, Rule, measure
from dragon_pipeline.core.evaluation.annotations import Annotation, Annotations
from dragon_pipeline.core.evaluation.proportions import Share
from dragon_pipeline.core.evaluation.reliability import Alpha
from dragon_pipeline.core.evaluation.sample import JUDGE
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.resources import home, settings, tables
from dragon_pipeline.defs.tables import Tables

NAMED = 10
"""Unknown items that are named; the others are counted."""
RULES: Mapping[Rule, str] = {
    "half": "half or more of its annotators said so",
    "majority": "more than half of its annotators said so",
}
REASONS = {
    "not_annotated": "nobody annotated an item",
    "not_judged": "the judge rated none of the annotated items",
    "judge_passed_none": "the judge passed none of the items",
    "annotators_passed_none": "the annotators found none of the items good",
    "no_item_with_two_annotators": "no item has two annotators",
    "no_variation": "all annotators said the same of all items, so that chance cannot be told from agreement",
}
NONE = "–"


@dataclass(frozen=True)
class Wish:
    files: Sequence[Path]
    rule: Rule
    as_json: bool
    from_home: bool
    """the user named a home: its verdicts are the judge, whatever columns the files have"""


@dataclass(frozen=True)
class Judge:
    source: str
    """in words"""
    verdicts: Mapping[tuple[str, str], bool]
    """(qa_id, criterion) → passed; what was not run is absent"""
    known: frozenset[str] | None = None
    """items that the home holds; none when there is no home to ask"""


def agreement(wish: Wish) -> None:
    """Prints precision, recall, shares and alpha of each criterion.

    Raises:
        BadInput: a file is wrong, or the home that was named holds no verdicts.
    """
    found = read_annotations(wish.files, CRITERIA)
    judge = _judge(found, wish.from_home)
    measured = measure(found.said, judge.verdicts, CRITERIA, wish.rule, settings().seed)
    unknown = sorted({one.item for one in found.said} - judge.known) if judge.known is not None else []
    if wish.as_json:
        typer.echo(json.dumps(_told(wish, found, judge, measured, unknown), ensure_ascii=False, indent=2))
        return
    console = Console(soft_wrap=True, highlight=False, markup=False)
    console.print(f"judge: {judge.source}; an item is good when {RULES[wish.rule]}\n")
    _print_tables(console, measured)
    console.print("", *_notes(found, measured, unknown), sep="\n")


def _judge(found: Annotations, from_home: bool) -> Judge:
    store = Tables(tables())
    if not from_home and found.judged:
        return Judge("the files' own columns", found.judged)
    days = store.days("verdicts")
    if days:
        aside = "; the files' own columns are not read" if found.judged else ""
        return Judge(f"verdicts of {home().root}{aside}", *_verdicts(store.read("verdicts", days)))
    if from_home:
        raise BadInput(
            f"{home().root} holds no verdicts; run `dragon run`, or give the judge's scores as judge_<criterion> columns"
        )
    return Judge("none: the files have no judge_<criterion> column, and no --home was given", {})


def _verdicts(verdicts: pl.DataFrame) -> tuple[dict[tuple[str, str], bool], frozenset[str]]:
    """What the judge said of each question on the last day it was screened, and which questions there are."""
    last = verdicts.filter(pl.col(DAY) == pl.col(DAY).max().over("qa_id"))
    rows = last.filter(pl.col("screen").str.starts_with(JUDGE) & pl.col("outcome").is_in(["passed", "failed"]))
    judged = {
        (qa_id, screen.removeprefix(JUDGE)): outcome == "passed"
        for qa_id, screen, outcome in rows.select("qa_id", "screen", "outcome").iter_rows()
    }
    return judged, frozenset(last["qa_id"])


def _print_tables(console: Console, measured: Sequence[Agreement]) -> None:
    columns = ("criterion", "judged", "not judged", "precision", "of", "recall", "of", "F1", "accuracy")
    rows = [
        (one.criterion, one.judged, one.not_judged, _share(one.precision), one.precision.n, _share(one.recall), one.recall.n,
         _number(one.f1), _share(one.accuracy))
        for one in measured
    ]  # fmt: skip
    print_table(console, columns, rows, "the judge against the annotators")
    console.print("")
    columns = ("criterion", "items", "annotators", "annotations", "good", "alpha", "of")
    rows = [
        (one.criterion, one.items, one.annotators, one.annotations, _share(one.good), _alpha(one.alpha), one.alpha.units)
        for one in measured
    ]
    print_table(console, columns, rows, "the annotators")


def _share(share: Share) -> str:
    return _with_interval(share.value, *(share.interval or (None, None)))


def _alpha(alpha: Alpha) -> str:
    return _with_interval(alpha.value, alpha.low, alpha.high)


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    return _number(value) if low is None or high is None else f"{_number(value)} [{_number(low)}, {_number(high)}]"


def _number(value: float | None) -> str:
    """Two decimals, and no minus before a zero."""
    return NONE if value is None else f"{round(value, 2) + 0.0:.2f}"


def _notes(found: Annotations, measured: Sequence[Agreement], unknown: Sequence[str]) -> Iterator[str]:
    yield "in brackets: 95 % intervals (shares: Wilson; alpha: bootstrap over items); of: the items behind the number"
    for (names, reason), criteria in _undefined(measured).items():
        where = "every criterion" if len(criteria) == len(measured) else ", ".join(criteria)
        yield f"no {names} ({where}): {REASONS[reason]}"
    if unknown:
        more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
        yield f"unknown to the home, and so not judged: {len(unknown)} ({', '.join(unknown[:NAMED])}{more})"
    if found.empty:
        yield f"not filled in: {found.empty} values"
    if found.cancelled:
        yield f"skipped by annotators: {found.cancelled} tasks"
    if found.ignored:
        yield f"columns not read: {', '.join(found.ignored)}"


def _undefined(measured: Sequence[Agreement]) -> dict[tuple[str, str], list[str]]:
    """Numbers that are not defined and the reason → the criteria of which that holds."""
    criteria: dict[tuple[str, str], list[str]] = {}
    for one in measured:
        numbers = {
            "precision": one.precision,
            "recall": one.recall,
            "accuracy": one.accuracy,
            "good": one.good,
            "alpha": one.alpha,
        }
        reasons = {number.reason: [] for number in numbers.values() if number.reason}
        for name, number in numbers.items():
            if number.reason:
                reasons[number.reason].append(name)
        for reason, names in reasons.items():
            criteria.setdefault((", ".join(names), reason), []).append(one.criterion)
    return criteria


def _told(
    wish: Wish, found: Annotations, judge: Judge, measured: Sequence[Agreement], unknown: Sequence[str]
) -> dict[str, object]:
    return {
        "files": [str(path) for path in wish.files],
        "rule": wish.rule,
        "judge": judge.source,
        "annotators": _counts(found.said),
        "unknown_items": list(unknown),
        "not_filled_in": found.empty,
        "skipped_tasks": found.cancelled,
        "columns_not_read": list(found.ignored),
        "criteria": {one.criterion: _criterion(one) for one in measured},
    }


def _counts(said: Sequence[Annotation]) -> dict[str, int]:
    names = [one.annotator for one in said]
    return {name: names.count(name) for name in sorted(set(names))}


def _criterion(one: Agreement) -> dict[str, object]:
    return {
        "items": one.items,
        "annotators": one.annotators,
        "annotations": one.annotations,
        "judged": one.judged,
        "not_judged": one.not_judged,
        "precision": _json_share(one.precision),
        "recall": _json_share(one.recall),
        "f1": _rounded(one.f1),
        "accuracy": _json_share(one.accuracy),
        "good": _json_share(one.good),
        "alpha": {
            "value": _rounded(one.alpha.value),
            "low": _rounded(one.alpha.low),
            "high": _rounded(one.alpha.high),
            "items": one.alpha.units,
            "reason": one.alpha.reason,
            "undefined_draws": one.alpha.undefined_draws,
        },
    }


def _json_share(share: Share) -> dict[str, object]:
    low, high = share.interval or (None, None)
    told = {"value": _rounded(share.value), "low": _rounded(low), "high": _rounded(high)}
    return {**told, "hits": share.hits, "n": share.n, "reason": share.reason}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
