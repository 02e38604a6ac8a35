"""The one way out: every request of a crawl passes here, robots.txt and redirects included."""

import asyncio
from typing import ClassVar, Protocol, Self

from aiohttp import ClientConnectorCertificateError, ClientConnectorError, TCPConnector
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.http import Response

from dragon_pipeline.adapters.web.addresses import PrivateAddress, public_socket
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.tally import Refused

DAY_HEADER = "X-Newsroom-Day"


class OutletCrawl(Protocol):
    outlet: Outlet
    day: str
    gateway: str | None
    tells_day: bool
    deadline: float
    """when the outlet's time is over, in the event loop's time"""
    ca_file: str | None


class Gateway:
    """Asks the outlet's own hosts only, through the gateway when there is one, telling it the day if it shows days: any other
    proxy would pass that on to the outlet."""

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
            if crawl.tells_day:
                request.headers[DAY_HEADER] = crawl.day


class Download(AiohttpDownloadHandler):
    """Scrapy's own download handler for crawls without a reactor. Besides: no request outlives the outlet's time, and
    without a gateway no connection is made to a private address, robots.txt and redirects included. A name that points
    into the local network is an attack or a mistake."""

    experimental: ClassVar[bool] = False
    """Scrapy calls it experimental with every crawl; our tests over real HTTP are the answer."""

    lazy: ClassVar[bool] = True
    """made with the first request of its scheme: the authorities that TLS trusts take their time to be loaded"""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        crawl: OutletCrawl = crawler.spider  # type: ignore[assignment]
        if crawl.ca_file:
            self._ssl_context.load_verify_locations(crawl.ca_file)
        if not crawl.gateway:
            connector: TCPConnector = self._session.connector  # type: ignore[assignment]
            connector._socket_factory = public_socket

    async def download_request(self, request: Request) -> Response:
        crawl: OutletCrawl = self.crawler.spider  # type: ignore[assignment]
        left = crawl.deadline - asyncio.get_running_loop().time()
        if left <= 0:
            raise Refused("timeout")
        request.meta["download_timeout"] = min(request.meta["download_timeout"], left)
        try:
            return await super().download_request(request)
        except DownloadConnectionRefusedError as error:
            if reason := _reason(error.__cause__):
                raise Refused(reason) from error
            raise


def _reason(cause: BaseException | None) -> str | None:
    """Why no connection was made, where the table has a word for it."""
    if isinstance(cause, ClientConnectorCertificateError):
        return "bad_certificate"
    refused = isinstance(cause, ClientConnectorError) and PrivateAddress.words in str(cause.os_error)
    return "private_address" if refused else None
