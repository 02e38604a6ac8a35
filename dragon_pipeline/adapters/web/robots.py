"""robots.txt as RFC 9309 has it, where Scrapy's own part is laxer."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
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


class Robots(RobotsTxtMiddleware):
    """Scrapy's part; besides, a host whose robots.txt answers 5xx or not at all is not asked for anything (2.3.1.4), and
    the body of a 4xx is no robots.txt (2.3.1.3)."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self._unreachable: dict[str, str] = {}
        """host → why"""

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
