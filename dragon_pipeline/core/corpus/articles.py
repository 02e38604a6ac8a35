"""The increment: what is new or changed on a day against the window of days before."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.ledger import Page, gone_pages, latest, read_pages
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.records import ARTICLES
from dragon_pipeline.core.table import DAY

SHORTEST = 200
"""Characters of cleaned text below which a page is a stub, not an article."""
HELD = ("url", "content_hash", "article_id", "latest", DAY)
UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Increment:
    articles: pl.DataFrame
    unchanged: int
    """winning versions that the window already had, and pages that were left out as unchanged"""
    dropped: dict[str, int]
    """CRAWL rows that gave no article, by reason; together with `articles` and `unchanged` they are all rows"""
    vanished: int
    """pages of the window that the day's crawl found gone"""


def increment(crawled: pl.DataFrame, ledger: Batches, day: str, rules: Mapping[str, UrlRules]) -> Increment:
    """The day's ARTICLES.

    `crawled` are the day's CRAWL rows; `ledger` is LEDGER of the day, made from them, and of the window before; of it only
    the day's pages are held. A content that won its URL on an earlier day is not new again when the page goes back to it.
    """
    pages, dropped = read_pages(crawled, rules)
    winners = latest(pages)
    gone = gone_pages(crawled, rules).keys() - winners.keys()
    held = ledger.among(HELD, "url", [*winners, *gone])
    before, contents_today = held.filter(pl.col(DAY) < day), _contents(held.filter(pl.col(DAY) == day))
    seen, won_before = _contents(before), set(before.filter("latest")["article_id"])
    rows: list[dict] = []
    unchanged = dropped.pop(UNCHANGED, 0)
    for url, page in winners.items():
        earlier = seen.get(url, set())
        if page.article_id in won_before:
            unchanged += 1
        elif len(page.text) < SHORTEST:
            dropped["too_short"] = dropped.get("too_short", 0) + 1
        else:
            older = (earlier | contents_today.get(url, set())) - {page.content_hash}
            rows.append(_article(page, version=len(older) + 1, change="changed" if earlier else "new"))
    for page in pages:
        winner = winners[page.url]
        if page is not winner:
            reason = "same_page" if page.content_hash == winner.content_hash else "older_version"
            dropped[reason] = dropped.get(reason, 0) + 1
    return Increment(ARTICLES.frame(rows), unchanged, dict(sorted(dropped.items())), len(gone & seen.keys()))


def _contents(ledger: pl.DataFrame) -> dict[str, set[str]]:
    contents: dict[str, set[str]] = {}
    for url, content_hash in ledger.select("url", "content_hash").iter_rows():
        contents.setdefault(url, set()).add(content_hash)
    return contents


def _article(page: Page, version: int, change: str) -> dict:
    return {
        "article_id": page.article_id,
        "url": page.url,
        "outlet": page.outlet,
        "version": version,
        "change": change,
        "title": page.title,
        "text": page.text,
        "author": page.author,
        "section": page.section,
        "published_at": page.published_at,
    }
