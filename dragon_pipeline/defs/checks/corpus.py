"""Checks of what was crawled. They read all outlets' tables at once, so they are made inside `ledger`."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from dragon_pipeline.core.corpus.health import lost
from dragon_pipeline.core.settings import Settings

LOST, SILENT = "pages_lost_to_network", "silent_outlets"


def crawl_checks(asset: str) -> list[dg.AssetCheckSpec]:
    return [
        dg.AssetCheckSpec(LOST, asset=asset, blocking=True, description="Few enough pages were lost to the network"),
        dg.AssetCheckSpec(SILENT, asset=asset, description="Every configured outlet gave at least one article"),
    ]


def crawl_results(asset: str, crawled: pl.DataFrame, settings: Settings) -> Iterator[dg.AssetCheckResult]:
    """A day with too many lost pages stops here, to be crawled again; an outlet gone silent is a warning."""
    loss, allowed = lost(crawled), settings.newsroom.lost_share
    by_outlet = ", ".join(f"{outlet} {share:.0%}" for outlet, share in loss.by_outlet.items() if share)
    told = f"{loss.lost_to_network} of {loss.pages} pages were lost to the network ({loss.share:.0%}, allowed {allowed:.0%})"
    again = "; once the sites answer, run the day again: it is crawled anew, and what was fetched is kept"
    passed = loss.share <= allowed
    yield dg.AssetCheckResult(
        check_name=LOST,
        asset_key=asset,
        passed=passed,
        description=told + (f": {by_outlet}" if by_outlet else "") + ("" if passed else again),
        metadata={"share": loss.share, "by outlet": dict(loss.by_outlet)},
    )
    heard = set(crawled.filter(status="ok")["outlet"])
    silent = sorted(set(settings.newsroom.outlets) - heard)
    yield dg.AssetCheckResult(
        check_name=SILENT,
        asset_key=asset,
        passed=not silent,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"no article from {', '.join(silent)}" if silent else None,
        metadata={"silent": silent},
    )
