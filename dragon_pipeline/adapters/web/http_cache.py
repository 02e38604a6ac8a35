"""Scrapy's HTTP cache, so that a site is asked only whether what we have is still right."""

import logging
import shutil
import time
from pathlib import Path

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.extensions.httpcache import FilesystemCacheStorage, RFC2616Policy
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.request import fingerprint

from dragon_pipeline.adapters.web.middleware import DAY_HEADER

logger = logging.getLogger(__name__)

AGE = 3 * 24 * 3600
"""seconds for which an answer is kept"""
WHOLE = "whole"
"""the file that is written last"""


class Fingerprinter:
    """Scrapy's, and the day that a gateway is asked to show."""

    def fingerprint(self, request: Request) -> bytes:
        return fingerprint(request, include_headers=[DAY_HEADER])


class Policy(RFC2616Policy):
    """RFC 2616 by the letter: fresh is only what the server said is, for as long as it said, and a stale answer is never
    served, not even when the server fails."""

    def is_cached_response_fresh(self, cachedresponse: Response, request: Request) -> bool:
        stated = b"max-age" in self._parse_cachecontrol(cachedresponse) or b"Expires" in cachedresponse.headers
        if stated:
            return super().is_cached_response_fresh(cachedresponse, request)
        self._set_conditional_validators(request, cachedresponse)
        return False

    def is_cached_response_valid(self, cachedresponse: Response, response: Response, request: Request) -> bool:
        return response.status == 304


class Cache(HttpCacheMiddleware):
    """Scrapy's; a connection that fails is a failure, and not answered from the cache."""

    def process_exception(self, request: Request, exception: Exception) -> None:
        request.meta.pop("cached_response", None)


class Storage(FilesystemCacheStorage):
    """Scrapy's files; an answer that is not whole counts as none, and what is old is removed when a crawl begins."""

    def __init__(self, settings: BaseSettings):
        super().__init__(settings)
        self.expiration_secs = AGE

    def open_spider(self, spider: Spider) -> None:
        super().open_spider(spider)
        for entry in Path(self.cachedir, spider.name).glob("*/*"):
            try:
                if time.time() - entry.stat().st_mtime > AGE:
                    _remove(entry)
            except OSError:
                continue

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:
        entry = Path(self._get_request_path(spider, request))
        if not (entry / WHOLE).exists():
            return None
        try:
            return super().retrieve_response(spider, request)
        except Exception as error:  # whatever the disk made of a pickle
            logger.warning("%s: the cached answer is broken and not used: %r", entry, error)
            _remove(entry)
            return None

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:
        entry = Path(self._get_request_path(spider, request))
        _remove(entry)
        try:
            super().store_response(spider, request, response)
            (entry / WHOLE).touch()
        except OSError as error:
            _remove(entry)
            logger.warning("%s: the answer is not cached: %s", entry, error)


def _remove(entry: Path) -> None:
    (entry / WHOLE).unlink(missing_ok=True)
    shutil.rmtree(entry, ignore_errors=True)
