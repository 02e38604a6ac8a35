"""Trying outlets live: each entry, and the newest article, by Scrapy's contracts of the callbacks that read them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from unittest import TestCase, TestResult
from urllib.parse import urljoin

import scrapy
from scrapy import Request
from scrapy.contracts import Contract, ContractsManager
from scrapy.contracts.default import ReturnsContract, ScrapesContract
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Response
from twisted.python.failure import Failure

from dragon_pipeline.adapters.web.engine import stop
from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.extraction import extract_page
from dragon_pipeline.adapters.web.listings import MOST_BYTES, Listing, NoListing, read_listing
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.readers import Unreadable, shared
from dragon_pipeline.adapters.web.scrapy_settings import scrapy_settings
from dragon_pipeline.adapters.web.tally import failure_reason, status_reason
from dragon_pipeline.core.settings import NewsroomSettings

LONGEST = 120
"""seconds for one outlet"""
ARTICLES = 3
"""newest articles that are tried until one has a text"""
DEEPEST = 4


@dataclass
class Trial:
    """One address of an outlet, and what came of it."""

    outlet: str
    part: str
    """`robots`, `feed`, `sitemap`, `archive`, `page` (of links) or `article`"""
    url: str
    answer: str = "no answer in time"
    well: bool = False
    seconds: float | None = None
    """until the answer began, of the last request that was made for it"""
    results: "Results" = field(default_factory=lambda: Results())
    tried: asyncio.Event = field(default_factory=asyncio.Event)

    def judge(self) -> None:
        """When its contracts were held to it."""
        self.well = self.results.wasSuccessful()
        if self.results.fault:
            self.answer = self.results.fault
        self.tried.set()


class Results(TestResult):
    """Of a trial's contracts; remembers in one word what else went wrong."""

    fault: str | None = None

    def addError(self, test: TestCase, err: Any) -> None:
        super().addError(test, err)
        error = err[1]
        said = isinstance(error, Unwell | NoListing | Unreadable)
        self.fault = str(error) if said else failure_reason(error)


class Unwell(Exception):
    """The answer's status is none of a page."""


class Address(Contract):
    """`@address`: the trial's own, which no docstring can know."""

    name = "address"

    def __init__(self, method: Callable[..., Any], *args: Any):
        super().__init__(method, *args)
        self.trial: Trial = method.__self__.trial  # type: ignore[attr-defined]

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        meta = {"dont_obey_robotstxt": self.trial.part == "robots", "download_maxsize": MOST_BYTES}
        return {**args, "url": self.trial.url, "cb_kwargs": {"trial": self.trial}, "meta": meta}


