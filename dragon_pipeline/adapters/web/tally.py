"""What became of every address of one outlet's crawl. It outlives a crawl that is cut short."""

from dataclasses import dataclass, field

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)

from dragon_pipeline.adapters.web.middleware import Refused

NO_CONNECTION = (CannotResolveHostError, DownloadConnectionRefusedError, DownloadFailedError, ResponseDataLossError)


@dataclass
class Tally:
    asked: set[str] = field(default_factory=set)
    """every address that was asked for, listings included"""
    open: set[str] = field(default_factory=set)
    """those without an answer yet"""
    failures: dict[str, str] = field(default_factory=dict)
    """address → reason"""
    broken: OSError | None = None
    """our own disk's fault, which no row may hide"""

    def ask(self, url: str) -> bool:
        """Whether it is to be asked now; False when it already was."""
        if url in self.asked:
            return False
        self.asked.add(url)
        self.open.add(url)
        return True

    def settle(self, url: str, reason: str | None = None) -> None:
        """What became of an open address; an answer that comes after `give_up` changes nothing."""
        if url in self.open and reason is not None:
            self.failures[url] = reason
        self.open.discard(url)

    def give_up(self, reason: str) -> None:
        """Fails whatever is still open."""
        self.failures.update(dict.fromkeys(self.open, reason))
        self.open.clear()


def failure_reason(error: BaseException) -> str:
    """The table's word for an error that Scrapy reports for a request."""
    if isinstance(error, Refused):
        return error.reason
    if isinstance(error, IgnoreRequest):
        return "robots" if "robots" in str(error) else "redirects"
    if isinstance(error, DownloadTimeoutError):
        return "timeout"
    if isinstance(error, DownloadCancelledError):
        return "too_large"
    return "no_connection" if isinstance(error, NO_CONNECTION) else "fetch_error"


def status_reason(status: int) -> str | None:
    """Why an answer with this HTTP status is no page; None when it is one."""
    if status >= 500:
        return "http_5xx"
    return None if 200 <= status < 300 else f"http_{status}"
