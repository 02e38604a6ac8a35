"""Scrapy's item pipelines: a fetched page is read, belongs to the day or not, and goes to the archive.

Each may end a page's way with `Settled`. A page that waits here holds its response, so Scrapy fetches no more than is read.
"""

import asyncio
from datetime import UTC, date, datetime
from typing import Self

from scrapy.crawler import Crawler

from dragon_pipeline.adapters.web.dates import moscow_day
from dragon_pipeline.adapters.web.extraction import extract_page
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.page_archive import Fetched, Shelf
from dragon_pipeline.adapters.web.readers import Share, Unreadable
from dragon_pipeline.adapters.web.spider import Errand, FetchedPage
from dragon_pipeline.adapters.web.tally import Settled
from dragon_pipeline.core.corpus.forgotten import REASON
from dragon_pipeline.core.ids import sha256

SAID = ("title", "lead", "text")
"""columns in which an article changes; the rest of a page does so with every answer"""


class _Pipeline:
    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def errand(self) -> Errand:
        return self.crawler.spider.errand  # type: ignore[union-attr]


class Extraction(_Pipeline):
    """Reads the article in a reader process."""

    async def process_item(self, item: FetchedPage) -> FetchedPage:
        errand = self.errand
        try:
            item.columns, refusal = await read(errand.readers, errand.outlet, item.body, item.content_type, errand.seen)
        except Unreadable:
            raise Settled("failed", "unreadable") from None
        said = {**item.columns, "url": item.url}
        if errand.forgotten and errand.forgotten.has(said, errand.outlet.url_rules):
            raise Settled("left_out", REASON)
        if refusal or item.columns["text"] is None:
            raise Settled("failed", refusal or "no_body")
        return item


class OfTheDay(_Pipeline):
    """Lets through what is of the day: by a listing, by its own dates, or as a change of what a day before had."""

    async def process_item(self, item: FetchedPage) -> FetchedPage:
        columns = item.columns or {}
        days = {moscow_day(columns["published_at"]), moscow_day(columns["modified_at"])}
        if item.wanted.dated or self.errand.day in days:
            return item
        if item.wanted.earlier is None:
            raise Settled("left_out", "other_day")
        if await self._unchanged(item, item.wanted.earlier.shelf, item.wanted.earlier.url):
            raise Settled("left_out", "unchanged")
        return item

    async def _unchanged(self, item: FetchedPage, shelf: Shelf, url: str) -> bool:
        latest, outlet = shelf.latest(url), self.errand.outlet
        assert latest is not None, "it is asked for because it is kept"
        if shelf.raw_hash(url, latest) == sha256(item.body):
            return True
        reading = shelf.reading(url, latest, outlet.digest)
        if reading is None:
            page = shelf.page(url, latest)
            before, _ = await read(self.errand.readers, outlet, page.body, page.content_type, self.errand.seen)
        else:
            before = reading.columns
        return all(before[name] == (item.columns or {})[name] for name in SAID)


class Archiving(_Pipeline):
    """Keeps the raw page, and beside it what was read in it."""

    async def process_item(self, item: FetchedPage) -> FetchedPage:
        fetched = Fetched(item.url, item.body, item.content_type, datetime.now(UTC))
        await asyncio.to_thread(self._keep, fetched, item.columns or {})
        return item

    def _keep(self, fetched: Fetched, columns: dict[str, str | None]) -> None:
        fetch = self.errand.shelf.keep(fetched)
        if fetch is not None:
            self.errand.shelf.note(fetched.url, fetch, self.errand.outlet.digest, columns)


async def read(
    readers: Share, outlet: Outlet, body: bytes, content_type: str, seen: date
) -> tuple[dict[str, str | None], str | None]:
    """Columns of `crawl`, and why it is no article although it was answered like one.

    `seen`: the day in Moscow on which the page was as it is.

    Raises:
        Unreadable: reading it takes too long, or more than a process.
    """
    page = await readers.read(extract_page, outlet, body, content_type, seen)
    return page.columns(), page.refusal
