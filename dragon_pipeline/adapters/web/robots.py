"""robots.txt as RFC 9309 has it, where Scrapy's own part is laxer."""

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from dragon_pipeline.adapters.web.tally import Refused, failure_reason

UNREACHABLE = "robots_unreachable"
MOST_BYTES = 512_000
"""of robots.txt that are read: RFC 9309 asks for 500 KiB (2.5). It is read, and every address held against it, between all
that the crawls do."""
UNAVAILABLE = ("other_host", "redirects")
"""failures that RFC 9309 counts as there being no robots.txt (2.3.1.2, 2.3.1.3)"""
LONGEST_CRAWL_DELAY = 30.0
"""seconds between two requests for which a robots.txt is heard; with more there would be no day"""


class Robots(RobotsTxtMiddleware):
    """Scrapy's part; besides, a host whose robots.txt answers 5xx or not at all is not asked for anything (2.3.1.4), and
    the body of a 4xx is no robots.txt (2.3.1.3). A Crawl-delay is kept, though the RFC knows none."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self._unreachable: dict[str, str] = {}
        """host → why"""
        crawler.signals.connect(self.slow_down, signals.robots_parsed)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500:
            raise Refused(UNREACHABLE)
        if not 200 <= response.status < 300:
            response = response.replace(body=b"")
        if len(response.body) > MOST_BYTES:  # without the line that was cut
            response = response.replace(body=response.body[:MOST_BYTES].rpartition(b"\n")[0])
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        reason = failure_reason(exc)
        if reason not in UNAVAILABLE:
            self._unreachable[netloc] = reason
        super()._robots_error(exc, netloc)

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        reason = self._unreachable.get(urlparse_cached(request).netloc)
        if reason is not None:
            raise Refused(reason)
        super().process_request_2(rp, request)

    def slow_down(self, robotparser: RobotParser, request: Request) -> None:
        """Keeps the host's Crawl-delay, exactly: half of it, as Scrapy's jitter has it, is not what was asked for."""
        engine = self.crawler.engine
        asked = robotparser.crawl_delay(self._robotstxt_useragent or self._default_useragent)
        if engine is None or not asked or asked <= self.crawler.settings.getfloat("DOWNLOAD_DELAY"):
            return
        key, delay = engine.downloader.get_slot_key(request), min(asked, LONGEST_CRAWL_DELAY)
        engine.downloader.per_slot_settings[key] = {"delay": delay, "jitter": 0.0}
        if slot := engine.downloader.slots.get(key):
            slot.delay, slot.jitter = delay, 0.0


class Throttle(AutoThrottle):
    """Scrapy's; never faster than a host's own Crawl-delay."""

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        super()._response_downloaded(response, request, spider)
        key, slot = self._get_slot(request, spider)
        if key is not None and slot is not None and self.crawler.engine is not None:
            own = self.crawler.engine.downloader.per_slot_settings.get(key, {})
            slot.delay = max(slot.delay, own.get("delay", 0.0))
