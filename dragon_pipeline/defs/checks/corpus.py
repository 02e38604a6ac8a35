"""Checks of what was crawled. They read all outlets' tables at once, so they are made inside `ledger` and `outlets`."""

from collections.abc import Iterator, Sequence

import dagster as dg
import polars as pl

from dragon_pipeline.core.corpus.habits import FAILING, FALLBACK, HALVED, SHRUNKEN, SILENT, Symptom
from dragon_pipeline.core.corpus.health import lost
from dragon_pipeline.core.settings import Settings

LOST = "pages_lost_to_network"
SYMPTOMS = {
    SILENT: "Every configured outlet gave an article, if it is not wont to pause",
    HALVED: "No outlet gave less than half of its usual number, week-ends held against week-ends",
    FALLBACK: "No outlet's bodies are found by the fallback more often than usual",
    FAILING: "No outlet's pages or listings fail more often than usual",
    SHRUNKEN: "No outlet's texts are less than half as long as usual (a paywall, a broken selector)",
}
"""Warnings, each against the outlet's own last days (core/corpus/habits.py)."""


def lost_check(asset: str) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(LOST, asset=asset, blocking=True, description="Few enough pages were lost to the network")


def symptom_checks(asset: str) -> list[dg.AssetCheckSpec]:
    return [dg.AssetCheckSpec(name, asset=asset, description=told) for name, told in SYMPTOMS.items()]


def lost_result(asset: str, crawled: pl.DataFrame, settings: Settings) -> dg.AssetCheckResult:
    """A day with too many lost pages stops here, to be crawled again; what one outlet of several lost never stops it."""
    loss, allowed = lost(crawled), settings.newsroom.lost_share
    by_outlet = ", ".join(f"{outlet} {share:.0%}" for outlet, share in loss.by_outlet.items() if share)
    passed = max(loss.share, loss.cut_off) <= allowed
    told = f"{loss.lost_to_network} of {loss.pages} pages were lost to the network"
    rest = f"not counting {loss.spared}, " if loss.spared else ""
    told += f" ({rest}{loss.share:.0%} of pages, and {loss.cut_off:.0%} of outlets gave none; allowed {allowed:.0%})"
    again = "; once the sites answer, run the day again: it is crawled anew, and what was fetched is kept"
    return dg.AssetCheckResult(
        check_name=LOST,
        asset_key=asset,
        passed=passed,
        description=told + (f": {by_outlet}" if by_outlet else "") + ("" if passed else again),
        metadata={"share": loss.share, "outlets cut off": loss.cut_off, "by outlet": dict(loss.by_outlet)},
    )


def symptom_results(asset: str, symptoms: Sequence[Symptom]) -> Iterator[dg.AssetCheckResult]:
    """One result per check; a warning says of each outlet the number, the habit and what to do."""
    for name in SYMPTOMS:
        of_it = [symptom for symptom in symptoms if symptom.check == name]
        yield dg.AssetCheckResult(
            check_name=name,
            asset_key=asset,
            passed=not of_it,
            severity=dg.AssetCheckSeverity.WARN,
            description="\n".join(symptom.told for symptom in of_it) or None,
            metadata={symptom.outlet: {"now": symptom.number, "usually": symptom.habit} for symptom in of_it},
        )
