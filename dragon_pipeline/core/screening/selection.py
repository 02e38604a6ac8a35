"""Which questions are accepted, and why the others are not."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.records import ACCEPTED, QA, REJECTED
from dragon_pipeline.core.screening.ranking import MILLION, Standing, quality, rank

WRITING = "writing"
QUOTA = "quota"


@dataclass(frozen=True)
class Selection:
    accepted: pl.DataFrame
    """ACCEPTED"""
    rejected: pl.DataFrame
    """REJECTED"""

    @property
    def reasons(self) -> dict[str, int]:
        """`screen: word` → rejected questions, most frequent first; details after the reason's colon are left out."""
        pairs = zip(self.rejected["screen"], self.rejected["because"], strict=True)
        counts = Counter(f"{screen}: {because.split(':')[0]}" for screen, because in pairs)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def select(qa: pl.DataFrame, verdicts: pl.DataFrame, per_type: int, required: Sequence[str]) -> Selection:
    """Accepts what was written, failed no screen that ran and passed every required one: of each type the first `per_type`
    in the order of `ranking`, which puts quality first and prefers other entities, stories and relations.

    Every other question is rejected with the first screen that failed it, in cost order; `writing` with the writer's reason
    when there is no question; a required screen that did not pass it, or any whose verdict an outage took, with `not_run` and
    why; `quota` when others of its type got all the places, with what it was worth after them.
    """
    told: dict[str, list[dict]] = defaultdict(list)
    for row in verdicts.sort("qa_id", "order").iter_rows(named=True):
        told[row["qa_id"]].append(row)
    standing: dict[str, list[dict]] = defaultdict(list)
    rejected: list[dict] = []
    for row in QA.check(qa.drop("day", strict=False)).sort("qa_id").iter_rows(named=True):
        refusal = _refusal(row, told[row["qa_id"]], required)
        if refusal:
            rejected.append(_rejection(row, *refusal, told[row["qa_id"]]))
        else:
            standing[row["type"]].append(row)
    accepted: list[dict] = []
    for kind in sorted(standing):
        rows = {row["qa_id"]: row for row in standing[kind]}
        first, left = rank(standing[kind], {qa_id: quality(told[qa_id]) for qa_id in rows}, per_type)
        accepted += [_acceptance(rows[one.qa_id], place, one) for place, one in enumerate(first, 1)]
        for one in left:
            full = len(first) == per_type
            because = (
                f"rank: worth {one.worth / MILLION:.3f} behind {per_type} taken"
                if full
                else "asked_enough: of its entity or relation"
            )
            rejected.append(_rejection(rows[one.qa_id], QUOTA, because, told[one.qa_id]))
    return Selection(ACCEPTED.frame(accepted), REJECTED.frame(rejected))


def _acceptance(row: dict, place: int, standing: Standing) -> dict:
    return {**row, "rank": place, "score": standing.quality / MILLION, "standing": standing.as_json()}


def _rejection(row: dict, screen: str, because: str, verdicts: Sequence[dict]) -> dict:
    kept = [{name: one[name] for name in ("screen", "outcome", "score", "reason", "evidence")} for one in verdicts]
    return {**row, "screen": screen, "because": because, "verdicts": json.dumps(kept, ensure_ascii=False)}


def _refusal(row: dict, verdicts: Sequence[dict], required: Sequence[str]) -> tuple[str, str] | None:
    if row["reason"] is not None:
        return WRITING, row["reason"]
    for verdict in verdicts:
        if verdict["outcome"] == "failed":
            return verdict["screen"], verdict["reason"] or "failed"
    by_screen = {verdict["screen"]: verdict for verdict in verdicts}
    for screen in required:
        if screen not in by_screen:
            return screen, "not_run: no such screen"
        if by_screen[screen]["outcome"] != "passed":
            return screen, f"not_run: {by_screen[screen]['reason']}"
    for verdict in verdicts:
        if verdict["outcome"] == "not_run" and is_lost(verdict["reason"]):
            return verdict["screen"], f"not_run: {verdict['reason']}"
    return None
