"""The one spider: it reads an outlet's listings, then fetches what they list for the day."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

import scrapy
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from twisted.python.failure import Failure

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.listings import MOST_BYTES, Listed, Listing, NoListing
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.page_archive import Shelf
from dragon_pipeline.adapters.web.readers import Share, Unreadable
from dragon_pipeline.adapters.web.tally import Settled, Tally, failure_reason, status_reason
from dragon_pipeline.adapters.web.wanted import Asking, list_wanted
from dragon_pipeline.core.corpus.forgotten import REASON, Forgotten
from dragon_pipeline.core.corpus.urls import canonical_url

logger = logging.getLogger(__name__)

DEEPEST_SITEMAP = 4
AHEAD = 32
"""requests for pages that wait for their turn at most; the rest wait as addresses"""
HTML = ("text/html", "application/xhtml+xml", "")
"""with no type named, Scrapy decides by the body"""


@dataclass(frozen=True)
class Errand:
    """What one crawl of one outlet is told."""

    outlet: Outlet
    day: date
    live: bool
    seen: date
    """the day in Moscow on which its pages are as they are: today, or what the gateway shows"""
    gateway: str | None
    tells_day: bool
    """whether the gateway is told the day, as it shows days"""
    ca_file: str | None
    deadline: float
    """in the event loop's time"""
    shelf: Shelf
    earlier: tuple[Shelf, ...]
    """of days whose pages are asked for again, the latest first"""
    tally: Tally
    readers: Share
    forgotten: Forgotten


@dataclass
class FetchedPage:
    """Scrapy's item: a page as it came."""

    asked: str
    url: str
    """where it was found in the end"""
    body: bytes
    content_type: str
    wanted: "Wanted"
    columns: dict[str, str | None] | None = None
    """what was read in it"""


@dataclass(frozen=True)
class Wanted:
    """Why a page is asked for."""

    dated: bool = False
    """a listing names the day for it"""
    earlier: "KeptEarlier | None" = None
    """what a day before had of it"""


@dataclass(frozen=True)
class KeptEarlier:
    shelf: Shelf
    url: str
    """under which it is kept there"""


