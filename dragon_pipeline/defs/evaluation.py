"""Evaluation: the standing baselines' answers to the day's version, and their scores."""

from typing import Any

import dagster as dg
import polars as pl

from dragon_pipeline.core.evaluation.baselines import answer
from dragon_pipeline.core.evaluation.scores import score
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.ports import Embedder
from dragon_pipeline.core.published import ANSWERS, SCORES
from dragon_pipeline.core.release.tables import read_table
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.partitions import DAILY, SETTINGS
from dragon_pipeline.defs.report import report

GROUP = "evaluation"
BASELINES = SETTINGS.evaluation.baselines


def answers_of(baseline: str) -> Any:
    """The asset `answers/<baseline>`."""

    @dg.asset(
        **DAILY,
        key=["answers", baseline],
        group_name=GROUP,
        kinds={"python"},
        code_version="1",
        description=f"What the standing baseline {baseline} answers to the day's published version.",
        pool="gpu",
        op_tags={"gpu": "true"},
    )
    def answers(
        revision: pl.DataFrame,
        settings: dg.ResourceParam[Settings],
        hub: dg.ResourceParam[Hub],
        embedder: dg.ResourceParam[Embedder],
    ) -> dg.Output[pl.DataFrame]:
        version = revision["version"][0]
        if version is None:
            return report("answers", ANSWERS.empty())
        questions, texts = (read_table(hub, dataset, version) for dataset in ("public_questions", "public_texts"))
        told = answer(baseline, questions, texts, version, settings.evaluation, embedder)
        return report("answers", told, version=version, recipe=settings.evaluation.model_dump())

    return answers


answers = [answers_of(baseline) for baseline in BASELINES]


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"polars"},
    code_version="2",
    ins={baseline: dg.AssetIn(key=["answers", baseline]) for baseline in BASELINES},
)
def scores(revision: pl.DataFrame, hub: dg.ResourceParam[Hub], **answers: pl.DataFrame) -> dg.Output[pl.DataFrame]:
    """Measures of the standing baselines on the day's version, for each question type and all together."""
    version = revision["version"][0]
    if version is None:
        return report("scores", SCORES.empty())
    qa, texts = (read_table(hub, dataset, version) for dataset in ("private_qa", "private_texts"))
    told = score(answers, qa, texts, version)
    return report("scores", told, by="baseline", version=version)
