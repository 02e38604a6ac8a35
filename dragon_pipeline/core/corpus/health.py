"""How much of a day's crawl was lost to the network, as against pages that are simply not there."""

import re
from dataclasses import dataclass

import polars as pl

NETWORK_REASONS = re.compile(r"no_connection|timeout|http_5(\d\d|xx)")


@dataclass(frozen=True)
class Loss:
    pages: int
    """rows of the crawl, failed ones included"""
    lost_to_network: int
    share: float
    """lost_to_network / pages; 0 for an empty crawl"""
    by_outlet: dict[str, float]
    """the same share for each outlet, in the order of their names"""


def lost(crawled: pl.DataFrame) -> Loss:
    """What the network took from CRAWL rows: no connection, time-outs and server errors."""
    pages: dict[str, int] = {}
    gone: dict[str, int] = {}
    for outlet, status, reason in crawled.select("outlet", "status", "reason").iter_rows():
        pages[outlet] = pages.get(outlet, 0) + 1
        if status == "failed" and NETWORK_REASONS.fullmatch(reason or ""):
            gone[outlet] = gone.get(outlet, 0) + 1
    total, missing = sum(pages.values()), sum(gone.values())
    shares = {outlet: gone.get(outlet, 0) / pages[outlet] for outlet in sorted(pages)}
    return Loss(total, missing, missing / total if total else 0.0, shares)