class Examiner(scrapy.Spider):
    """Tries one outlet."""

    def __init__(self, outlet: Outlet, day: date, settings: NewsroomSettings, trials: list[Trial]):
        super().__init__(name=outlet.name)
        self.outlet, self.date, self.day = outlet, day, day.isoformat()
        self.gateway, self.tells_day, self.ca_file = settings.gateway, settings.gateway_shows_days, settings.ca_file
        self.deadline = asyncio.get_running_loop().time() + min(LONGEST, settings.seconds_per_outlet)
        self.manager = ContractsManager([Address, ReturnsContract, ScrapesContract])
        self.trials = trials
        self.trial = Trial(outlet.name, "", "")
        """the one whose request is being made"""
        self.entries: dict[str, Entry] = {}
        self.articles: dict[str, frozenset[date]] = {}
        """address → days that a listing names for it"""

    async def start(self) -> AsyncIterator[Request]:
        self.entries = {entry.address(self.date): entry for entry in self.outlet.entries}
        for url in sorted({urljoin(url, "/robots.txt") for url in self.entries}):
            yield self._request("robots", url, self.read_robots)
        for url, entry in self.entries.items():
            yield self._request(entry.kind, url, self.list_articles)
        await self._all_tried()
        for url in self._newest():
            yield self._request("article", url, self.read_article)
            await self._all_tried()
            if self.trials[-1].well:
                break
        for failed in [trial for trial in self.trials if trial.part == "article"][:-1]:
            self.trials.remove(failed)

    async def read_robots(self, response: Response, trial: Trial) -> None:
        """What a host has to say to us; whether it lets us in, its entries show.

        @address
        """
        if response.status < 400 or response.status >= 500:
            self._answered(trial, response)
        rules = sum(
            line.strip().lower().startswith("disallow:") for line in response.body.decode("utf-8", "replace").splitlines()
        )
        trial.answer = f"{rules} rules" if response.status < 400 else f"none (http_{response.status})"

    async def list_articles(self, response: Response, trial: Trial) -> list[dict]:
        """The articles that an entry, or the newest sitemap of its index, lists.

        @address
        @returns items 1
        """
        listing = await self._listing(response, trial)
        for _ in range(DEEPEST):
            if listing.pages or not listing.children:
                break
            newest = max(listing.children, key=lambda child: (max(child.days, default=date.min), child.url))
            request = Request(newest.url, meta={"download_maxsize": MOST_BYTES}, dont_filter=True)
            listing = await self._listing(await self.crawler.engine.download_async(request), trial)  # type: ignore[union-attr]
        found = [listed for listed in listing.pages if self.outlet.is_article(listed.url)]
        for listed in found:
            self.articles[listed.url] = self.articles.get(listed.url, frozenset()) | listed.days
        days = {day for listed in found for day in listed.days}
        newest_day = f", the newest of {max(days)}" if days else ""
        trial.answer = f"{len(found)} articles{newest_day}" if found else f"none of {len(listing.pages)} links is an article"
        return [{"url": listed.url} for listed in found]

    async def read_article(self, response: Response, trial: Trial) -> list[dict]:
        """What an article's page says, without what it does not.

        @address
        @scrapes title text
        """
        self._answered(trial, response)
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        started = time.perf_counter()
        page = await asyncio.wrap_future(shared().read(extract_page, self.outlet, response.body, content_type, self.date))
        took = time.perf_counter() - started
        said = {name: value for name, value in page.columns().items() if value and name != "extractor"}
        missing = [name for name in ("title", "text", "lead", "author", "section", "published_at") if name not in said]
        length = f"{len(page.text or '')} characters by {page.extractor}, read in {1000 * took:.0f} ms"
        trial.answer = "; ".join(filter(None, [page.refusal, length, "without " + ", ".join(missing) if missing else ""]))
        return [{} if page.refusal else said]

    async def _listing(self, response: Response, trial: Trial) -> Listing:
        self._answered(trial, response)
        bare = Response(response.url, headers=response.headers, body=response.body)
        return await asyncio.wrap_future(shared().read(read_listing, self.entries[trial.url], bare, self.date))

    def _answered(self, trial: Trial, response: Response) -> None:
        trial.seconds = response.meta.get("download_latency")
        if reason := status_reason(response.status):
            raise Unwell(reason)

    def _newest(self) -> list[str]:
        def age(url: str) -> tuple[date, date]:
            return max(self.articles[url], default=date.min), self.outlet.url_day(url) or date.min

        return sorted(self.articles, key=age, reverse=True)[:ARTICLES]

    def _request(self, part: str, url: str, callback: Callable[..., Any]) -> Request:
        self.trial = trial = Trial(self.outlet.name, part, url)
        self.trials.append(trial)
        request = self.manager.from_method(callback, trial.results)
        assert request is not None, "the callback has its contracts"
        kept = request.callback
        assert kept is not None, "a request of a contract has a callback"

        async def judged(response: Response, trial: Trial) -> None:
            await kept(response, trial=trial)
            trial.judge()

        def lost(failure: Failure) -> None:
            trial.results.addError(TestCase(), (type(failure.value), failure.value, None))
            trial.judge()

        request.callback, request.errback = judged, lost
        return request

    async def _all_tried(self) -> None:
        await asyncio.gather(*(trial.tried.wait() for trial in self.trials))


async def examine(outlets: Sequence[Outlet], settings: NewsroomSettings, day: date) -> list[Trial]:
    """Tries all outlets at once; `day`: the one whose dated archives and sitemaps are asked for."""
    runner = AsyncCrawlerRunner(scrapy_settings(settings) | {"ITEM_PIPELINES": {}})
    tried = await asyncio.gather(*(_examine(runner, outlet, settings, day) for outlet in outlets))
    return [trial for trials in tried for trial in trials]


async def _examine(runner: AsyncCrawlerRunner, outlet: Outlet, settings: NewsroomSettings, day: date) -> list[Trial]:
    crawler, trials = runner.create_crawler(Examiner), []
    task = asyncio.ensure_future(runner.crawl(crawler, outlet=outlet, day=day, settings=settings, trials=trials))
    done, _ = await asyncio.wait({task}, timeout=min(LONGEST, settings.seconds_per_outlet))
    if done:
        await task
    else:
        await stop(crawler, task)
    return trials
