"""Corpus: from the web, or files, to the day's new and changed articles."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import dagster as dg
import polars as pl

from dragon_pipeline.adapters.web.catalogue import outlets_of
from dragon_pipeline.adapters.web.engine import crawl as fetch
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.articles import increment
from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.habits import DAYS as HABIT_DAYS
from dragon_pipeline.core.corpus.habits import unusual
from dragon_pipeline.core.corpus.health import survey
from dragon_pipeline.core.corpus.ledger import build_ledger
from dragon_pipeline.core.corpus.stories import cluster
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.checks.corpus import lost_check, lost_result, symptom_checks, symptom_results
from dragon_pipeline.defs.interrupts import cancelled_by_signals
from dragon_pipeline.defs.partitions import CRAWLS, DAILY, DAYS, OUTLETS, window, window_and_day
from dragon_pipeline.defs.report import chart, counts, outlets_chart, output, report, shown
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home

GROUP = "corpus"


@dg.multi_asset(
    name="crawl",
    outs={
        name: dg.AssetOut(
            key=["crawl", part],
            is_required=False,
            group_name=GROUP,
            kinds={"python"} if part == "import" else {"scrapy"},
            owners=DAILY["owners"],
            code_version="3",
            description=f"Articles of imported files for the day. {CRAWL.meaning}"
            if part == "import"
            else f"{part}: {CRAWL.meaning}",
        )
        for name, part in OUTLETS.items()
    },
    partitions_def=DAYS,
    can_subset=True,
    pool="news_sites",
)
async def crawl(
    context: dg.AssetExecutionContext,
    settings: dg.ResourceParam[Settings],
    home: dg.ResourceParam[Home],
    forgotten: dg.ResourceParam[Forgotten],
):  # Dagster takes no async iterator as annotation
    """What each outlet gave for the day, raw; a failed or hung outlet still yields its table, failures as rows."""
    wanted = [name for name in OUTLETS if name in context.op_execution_context.selected_output_names]
    outlets = outlets_of(settings.newsroom, [OUTLETS[name] for name in wanted if name != "imported"])
    day = date.fromisoformat(context.partition_key)
    archive, today = PageArchive(home.raw, home.http_cache, forgotten), datetime.now(MOSCOW).date()
    with cancelled_by_signals():
        crawled = await fetch(list(outlets.values()), day, settings.newsroom, archive, today) if outlets else {}
    for name in wanted:
        rows = home.imported(context.partition_key) if name == "imported" else crawled[OUTLETS[name]].table()
        rows = forgotten.left(rows, url_rules(settings)) if forgotten else rows
        stats = {} if name == "imported" else {"stats": dg.MetadataValue.json(crawled[OUTLETS[name]].stats)}
        yield output("crawl", rows, shown(rows, by="status", dropped=counts(rows, "reason")) | stats, name)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="1", ins=CRAWLS, check_specs=symptom_checks("outlets"))
def outlets(
    context: dg.AssetExecutionContext,
    settings: dg.ResourceParam[Settings],
    tables: dg.ResourceParam[Tables],
    **crawls: pl.DataFrame,
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """How each outlet did that day, held against its own last days; warnings, and nothing waits for it."""
    day, configured = context.partition_key, settings.newsroom.names
    found = survey(pl.concat(crawls.values()), configured)
    before = tables.read("outlets", [other for other in tables.days("outlets") if other < day][-2 * HABIT_DAYS :])
    yield report("outlets", found, outlets=dg.MetadataValue.md(outlets_chart(found, before, day)))
    yield from symptom_results("outlets", unusual(found, before, day, configured))


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="3", ins=CRAWLS, check_specs=[lost_check("ledger")])
def ledger(settings: dg.ResourceParam[Settings], **crawls: pl.DataFrame) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """The day's canonical URLs with the content each had, one row per URL and content."""
    crawled = pl.concat(crawls.values())
    yield report("ledger", build_ledger(crawled, url_rules(settings)), by="outlet")
    yield lost_result("ledger", crawled, settings)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="3", ins={**CRAWLS, "ledger": window_and_day("ledger")})
def articles(
    context: dg.AssetExecutionContext, ledger: Batches, settings: dg.ResourceParam[Settings], **crawls: pl.DataFrame
) -> dg.Output[pl.DataFrame]:
    """The increment: articles that are new or changed against the window before, cleaned, latest version per URL."""
    found = increment(pl.concat(crawls.values()), ledger, context.partition_key, url_rules(settings))
    new, changed = (found.articles.filter(change=change).height for change in ("new", "changed"))
    counted: dict[str, Any] = {"new": new, "changed": changed, "unchanged": found.unchanged, "vanished": found.vanished}
    told = dg.MetadataValue.md(chart(counted))
    return report("articles", found.articles, by="outlet", dropped=found.dropped, difference=told, **counted)


@dg.asset(**DAILY, group_name=GROUP, kinds={"polars"}, code_version="2", ins={"articles": window("articles")})
def stories(articles: pl.DataFrame) -> dg.Output[pl.DataFrame]:
    """Near-duplicate clusters over the window: reprints of one story across outlets."""
    clusters = cluster(articles)
    return report("stories", clusters, stories=clusters["story_id"].n_unique())


def url_rules(settings: Settings) -> Mapping[str, UrlRules]:
    return {name: outlet.url_rules for name, outlet in outlets_of(settings.newsroom).items()}
