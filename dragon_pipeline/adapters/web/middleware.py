"""The one way out: every request of a crawl passes here, robots.txt and redirects included."""

import asyncio
import ipaddress
from typing import ClassVar, Protocol, Self

from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Response

from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.tally import Refused

DAY_HEADER = "X-Newsroom-Day"


class OutletCrawl(Protocol):
    outlet: Outlet
    day: str
    gateway: str | None
    deadline: float
    """when the outlet's time is over, in the event loop's time"""
    ca_file: str | None


class Gateway:
    """Asks the outlet's own hosts only, through the gateway when there is one, telling it the day.

    Without a gateway an answer from a private address is thrown away: a name that points into the local network is an
    attack or a mistake.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        crawl: OutletCrawl = self.crawler.spider  # type: ignore[assignment]
        if not crawl.outlet.owns(request.url):
            raise Refused("other_host")
        if crawl.gateway:
            request.meta["proxy"] = crawl.gateway
            request.headers[DAY_HEADER] = crawl.day

    def process_response(self, request: Request, response: Response) -> Response:
        crawl: OutletCrawl = self.crawler.spider  # type: ignore[assignment]
        address = response.ip_address
        if not crawl.gateway and address is not None and not ipaddress.ip_address(str(address)).is_global:
            raise Refused("private_address")
        return response


class Download(AiohttpDownloadHandler):
    """Scrapy's own download handler for crawls without a reactor, with no request outliving the outlet's time."""

    experimental: ClassVar[bool] = False
    """Scrapy calls it experimental with every crawl; our tests over real HTTP are the answer."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        crawl: OutletCrawl = crawler.spider  # type: ignore[assignment]
        if crawl.ca_file:
            self._ssl_context.load_verify_locations(crawl.ca_file)

    async def download_request(self, request: Request) -> Response:
        crawl: OutletCrawl = self.crawler.spider  # type: ignore[assignment]
        left = crawl.deadline - asyncio.get_running_loop().time()
        if left <= 0:
            raise Refused("timeout")
        request.meta["download_timeout"] = min(request.meta["download_timeout"], left)
        return await super().download_request(request)
