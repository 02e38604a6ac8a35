"""Which questions people are asked about: drawn at random, as many of each type, and of what the judge passed and failed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.table import DAY

JUDGE = "judge_"
ACCEPTED, REJECTED, NOT_JUDGED = "accepted", "rejected", "not_judged"
"""by the judge alone: no criterion failed, one did, or none was judged"""

Stratum = tuple[str, str]
"""fate by the judge, question type"""


@dataclass(frozen=True)
class Question:
    qa_id: str
    type: str
    question: str
    answer: str
    article_ids: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    number: int
    seed: int
    rejected: float
    """share of questions that the judge rejected, 0 to 1; where there are too few of either, the other fills up"""


@dataclass(frozen=True)
class Sample:
    questions: tuple[Question, ...]
    """in the order of showing, which tells nothing of fate or type"""
    drawn: Mapping[Stratum, int]
    held: Mapping[Stratum, int]
    """how many there were to draw from"""
    left_out: Mapping[str, int]
    """reason → questions that could not be drawn"""


def draw(qa: pl.DataFrame, verdicts: pl.DataFrame, articles: frozenset[str], wanted: Wanted) -> Sample:
    """A balanced random sample; the same rows in any order give the same one.

    Args:
        qa: QA with `day`; of a question of several days the last counts.
        verdicts: VERDICTS with `day` of the same days.
        articles: ids of those whose text is at hand.
        wanted: how many, of what, drawn how.
    """
    fates = judge_fates(verdicts)
    left_out = {"not_written": 0, "no_article": 0, NOT_JUDGED: 0}
    strata: defaultdict[Stratum, list[Question]] = defaultdict(list)
    for row in qa.sort(DAY, "qa_id").unique("qa_id", keep="last", maintain_order=True).iter_rows(named=True):
        if row["question"] is None or row["answer"] is None:
            left_out["not_written"] += 1
        elif not row["article_ids"] or not articles.issuperset(row["article_ids"]):
            left_out["no_article"] += 1
        elif fates and row["qa_id"] not in fates:
            left_out[NOT_JUDGED] += 1
        else:
            kept = Question(row["qa_id"], row["type"], row["question"], row["answer"], tuple(row["article_ids"]))
            strata[fates.get(kept.qa_id, NOT_JUDGED), kept.type].append(kept)
    held = {stratum: len(questions) for stratum, questions in sorted(strata.items())}
    drawn = allot(held, wanted)
    chosen = [one for stratum, number in drawn.items() for one in _shuffled(strata[stratum], wanted.seed, "draw")[:number]]
    return Sample(tuple(_shuffled(chosen, wanted.seed, "order")), drawn, held, left_out)


def judge_fates(verdicts: pl.DataFrame) -> dict[str, str]:
    """qa_id → accepted or rejected by the judge, on the last day it was judged; absent where no criterion was."""
    judged = verdicts.filter(pl.col("screen").str.starts_with(JUDGE) & pl.col("outcome").is_in(["passed", "failed"]))
    last = judged.filter(pl.col(DAY) == pl.col(DAY).max().over("qa_id"))
    failed = last.group_by("qa_id").agg(failed=(pl.col("outcome") == "failed").any())
    return {qa_id: REJECTED if is_failed else ACCEPTED for qa_id, is_failed in failed.iter_rows()}


def allot(held: Mapping[Stratum, int], wanted: Wanted) -> dict[Stratum, int]:
    """How many to draw of each stratum: the rejected share first, then equal parts for the types."""
    rejected = sum(size for (fate, _), size in held.items() if fate == REJECTED)
    others = sum(held.values()) - rejected
    number = min(wanted.number, rejected + others)
    of_rejected = min(max(round(number * wanted.rejected), number - others), rejected)
    parts = {}
    for is_rejected, part in ((False, number - of_rejected), (True, of_rejected)):
        sizes = {stratum: size for stratum, size in held.items() if (stratum[0] == REJECTED) == is_rejected}
        parts |= _equal_parts(part, sizes)
    return dict(sorted(parts.items()))


def _equal_parts(number: int, sizes: Mapping[Stratum, int]) -> dict[Stratum, int]:
    """Equal as far as the sizes allow; what the small ones lack is shared among the rest."""
    parts = dict.fromkeys(sorted(sizes), 0)
    while number and (open_ones := [stratum for stratum in parts if parts[stratum] < sizes[stratum]]):
        each = max(1, number // len(open_ones))
        for stratum in open_ones:
            more = min(each, number, sizes[stratum] - parts[stratum])
            parts[stratum] += more
            number -= more
    return parts


def _shuffled(questions: Iterable[Question], seed: int, purpose: str) -> list[Question]:
    return sorted(questions, key=lambda one: (content_id(purpose, seed, one.qa_id), one.qa_id))
