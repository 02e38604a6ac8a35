"""Crawling outlets for one day with Scrapy, inside whatever event loop the caller runs."""

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import chain, islice

import polars as pl
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from twisted.python.failure import Failure

from dragon_pipeline.adapters.web.extraction import Page
from dragon_pipeline.adapters.web.forgotten_pages import forget_answers
from dragon_pipeline.adapters.web.journal import Journal
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.page_archive import PageArchive, Shelf
from dragon_pipeline.adapters.web.pipelines import read
from dragon_pipeline.adapters.web.readers import Share, Unreadable, shared
from dragon_pipeline.adapters.web.scrapy_settings import scrapy_settings
from dragon_pipeline.adapters.web.spider import Errand, OutletSpider
from dragon_pipeline.adapters.web.tally import Outcome, Refused, Tally
from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.settings import NewsroomSettings

logger = logging.getLogger(__name__)

GRACE = 5.0
"""seconds that a crawl which is out of time gets to close by itself"""
ROWS_AT_ONCE = 200
"""held as Python's objects, which take many times the room of a table's"""
LIVE = timedelta(days=1)
"""A crawl of a day no older than this shows the day's own feeds, and what has become of the day before."""


@dataclass(frozen=True)
class Crawled:
    """What one outlet gave; its rows are on disk."""

    outlet: Outlet
    shelf: Shelf
    outcomes: dict[str, Outcome]
    """address → what became of it, for all that did not give an article"""
    stats: dict[str, int | float] = field(default_factory=dict)
    """what Scrapy counted"""
    earlier: tuple[Shelf, ...] = ()
    """of the days before whose pages were asked for again"""

    def table(self) -> pl.DataFrame:
        """`crawl`: every content ever kept of that day, and what this crawl failed to get or left out."""
        rows = chain(self._kept(), self._others())
        parts = [CRAWL.frame(part) for part in iter(lambda: list(islice(rows, ROWS_AT_ONCE)), [])]
        return CRAWL.check(pl.concat(parts, rechunk=False).sort(CRAWL.key).rechunk()) if parts else CRAWL.empty()

    def _kept(self) -> Iterator[dict]:
        for url, fetch, reading in self.shelf.readings(self.outlet.digest):
            columns = Page().columns() if reading is None else reading.columns
            outcome = Outcome("failed", "unreadable") if reading is None else Outcome("ok")
            yield self._row(url, outcome, columns) | {"fetch": fetch, "raw_hash": self.shelf.raw_hash(url, fetch)}

    def _others(self) -> Iterator[dict]:
        """One row for every address. A page that the web has lost since, but the shelf holds, has not failed."""
        kept, nothing = self.shelf.urls(), Page().columns()
        for url, outcome in self.outcomes.items():
            if url not in kept:
                yield self._row(url, outcome, nothing | {"canonical": self._stated(url)})

    def _stated(self, url: str) -> str | None:
        """What a page that is gone or unchanged said of its address when it was last read: the ledger knows it by that."""
        latest = ((shelf, fetch) for shelf in self.earlier if (fetch := shelf.latest(url)) is not None)
        found = (shelf.reading(url, fetch, self.outlet.digest) for shelf, fetch in latest)
        return next((reading.columns["canonical"] for reading in found if reading), None)

    def _row(self, url: str, outcome: Outcome, columns: dict[str, str | None]) -> dict:
        where = {"url": url, "outlet": self.outlet.name, "fetch": 0, "raw_hash": None}
        return {**columns, **where, "status": outcome.status, "reason": outcome.reason}


async def crawl(
    outlets: Sequence[Outlet], day: date, settings: NewsroomSettings, archive: PageArchive, today: date
) -> dict[str, Crawled]:
    """What each outlet gave for the day, by name.

    All outlets are crawled at the same time. One that cannot be reached, or is not done within
    `settings.seconds_per_outlet`, still gives its table, with a failed row for every address it owes. A crawl that was
    killed goes on where it was; a finished one is made anew.

    `today`: in Moscow.
    """
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)  # an unreachable host is a row
    runner = AsyncCrawlerRunner(scrapy_settings(settings, archive.http_cache))
    live = settings.gateway_shows_days or timedelta() <= today - day <= LIVE
    plan = _Plan(runner, settings, archive, day, today, live)
    crawls = await asyncio.gather(*(_crawl_outlet(plan, outlet) for outlet in outlets), return_exceptions=True)
    for crawled in crawls:
        if isinstance(crawled, BaseException):
            raise crawled
    return {crawled.outlet.name: crawled for crawled in crawls if isinstance(crawled, Crawled)}