class OutletSpider(scrapy.Spider):
    """Listings first, pages when all listings are in: so the choice among twins of a page does not depend on which
    listing answers first. Pages are items, everything else goes into the tally."""

    name = "outlet"

    def __init__(self, errand: Errand):
        super().__init__(name=errand.outlet.name)
        self.errand, self.outlet, self.tally = errand, errand.outlet, errand.tally
        self.gateway, self.deadline, self.ca_file = errand.gateway, errand.deadline, errand.ca_file
        self.date, self.day, self.tells_day = errand.day, errand.day.isoformat(), errand.tells_day
        self.twins: dict[str, dict[str, bool]] = {}
        """canonical URL → address as listed → whether a listing names the day for it"""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.note_error, signals.spider_error)
        crawler.signals.connect(spider.note_kept, signals.item_scraped)
        crawler.signals.connect(spider.note_settled, signals.item_dropped)
        crawler.signals.connect(spider.note_item_error, signals.item_error)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for entry in self.outlet.entries_for(self.date, self.errand.live):
            if request := self._listing_request(entry.address(self.date), entry, 1, 1):
                yield request
        await self._listings_are_in()
        under_way: set[str] = set()
        for url, wanted in list(self._chosen()):
            if self.tally.broken is not None:
                return
            while len(under_way) >= AHEAD:
                await self.tally.moves()
                under_way &= self.tally.open
            under_way.add(url)
            yield self._page_request(url, wanted)

    async def _listings_are_in(self) -> None:
        """Waits for half of the outlet's time at most: what is listed by then is not lost to a listing that hangs."""
        try:
            async with asyncio.timeout_at((asyncio.get_running_loop().time() + self.deadline) / 2):
                while self.tally.listings:
                    await self.tally.moves()
        except TimeoutError:
            for url in sorted(self.tally.listings):
                self.tally.fail(url, "timeout")

    async def read_listing(self, response: Response, entry: Entry, page: int, depth: int) -> AsyncIterator[Request]:
        address = response.meta["asked"]
        reason = status_reason(response.status)
        if reason is None:
            bare = Response(response.url, headers=response.headers, body=response.body)  # what a reader process needs
            try:
                asking = Asking(self.outlet, entry, self.date, self.errand.seen, page)
                listing = await self.errand.readers.read(list_wanted, asking, bare)
                if address not in self.tally.open:
                    return  # it came too late
                for listed in listing.pages:
                    self._note(listed)
                for request in self._further(listing, entry, page, depth):
                    yield request
            except (NoListing, Unreadable) as error:
                logger.warning("%s: %s: %s", self.name, address, error)
                reason = "bad_listing"
        if reason is None:
            self.tally.settle(address)
        else:
            self.tally.fail(address, reason)

    def read_page(self, response: Response, wanted: Wanted) -> FetchedPage | None:
        address = response.meta["asked"]
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        media_type = content_type.partition(";")[0].strip().lower()
        reason = status_reason(response.status)
        if reason is None and not (isinstance(response, HtmlResponse) and media_type in HTML):
            reason = "not_html"
        if reason is None and not self.outlet.is_article(response.url):  # led to the front page, or to a login
            reason = "not_article"
        if reason is None:
            return FetchedPage(address, response.url, response.body, content_type, wanted)
        self.tally.fail(address, reason)
        return None

    def note_failure(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        self.tally.fail(request.meta["asked"], failure_reason(failure.value or Exception()))

    def note_error(self, failure: Failure, response: Response, spider: scrapy.Spider) -> None:
        """A page that our own code cannot read is a row too, and Scrapy has logged the traceback. A full disk is no row."""
        self._note_fault(response.meta["asked"], failure.value)

    def note_kept(self, item: FetchedPage) -> None:
        self.tally.settle(item.asked)

    def note_settled(self, item: FetchedPage, exception: Settled) -> None:
        if exception.outcome.reason == REASON:
            self._forget(item.asked)
        else:
            self.tally.settle(item.asked, exception.outcome)

    def _forget(self, address: str) -> None:
        """Counts the page under a name that does not tell which it was."""
        self.tally.hide(address, self.errand.forgotten.hidden(self._canonical(address)))

    def note_item_error(self, item: FetchedPage, failure: Failure) -> None:
        self._note_fault(item.asked, failure.value)

    def _note_fault(self, address: str, error: BaseException | None) -> None:
        if isinstance(error, OSError):
            self.tally.broken = error
        self.tally.fail(address, "unreadable")

    def _chosen(self) -> Iterator[tuple[str, Wanted]]:
        """When the listings are in: of each page's twins the shortest https address, if none was asked for yet."""
        kept = {
            self._canonical(url): KeptEarlier(shelf, url) for shelf in reversed(self.errand.earlier) for url in shelf.urls()
        }
        for canonical in sorted(self.twins.keys() | kept):
            earlier = kept.get(canonical)
            twins = self.twins.pop(canonical, None) or ({earlier.url: False} if earlier else {})
            url = min(twins, key=lambda url: (url.startswith("http:"), len(url), url))
            if not twins.keys().isdisjoint(self.tally.asked) or not self.tally.ask(url):
                continue
            if self.errand.forgotten.has_url(url, self.outlet.url_rules):
                self._forget(url)
            else:
                yield url, Wanted(any(twins.values()), earlier)

    def _note(self, listed: Listed) -> None:
        twins = self.twins.setdefault(self._canonical(listed.url), {})
        twins[listed.url] = self.date in listed.days or twins.get(listed.url, False)

    def _canonical(self, url: str) -> str:
        return canonical_url(url, self.outlet.url_rules)

    def _further(self, listing: Listing, entry: Entry, page: int, depth: int) -> Iterator[Request]:
        """Sitemaps of an index, and the page on which the listing goes on."""
        further = [(child.url, 1, depth + 1) for child in listing.children if depth < DEEPEST_SITEMAP]
        if listing.next:
            further.append((listing.next, page + 1, depth))
        for url, number, level in further:
            if self.outlet.owns(url) and (request := self._listing_request(url, entry, number, level)):
                yield request

    def _listing_request(self, url: str, entry: Entry, page: int, depth: int) -> Request | None:
        if not self.tally.ask(url, listing=True):
            return None
        request = self._request(url, self.read_listing, {"entry": entry, "page": page, "depth": depth})
        request.meta["download_maxsize"] = MOST_BYTES
        return request

    def _page_request(self, url: str, wanted: Wanted) -> Request:
        request = self._request(url, self.read_page, {"wanted": wanted})
        request.priority = 1  # before listings that nobody waits for any longer
        if wanted.earlier is not None:
            request.headers["Cache-Control"] = "max-age=0"  # what we know of it is what is in question
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
