"""Screening: what each screen says of each question, and which questions pass."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from dragon_pipeline.core.language_model import Losses
from dragon_pipeline.core.screening.evidence import standing
from dragon_pipeline.core.screening.funnel import Corpus, Screened, build_funnel, question_funnel
from dragon_pipeline.core.screening.page import render_page
from dragon_pipeline.core.screening.screens import lost_verdicts, run_screens, screens_that_ran
from dragon_pipeline.core.screening.selection import select
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.engines import Screens
from dragon_pipeline.defs.metering import Meter, answered, answered_result, recipe
from dragon_pipeline.defs.partitions import DAILY, window
from dragon_pipeline.defs.report import counts, funnel_chart, report
from dragon_pipeline.home import Home

GROUP = "screening"


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"python"},
    code_version="4",
    ins={name: window(name) for name in ("qa", "facts", "articles", "mentions")},
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "judge"},
    check_specs=[answered("verdicts")],
)
def verdicts(  # noqa: PLR0913 (what flows in, and what it is made with)
    context: dg.AssetExecutionContext,
    qa: pl.DataFrame,
    facts: pl.DataFrame,
    articles: pl.DataFrame,
    mentions: pl.DataFrame,
    screens: dg.ResourceParam[Screens],
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """One row per question of the day and screen: passed, failed or not run, with score, reason and evidence."""
    meter = Meter(screens.models)
    today = pl.col(DAY) == context.partition_key
    made = screens(standing(facts, articles), qa.filter(~today), mentions)
    judged = run_screens(qa.filter(today), facts, articles, mentions, made)
    failed = counts(judged.filter(outcome="failed"), "screen")
    unreadable = judged.filter(pl.col("reason").str.starts_with("unreadable")).height
    models = settings.models
    asked = {"judge": models.judge, **{f"closed_book_{n}": model for n, model in enumerate(models.closed_book, 1)}}
    made_with = {**screens_that_ran(judged), **recipe(screens.prompts, **asked)}
    told = {**meter.metadata(), "unreadable replies": unreadable}
    yield report("verdicts", judged, by="outcome", dropped=failed, recipe=made_with, **told)
    worst = max(lost_verdicts(judged).values(), key=lambda lost: lost.share, default=Losses(0, {}))
    yield answered_result("verdicts", worst if screens.models else Losses(0, {}), settings)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="4")
def accepted(qa: pl.DataFrame, verdicts: pl.DataFrame, settings: dg.ResourceParam[Settings]) -> dg.Output[pl.DataFrame]:
    """Questions that passed every required screen and failed none, by worth, at most `per_type` of each type."""
    chosen = select(qa, verdicts, settings.screens.per_type, settings.screens.required)
    told = question_funnel(Screened(qa, qa, verdicts, chosen.accepted, chosen.rejected), settings.screens.per_type)
    chart = dg.MetadataValue.md(funnel_chart(told))
    return report("accepted", chosen.accepted, by="type", recipe=settings.screens.model_dump(), funnel=chart)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="4")
def rejected(qa: pl.DataFrame, verdicts: pl.DataFrame, settings: dg.ResourceParam[Settings]) -> dg.Output[pl.DataFrame]:
    """The rest, each with the first screen that failed it, the reason and every verdict."""
    chosen = select(qa, verdicts, settings.screens.per_type, settings.screens.required)
    return report("rejected", chosen.rejected, by="type", dropped=chosen.reasons)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="1", ins={"facts": window("facts")})
def funnel(  # noqa: PLR0913 (what flows in, and what it is made with)
    context: dg.AssetExecutionContext,
    articles: pl.DataFrame,
    triplets: pl.DataFrame,
    facts: pl.DataFrame,
    subgraphs: pl.DataFrame,
    qa: pl.DataFrame,
    verdicts: pl.DataFrame,
    accepted: pl.DataFrame,
    rejected: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
    home: dg.ResourceParam[Home],
) -> dg.Output[pl.DataFrame]:
    """What became of the day: of every stage from article to accepted question, what came in, went on, was lost and why; and
    the same with samples as a page of the home, `reports/<day>.html`."""
    corpus = Corpus(articles, triplets, facts.filter(pl.col(DAY) == context.partition_key))
    screened = Screened(subgraphs, qa, verdicts, accepted, rejected)
    told = build_funnel(corpus, screened, settings.screens.per_type)
    page = home.write_report(context.partition_key, render_page(context.partition_key, told, corpus, screened, facts))
    chart = dg.MetadataValue.md(funnel_chart(told))
    return report("funnel", told, funnel=chart, page=dg.MetadataValue.path(str(page)))
