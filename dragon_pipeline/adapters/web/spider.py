"""The one spider: it reads an outlet's listings, then fetches what they list for the day."""

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Self

import scrapy
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, Response
from twisted.python.failure import Failure

from dragon_pipeline.adapters.web.dates import moscow_day
from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.extraction import extract_page
from dragon_pipeline.adapters.web.listings import MOST_BYTES, Listed, Listing, NoListing, read_listing
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.page_archive import Fetched, Shelf
from dragon_pipeline.adapters.web.tally import Tally, failure_reason, status_reason
from dragon_pipeline.core.corpus.urls import canonical_url

logger = logging.getLogger(__name__)

DEEPEST_SITEMAP = 4
HTML = ("text/html", "application/xhtml+xml", "")
"""with no type named, Scrapy decides by the body"""


@dataclass(frozen=True)
class Errand:
    """What one crawl of one outlet is told."""

    outlet: Outlet
    day: date
    gateway: str | None
    deadline: float
    """in the event loop's time"""
    shelf: Shelf
    tally: Tally


class OutletSpider(scrapy.Spider):
    """Listings first, pages when all listings are in: so the choice among twins of a page does not depend on which
    listing answers first. Pages go to the shelf, everything else into the tally."""

    name = "outlet"

    def __init__(self, errand: Errand):
        super().__init__(name=errand.outlet.name)
        self.outlet, self.gateway, self.deadline = errand.outlet, errand.gateway, errand.deadline
        self.date, self.day = errand.day, errand.day.isoformat()
        self.shelf, self.tally = errand.shelf, errand.tally
        self.twins: dict[str, dict[str, bool]] = {}
        """canonical URL → address as listed → whether a listing names the day for it"""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.request_pages, signals.spider_idle)
        crawler.signals.connect(spider.note_error, signals.spider_error)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for entry in self.outlet.entries:
            if request := self._listing_request(entry.address(self.date), entry, 1):
                yield request

    def read_listing(self, response: Response, entry: Entry, depth: int) -> Iterator[Request]:
        address = response.meta["asked"]
        reason = status_reason(response.status)
        if reason is None:
            try:
                listing = read_listing(entry, response, self.date)
                self._note(listing)
                yield from self._children(listing, entry, depth)
            except NoListing as error:
                logger.warning("%s: %s: %s", self.name, address, error)
                reason = "bad_listing"
        self.tally.settle(address, reason)

    def read_page(self, response: Response, listed: bool) -> None:
        address = response.meta["asked"]
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        media_type = content_type.partition(";")[0].strip().lower()
        reason = status_reason(response.status)
        if reason is None and not (isinstance(response, HtmlResponse) and media_type in HTML):
            reason = "not_html"
        if reason is None:
            page = extract_page(self.outlet, response.body, content_type)
            if page.text is None:
                reason = "no_body"
            elif listed or self.date in (moscow_day(page.published_at), moscow_day(page.modified_at)):
                self.shelf.keep(Fetched(response.url, response.body, content_type, datetime.now(UTC)))
        self.tally.settle(address, reason)

    def note_failure(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        self.tally.settle(request.meta["asked"], failure_reason(failure.value or Exception()))

    def note_error(self, failure: Failure, response: Response, spider: scrapy.Spider) -> None:
        """A page that our own code cannot read is a row too, and Scrapy has logged the traceback. A full disk is no row."""
        if isinstance(failure.value, OSError):
            self.tally.broken = failure.value
            self.twins.clear()
        self.tally.settle(response.meta["asked"], "unreadable")

    def request_pages(self, spider: scrapy.Spider) -> None:
        """When the listings are in: of each page's twins the shortest address."""
        wanted = [self._chosen(twins) for _, twins in sorted(self.twins.items())]
        self.twins.clear()
        requests = [self._request(url, self.read_page, {"listed": listed}) for url, listed in wanted if self.tally.ask(url)]
        for request in requests:
            self.crawler.engine.crawl(request)  # type: ignore[union-attr]
        if requests:
            raise DontCloseSpider

    @staticmethod
    def _chosen(twins: dict[str, bool]) -> tuple[str, bool]:
        return min(twins, key=lambda url: (len(url), url)), any(twins.values())

    def _note(self, listing: Listing) -> None:
        for listed in listing.pages:
            if self.outlet.is_article(listed.url) and self._may_be_wanted(listed):
                twins = self.twins.setdefault(canonical_url(listed.url, self.outlet.url_rules), {})
                twins[listed.url] = bool(listed.days) or twins.get(listed.url, False)

    def _may_be_wanted(self, listed: Listed) -> bool:
        return not listed.days or self.date in listed.days

    def _children(self, listing: Listing, entry: Entry, depth: int) -> Iterator[Request]:
        """Further sitemaps that may list the day."""
        for child in listing.children:
            if depth < DEEPEST_SITEMAP and self.outlet.owns(child.url):
                if request := self._listing_request(child.url, entry, depth + 1):
                    yield request

    def _listing_request(self, url: str, entry: Entry, depth: int) -> Request | None:
        if not self.tally.ask(url):
            return None
        request = self._request(url, self.read_listing, {"entry": entry, "depth": depth})
        request.meta["download_maxsize"] = MOST_BYTES
        return request

    def _request(self, url: str, callback: Any, arguments: dict[str, Any]) -> Request:
        return Request(
            url,
            callback=callback,
            errback=self.note_failure,
            cb_kwargs=arguments,
            dont_filter=True,
            meta={"asked": url},
        )
