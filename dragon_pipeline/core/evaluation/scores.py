"""Measures of the standing baselines."""

from collections.abc import Mapping

import polars as pl

from dragon_pipeline.core.published import SCORES
from rag_bench.evaluation import evaluate
from rag_bench.runs import Answer, Run

PROFILE = "standard"


def score(
    answers: Mapping[str, pl.DataFrame], private_qa: pl.DataFrame, private_texts: pl.DataFrame, version: str
) -> pl.DataFrame:
    """Means per baseline, question type (and `all`) and measure, as SCORES.

    Args:
        answers: baseline → its ANSWERS to this version.
        private_qa: the gold of this version.
        private_texts: private → public text ids of this version.
        version: goes into the table.
    """
    rows = []
    for baseline, frame in answers.items():
        scores = evaluate(read_answers(frame), (private_qa, private_texts), PROFILE)
        rows += [
            {
                "version": version,
                "baseline": baseline,
                "type": type,
                "measure": measure,
                "value": value,
                "n": scores.count(type),
            }
            for type, values in scores.table().items()
            for measure, value in values.items()
        ]
    return SCORES.frame(rows)


def read_answers(answers: pl.DataFrame) -> Run:
    """ANSWERS as a run."""
    return {
        row["public_id"]: Answer(tuple(row["found_ids"]), row["model_answer"])
        for row in answers.select("public_id", "found_ids", "model_answer").iter_rows(named=True)
    }
