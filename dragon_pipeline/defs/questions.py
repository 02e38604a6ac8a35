"""Questions: from facts to worded questions of fixed shapes."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from dragon_pipeline.core.ports import Writer
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.subgraphs import sample
from dragon_pipeline.core.questions.writing import write
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.metering import Meter, answered, answered_result, recipe
from dragon_pipeline.defs.partitions import DAILY, window
from dragon_pipeline.defs.report import counts, report, tallied

GROUP = "questions"


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"polars"},
    code_version="4",
    ins={"facts": window("facts"), "articles": window("articles")},
)
def subgraphs(
    context: dg.AssetExecutionContext,
    facts: pl.DataFrame,
    stories: pl.DataFrame,
    articles: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
    draw: dg.ResourceParam[Draw],
) -> dg.Output[pl.DataFrame]:
    """Sampled shapes with roles, each with a fact that is new that day; bounded, stratified and seeded."""
    drawn = sample(facts, stories, articles, context.partition_key, settings.questions, draw)
    recipe = {"seed": settings.seed, **settings.questions.model_dump()}
    told = dg.MetadataValue.md(tallied(drawn.tallies))
    return report("subgraphs", drawn.subgraphs, by="type", recipe=recipe, draw=told)


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"python"},
    code_version="4",
    ins={"facts": window("facts")},
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "writer"},
    check_specs=[answered("qa")],
)
def qa(
    subgraphs: pl.DataFrame, facts: pl.DataFrame, writer: dg.ResourceParam[Writer], settings: dg.ResourceParam[Settings]
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """Question and answers written from each subgraph; what could not be written carries the reason."""
    meter = Meter(writer.models)
    written = write(subgraphs, facts, writer)
    dropped = counts(written, "reason")
    yield report(
        "qa",
        written,
        by="type",
        dropped=dropped,
        recipe=recipe(writer.prompts, writer=settings.models.writer),
        **meter.metadata(),
    )
    yield answered_result("qa", meter.losses(written["reason"]), settings)
