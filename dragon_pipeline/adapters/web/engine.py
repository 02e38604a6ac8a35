"""Crawling outlets for one day with Scrapy, inside whatever event loop the caller runs."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import date
from typing import Any

import polars as pl
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from twisted.python.failure import Failure

from dragon_pipeline.adapters.web.extraction import Page, extract_page
from dragon_pipeline.adapters.web.middleware import Refused
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.page_archive import PageArchive, Shelf
from dragon_pipeline.adapters.web.spider import Errand, OutletSpider
from dragon_pipeline.adapters.web.tally import Tally
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.settings import NewsroomSettings

logger = logging.getLogger(__name__)

MOST_PAGE_BYTES = 5_000_000
LONGEST_REQUEST = 30
"""seconds"""
GRACE = 5.0
"""seconds that a crawl which is out of time gets to close by itself"""


async def crawl(
    outlets: Sequence[Outlet], day: date, settings: NewsroomSettings, archive: PageArchive
) -> dict[str, pl.DataFrame]:
    """`crawl` tables by outlet: every content ever kept of that day, and this crawl's failures.

    All outlets are crawled at the same time. One that cannot be reached, or is not done within
    `settings.seconds_per_outlet`, still gives its table, with a failed row for every address it owes.
    """
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)  # an unreachable host is a row
    runner = AsyncCrawlerRunner(scrapy_settings(settings))
    crawls = [_crawl_outlet(runner, outlet, day, settings, archive.shelf(outlet.name, day)) for outlet in outlets]
    tables = await asyncio.gather(*crawls, return_exceptions=True)
    for table in tables:
        if isinstance(table, BaseException):
            raise table
    return {outlet.name: table for outlet, table in zip(outlets, tables, strict=True) if isinstance(table, pl.DataFrame)}


def scrapy_settings(settings: NewsroomSettings) -> dict[str, Any]:
    product = settings.user_agent.partition("/")[0]
    agent = settings.user_agent
    if settings.contact:
        agent = agent.replace("set newsroom.contact", settings.contact)
        agent = agent if settings.contact in agent else f"{agent} ({settings.contact})"
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "USER_AGENT": agent,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": product,
        "DOWNLOAD_DELAY": settings.delay,
        "DOWNLOAD_TIMEOUT": min(LONGEST_REQUEST, settings.seconds_per_outlet),
        "DOWNLOAD_MAXSIZE": MOST_PAGE_BYTES,
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), "dragon_pipeline.adapters.web.middleware.Download")
        | dict.fromkeys(("file", "data", "ftp", "s3")),
        "DOWNLOADER_MIDDLEWARES": {"dragon_pipeline.adapters.web.middleware.Gateway": 50},
        "HTTPERROR_ALLOW_ALL": True,
        "RETRY_GIVE_UP_LOG_LEVEL": "INFO",
        "METAREFRESH_ENABLED": False,
        "COOKIES_ENABLED": False,
        "HTTPPROXY_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }


async def _crawl_outlet(
    runner: AsyncCrawlerRunner, outlet: Outlet, day: date, settings: NewsroomSettings, shelf: Shelf
) -> pl.DataFrame:
    tally = Tally()
    deadline = asyncio.get_running_loop().time() + settings.seconds_per_outlet
    crawler = runner.create_crawler(OutletSpider)
    task = asyncio.ensure_future(runner.crawl(crawler, errand=Errand(outlet, day, settings.gateway, deadline, shelf, tally)))
    done: set[asyncio.Task[None]] = set()
    try:
        done, _ = await asyncio.wait({task}, timeout=settings.seconds_per_outlet)
    finally:  # out of time, or we are being cancelled
        if not done:
            logger.warning("%s: stopped with %s addresses open", outlet.name, len(tally.open))
            tally.give_up("timeout")
            await _stop(crawler, task)
    if done:
        await task
    if tally.broken is not None:
        raise tally.broken
    tally.give_up("no_connection")
    kept = await asyncio.to_thread(_kept_rows, outlet, shelf)  # other outlets are still being crawled
    return CRAWL.frame(kept + _failed_rows(outlet, shelf, tally))


async def _stop(crawler: Crawler, task: asyncio.Future[None]) -> None:
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


def _kept_rows(outlet: Outlet, shelf: Shelf) -> list[dict]:
    rows = []
    for kept in shelf.pages():
        page = extract_page(outlet, kept.body, kept.content_type)
        where = {"url": kept.url, "outlet": outlet.name, "fetch": kept.fetch, "raw_hash": kept.raw_hash}
        rows.append({**page.columns(), **where, "status": "ok", "reason": None})
    return rows


def _failed_rows(outlet: Outlet, shelf: Shelf, tally: Tally) -> list[dict]:
    """One row for every address that failed. A page that the web has lost since, but the shelf holds, has not failed."""
    nothing = Page().columns()
    return [
        {**nothing, "url": url, "outlet": outlet.name, "fetch": 0, "status": "failed", "reason": reason, "raw_hash": None}
        for url, reason in tally.failures.items()
        if url not in shelf.urls()
    ]
