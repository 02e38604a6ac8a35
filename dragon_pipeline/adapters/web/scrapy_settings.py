"""How Scrapy is set up: its own parts for everything it has."""

import ssl
from pathlib import Path
from typing import Any

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import NewsroomSettings

MOST_PAGE_BYTES = 5_000_000
LONGEST_REQUEST = 30
"""seconds"""
LONGEST_DELAY = 10
"""seconds to which AutoThrottle may go, unless `newsroom.delay` is longer"""
CONCURRENT = 2
"""requests to one outlet at a time"""
MOST_REDIRECTS = 5
"""in a row, as RFC 9309 has it for robots.txt"""
OURS = "dragon_pipeline.adapters.web"
PIPELINES = ("Extraction", "OfTheDay", "Archiving")


def scrapy_settings(settings: NewsroomSettings, http_cache: Path | None = None) -> dict[str, Any]:
    """`http_cache`: the folder of what was answered lately; without one every answer is asked for anew.

    Raises:
        BadInput: `newsroom.ca_file` cannot be used.
    """
    _check_authority(settings.ca_file)
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "USER_AGENT": user_agent(settings),
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": settings.user_agent.partition("/")[0],
        "DOWNLOAD_DELAY": settings.delay,
        "AUTOTHROTTLE_ENABLED": settings.delay > 0,
        "AUTOTHROTTLE_START_DELAY": settings.delay,
        "AUTOTHROTTLE_MAX_DELAY": max(LONGEST_DELAY, settings.delay),
        "EXTENSIONS": {"scrapy.extensions.throttle.AutoThrottle": None, f"{OURS}.robots.Throttle": 0},
        "CONCURRENT_REQUESTS": CONCURRENT,
        "DOWNLOAD_TIMEOUT": min(LONGEST_REQUEST, settings.seconds_per_outlet),
        "DOWNLOAD_MAXSIZE": MOST_PAGE_BYTES,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), f"{OURS}.middleware.Download")
        | dict.fromkeys(("file", "data", "ftp", "s3")),
        "DOWNLOADER_MIDDLEWARES": {
            f"{OURS}.middleware.Gateway": 50,
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            f"{OURS}.robots.Robots": 100,
            "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
            f"{OURS}.http_cache.Cache": 900,
        },
        "HTTPCACHE_ENABLED": http_cache is not None,
        "HTTPCACHE_DIR": str(http_cache),
        "HTTPCACHE_POLICY": f"{OURS}.http_cache.Policy",
        "HTTPCACHE_STORAGE": f"{OURS}.http_cache.Storage",
        "REQUEST_FINGERPRINTER_CLASS": f"{OURS}.http_cache.Fingerprinter",
        "ITEM_PIPELINES": {f"{OURS}.pipelines.{name}": order for order, name in enumerate(PIPELINES)},
        "CONCURRENT_ITEMS": 1,  # a response gives one item; more would start that many tasks for each
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 100_000,  # bytes waiting to be read; beyond it nothing is fetched
        "DEFAULT_DROPITEM_LOG_LEVEL": "DEBUG",
        "HTTPERROR_ALLOW_ALL": True,
        "RETRY_GIVE_UP_LOG_LEVEL": "INFO",
        "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
        "METAREFRESH_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,  # a port of its own for every crawl
        "COOKIES_ENABLED": False,
        "HTTPPROXY_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }


def _check_authority(ca_file: str | None) -> None:
    if ca_file is None:
        return
    try:
        ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise BadInput(f"newsroom.ca_file: {ca_file} holds no certificate authority in PEM ({error})") from error


def user_agent(settings: NewsroomSettings) -> str:
    """Who asks, and whom to write to."""
    agent = settings.user_agent
    if settings.contact:
        agent = agent.replace("set newsroom.contact", settings.contact)
        agent = agent if settings.contact in agent else f"{agent} ({settings.contact})"
    return agent