@dataclass(frozen=True)
class _Plan:
    """What the outlets' crawls have in common."""

    runner: AsyncCrawlerRunner
    settings: NewsroomSettings
    archive: PageArchive
    day: date
    today: date
    live: bool

    def seen(self, on: date) -> date:
        """The day that a page fetched on some day shows."""
        return self.day if self.settings.gateway_shows_days else on

    async def errand(self, outlet: Outlet, shelf: Shelf, tally: Tally) -> Errand:
        deadline = asyncio.get_running_loop().time() + self.settings.seconds_per_outlet
        back = self.settings.revisit_days if self.live else 0
        return Errand(
            outlet=outlet,
            day=self.day,
            live=self.live,
            seen=self.seen(self.today),
            gateway=self.settings.gateway,
            tells_day=self.settings.gateway_shows_days,
            ca_file=self.settings.ca_file,
            deadline=deadline,
            shelf=shelf,
            earlier=await asyncio.to_thread(self.archive.earlier, outlet.name, self.day, back),
            tally=tally,
            readers=Share(shared()),
            forgotten=self.archive.forgotten,
        )


async def _crawl_outlet(plan: _Plan, outlet: Outlet) -> Crawled:
    shelf = await asyncio.to_thread(plan.archive.shelf, outlet.name, plan.day)
    journal = Journal(shelf.folder, f"{outlet.digest} {'live' if plan.live else 'past'}")
    tally = Tally(note=journal.note)
    tally.resume(journal.settled)
    crawler = plan.runner.create_crawler(OutletSpider)
    errand = await plan.errand(outlet, shelf, tally)
    began, archive = time.time(), plan.archive
    await _run(plan, crawler, errand)
    if archive.forgotten and archive.http_cache:
        await asyncio.to_thread(forget_answers, archive.http_cache / outlet.name, began, archive.forgotten)
    if tally.broken is not None:
        raise tally.broken
    tally.give_up("no_connection")
    await _read_again(plan, outlet, shelf)
    journal.close()
    return Crawled(outlet, shelf, tally.outcomes, _stats(crawler, tally), errand.earlier)


async def _run(plan: _Plan, crawler: Crawler, errand: Errand) -> None:
    task = asyncio.ensure_future(plan.runner.crawl(crawler, errand=errand))
    done: set[asyncio.Task[None]] = set()
    try:
        done, _ = await asyncio.wait({task}, timeout=plan.settings.seconds_per_outlet)
        if not done:
            logger.warning("%s: stopped with %s addresses open", errand.outlet.name, len(errand.tally.open))
            errand.tally.give_up("timeout")
    finally:  # out of time, or we are being cancelled: then the journal tells the next crawl where to go on
        if not done:
            await stop(crawler, task)
    if done:
        await task


async def stop(crawler: Crawler, task: asyncio.Future[None]) -> None:
    """Ends a crawl whose time is over: by itself when it can, else by force.

    What is on its way ends with the deadline (`middleware.Download`); what waits for its turn is refused here, since
    Scrapy would still keep the delay between such requests.
    """
    stop = asyncio.ensure_future(crawler.stop_async())
    for slot in crawler.engine.downloader.slots.values() if crawler.engine else ():
        slot.close()
        while slot.queue:
            _, waiting = slot.queue.popleft()
            waiting.errback(Failure(Refused("timeout")))
    _, unfinished = await asyncio.wait({task, stop}, timeout=GRACE)
    for future in unfinished:
        future.cancel()
    await asyncio.gather(task, stop, return_exceptions=True)


async def _read_again(plan: _Plan, outlet: Outlet, shelf: Shelf) -> None:
    """Reads what is kept and was not read under this digest."""
    readers = Share(shared())
    for url, fetch, reading in shelf.readings(outlet.digest):
        if reading is None:
            page = shelf.page(url, fetch)
            seen = plan.seen(datetime.fromisoformat(page.fetched_at).astimezone(MOSCOW).date())
            try:
                columns, _ = await read(readers, outlet, page.body, page.content_type, seen)
            except Unreadable:
                continue
            except Exception:  # a fault of ours in one page: its row is `unreadable`, the outlet's day stands
                logger.exception("%s: %s cannot be read", outlet.name, url)
                continue
            shelf.note(url, fetch, outlet.digest, columns)


def _stats(crawler: Crawler, tally: Tally) -> dict[str, int | float]:
    for name, number in tally.counts.items():
        crawler.stats.set_value(f"pages/{name}", number)
    counted = crawler.stats.get_stats().items()
    return {name: value for name, value in sorted(counted) if isinstance(value, int | float)}
