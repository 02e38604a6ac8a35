"""Which questions are accepted, and why the others are not."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.records import ACCEPTED, QA, REJECTED

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
    """Accepts what was written, failed no screen that ran and passed every required one; the best `per_type` of each type.

    Best is the highest mean of the screens' scores, then the smallest `qa_id`. Every other question is rejected with the
    first screen that failed it, in cost order; `writing` with the writer's reason when there is no question; a required
    screen that did not pass it, or any whose verdict an outage took, with `not_run` and why; `quota` when there were enough
    better ones of its type.
    """
    told: dict[str, list[dict]] = defaultdict(list)
    for row in verdicts.sort("qa_id", "order").iter_rows(named=True):
        told[row["qa_id"]].append(row)
    standing: dict[str, list[dict]] = defaultdict(list)
    rejected: list[dict] = []
    for row in QA.check(qa.drop("day", strict=False)).sort("qa_id").iter_rows(named=True):
        refusal = _refusal(row, told[row["qa_id"]], required)
        if refusal:
            rejected.append({**row, "screen": refusal[0], "because": refusal[1], "verdicts": _as_json(told[row["qa_id"]])})
        else:
            standing[row["type"]].append({**row, "score": _mean_score(told[row["qa_id"]])})
    accepted: list[dict] = []
    for kind in sorted(standing):
        ranked = sorted(standing[kind], key=lambda row: (-row["score"], row["qa_id"]))
        accepted += [{**row, "rank": rank} for rank, row in enumerate(ranked[:per_type], 1)]
        for rank, row in enumerate(ranked[per_type:], per_type + 1):
            del row["score"]
            because = f"rank: {rank} of {kind}"
            rejected.append({**row, "screen": QUOTA, "because": because, "verdicts": _as_json(told[row["qa_id"]])})
    return Selection(ACCEPTED.frame(accepted), REJECTED.frame(rejected))


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


def _as_json(verdicts: Sequence[dict]) -> str:
    kept = [{name: row[name] for name in ("screen", "outcome", "score", "reason", "evidence")} for row in verdicts]
    return json.dumps(kept, ensure_ascii=False)


def _mean_score(verdicts: Sequence[dict]) -> float:
    scores = [verdict["score"] for verdict in verdicts if verdict["outcome"] == "passed" and verdict["score"] is not None]
    return round(sum(scores) / len(scores), 6) if scores else 0.0
