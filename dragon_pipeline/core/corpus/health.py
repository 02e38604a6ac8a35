"""What a day's crawl gave, outlet by outlet, and how much of it was lost to the network."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.records import OUTLETS

LISTING = "listing: "
"""what the reason of a row starts with that stands for a feed, sitemap or archive, not for a page"""
NETWORK_REASONS = re.compile(rf"(?:{LISTING})?(?:no_connection|timeout|bad_certificate|robots_unreachable|http_5(?:\d\d|xx))")
READ = ("no_body", "unreadable", "not_html", "not_article", "paywall", "soft_404", "challenge")
"""reasons of pages that came, but gave no article"""
FALLBACK = "trafilatura"


@dataclass(frozen=True)
class Loss:
    pages: int
    """rows of the crawl that are an article or a failure, listings included"""
    lost_to_network: int
    share: float
    """lost rows / rows over all outlets but `spared`; 0 for an empty crawl"""
    cut_off: float
    """share of outlets, but `spared`, of which nothing came because of the network"""
    by_outlet: dict[str, float]
    """the share of each outlet, in the order of their names"""
    spared: str | None
    """of several outlets the one without which least is lost: one outlet's loss is no reason to stop a day"""


def lost(crawled: pl.DataFrame) -> Loss:
    """What the network took from CRAWL rows: no connection, time-outs and server errors."""
    pages: dict[str, int] = {}
    gone: dict[str, int] = {}
    tried = crawled.filter(pl.col("status") != "left_out").select("outlet", "status", "reason")
    for outlet, status, reason in tried.iter_rows():
        pages[outlet] = pages.get(outlet, 0) + 1
        if status == "failed" and NETWORK_REASONS.fullmatch(reason or ""):
            gone[outlet] = gone.get(outlet, 0) + 1
    shares = {outlet: gone.get(outlet, 0) / pages[outlet] for outlet in sorted(pages)}

    def without(spared: str | None) -> tuple[float, float]:
        others = [outlet for outlet in shares if outlet != spared]
        share = _share(sum(gone.get(outlet, 0) for outlet in others), sum(pages[outlet] for outlet in others))
        return share, _share(sum(shares[outlet] == 1 for outlet in others), len(others))

    hit = [outlet for outlet in shares if shares[outlet]] if len(shares) > 1 else []
    spared = min(hit, key=lambda outlet: (max(without(outlet)), -shares[outlet], outlet), default=None)
    share, cut_off = without(spared)
    return Loss(sum(pages.values()), sum(gone.values()), share, cut_off, shares, spared)


def survey(crawled: pl.DataFrame, configured: Iterable[str]) -> pl.DataFrame:
    """CRAWL rows of a day → OUTLETS, with a row of zeros for a configured outlet that is not among them.

    Pages are counted by address: one that was fetched twice, or was read once and failed once, is one found page.
    """
    failed, left_out = pl.col("status") == "failed", pl.col("status") == "left_out"
    extracted = pl.col("status") == "ok"
    came = extracted | (failed & pl.col("reason").is_in(READ))
    listing = pl.col("reason").fill_null("").str.starts_with(LISTING)
    counted = (
        crawled.with_columns(listing=listing)
        .group_by("outlet")
        .agg(
            found=_addresses(~pl.col("listing")),
            fetched=_addresses(came & ~pl.col("listing")),
            extracted=_addresses(extracted),
            fallback=_addresses(extracted & (pl.col("extractor") == FALLBACK)),
            failed=_addresses(failed & ~pl.col("listing")),
            left_out=_addresses(left_out & ~pl.col("listing")),
            listings_failed=_addresses(failed & pl.col("listing")),
            median_length=pl.col("text").filter(extracted).str.len_chars().median(),
        )
    )
    rows = {outlet: dict.fromkeys(OUTLETS.columns, 0) | {"outlet": outlet, "median_length": None} for outlet in configured}
    rows |= {row["outlet"]: row for row in counted.iter_rows(named=True)}
    reasons = _reasons(crawled)
    told = [{**row, "reasons": json.dumps(reasons.get(outlet, {}), ensure_ascii=False)} for outlet, row in rows.items()]
    return OUTLETS.frame(told)


def reasons_of(row: Mapping) -> dict[str, int]:
    """Of an OUTLETS row: reason → rows, most first."""
    return json.loads(row["reasons"])


def _addresses(which: pl.Expr) -> pl.Expr:
    return pl.col("url").filter(which).n_unique().cast(pl.Int64)


def _reasons(crawled: pl.DataFrame) -> dict[str, dict[str, int]]:
    told: dict[str, dict[str, int]] = {}
    without = crawled.filter(pl.col("status") != "ok").with_columns(pl.col("reason").fill_null("unknown"))
    counted = without.group_by("outlet", "reason").len().sort(["outlet", "len", "reason"], descending=[False, True, False])
    for outlet, reason, number in counted.iter_rows():
        told.setdefault(outlet, {})[reason] = number
    return told


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
