"""The ledger: which canonical URL had which content on a day, and which version of it won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.corpus.cleaning import clean
from dragon_pipeline.core.corpus.dates import iso_date, moment
from dragon_pipeline.core.corpus.urls import UrlRules, canonical_url
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import content_id, sha256
from dragon_pipeline.core.records import LEDGER

GONE = ("http_404", "http_410", "soft_404")
"""reasons of pages that are no longer there"""


@dataclass(frozen=True)
class Page:
    """A readable row of CRAWL, cleaned and addressed."""

    url: str
    content_hash: str
    article_id: str
    title: str
    text: str
    outlet: str
    author: str | None
    section: str | None
    published_at: str | None
    modified_at: str | None
    fetch: int
    precedence: tuple
    """grows from the versions of a URL that lose to the one that wins"""


def build_ledger(crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> pl.DataFrame:
    """CRAWL rows of all outlets → LEDGER. Rows that cannot be read have no content and no place here."""
    pages, _ = read_pages(crawled, rules)
    winners = latest(pages)
    shown: dict[str, Page] = {}
    for page in sorted(pages, key=lambda page: page.precedence):
        shown[page.article_id] = page
    return LEDGER.frame(
        [
            {
                "url": page.url,
                "content_hash": page.content_hash,
                "article_id": page.article_id,
                "outlet": page.outlet,
                "published_at": page.published_at,
                "modified_at": page.modified_at,
                "fetch": page.fetch,
                "latest": winners[page.url] == page,
            }
            for page in shown.values()
        ]
    )


def read_pages(crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> tuple[list[Page], dict[str, int]]:
    """The readable rows as pages, and how many rows were left out by reason."""
    pages: list[Page] = []
    dropped: dict[str, int] = {}
    for row in crawled.iter_rows(named=True):
        page = row["reason"] or "failed" if row["status"] != "ok" else _page(row, rules.get(row["outlet"], UrlRules()))
        if isinstance(page, Page):
            pages.append(page)
        else:
            dropped[page] = dropped.get(page, 0) + 1
    return pages, dropped


def gone_pages(crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> dict[str, str]:
    """Canonical URL → the reason, of the pages that the day's crawl found gone."""
    gone: dict[str, str] = {}
    failed = crawled.filter(pl.col("status") == "failed", pl.col("reason").is_in(GONE)).sort("url")
    for row in failed.iter_rows(named=True):
        try:
            gone[canonical_of(row["url"], row["canonical"], rules.get(row["outlet"], UrlRules()))] = row["reason"]
        except BadInput:
            continue  # it was never fetched, so no day has it
    return gone


def latest(pages: Sequence[Page]) -> dict[str, Page]:
    """URL → the version that wins: at that address rather than at another that merely states it; then modified last, fetched
    last, and the page itself rather than an AMP twin."""
    winners: dict[str, Page] = {}
    for page in pages:
        if page.url not in winners or page.precedence > winners[page.url].precedence:
            winners[page.url] = page
    return winners


def _page(row: dict, rules: UrlRules) -> Page | str:
    try:
        url, own = canonical_of(row["url"], row["canonical"], rules), canonical_url(row["url"], rules)
    except BadInput:
        return "bad_url"
    cleaned = clean(row["title"], row["lead"], row["text"])
    if not cleaned.text:
        return "no_body"
    if not cleaned.title:
        return "no_title"
    content_hash = sha256(f"{cleaned.title}\n{cleaned.text}".encode())
    itself = row["url"].rstrip("/").endswith(url.removeprefix("https://").rstrip("/"))
    return Page(
        url=url,
        content_hash=content_hash,
        article_id=content_id(url, content_hash),
        title=cleaned.title,
        text=cleaned.text,
        outlet=row["outlet"],
        author=row["author"],
        section=row["section"],
        published_at=iso_date(row["published_at"]),
        modified_at=iso_date(row["modified_at"]),
        fetch=row["fetch"],
        precedence=(
            *(url == own, moment(row["modified_at"]), row["fetch"], itself),
            *(moment(row["published_at"]), content_hash, row["url"]),
        ),
    )


def canonical_of(fetched: str, stated: str | None, rules: UrlRules) -> str:
    """The canonical URL of a page: what it states about itself, when that is on its own host and not the front page.

    Raises:
        BadInput: the fetched URL is no http or https URL.
    """
    own = canonical_url(fetched, rules)
    if not stated:
        return own
    try:
        claimed = canonical_url(stated, rules)
    except BadInput:
        return own
    host, path = claimed.split("/")[2], claimed.split("/", 3)[3]
    return claimed if host == own.split("/")[2] and path else own
