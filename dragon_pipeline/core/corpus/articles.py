"""The increment: what is new or changed on a day against the window of days before."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.corpus.ledger import Page, latest, read_pages
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.records import ARTICLES

SHORTEST = 200
"""Characters of cleaned text below which a page is a stub, not an article."""


@dataclass(frozen=True)
class Increment:
    articles: pl.DataFrame
    unchanged: int
    """winning versions that the window already had"""
    dropped: dict[str, int]
    """CRAWL rows that gave no article, by reason; together with `articles` and `unchanged` they are all rows"""


def increment(
    crawled: pl.DataFrame, ledger: pl.DataFrame, before: pl.DataFrame | None, rules: Mapping[str, UrlRules]
) -> Increment:
    """The day's ARTICLES.

    `crawled` and `ledger` are the day's CRAWL rows and the LEDGER built from them; `before` is the LEDGER of the window's
    earlier days with `day`, or none. A content that won its URL on an earlier day is not new again when the page goes back to
    it.
    """
    pages, dropped = read_pages(crawled, rules)
    seen = _contents(before)
    won_before = set() if before is None else set(before.filter(pl.col("latest"))["article_id"])
    winners = latest(pages)
    rows: list[dict] = []
    unchanged = 0
    contents_today = _contents(ledger)
    for url, page in winners.items():
        earlier = seen.get(url, set())
        if page.article_id in won_before:
            unchanged += 1
        elif len(page.text) < SHORTEST:
            dropped["too_short"] = dropped.get("too_short", 0) + 1
        else:
            older = (earlier | contents_today[url]) - {page.content_hash}
            rows.append(_article(page, version=len(older) + 1, change="changed" if earlier else "new"))
    for page in pages:
        winner = winners[page.url]
        if page is not winner:
            reason = "same_page" if page.content_hash == winner.content_hash else "older_version"
            dropped[reason] = dropped.get(reason, 0) + 1
    return Increment(ARTICLES.frame(rows), unchanged, dict(sorted(dropped.items())))


def _contents(ledger: pl.DataFrame | None) -> dict[str, set[str]]:
    contents: dict[str, set[str]] = {}
    if ledger is not None:
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
