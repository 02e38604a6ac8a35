"""What became of every address of one outlet's crawl. It outlives a crawl that is cut short."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    DropItem,
    IgnoreRequest,
    ResponseDataLossError,
)

from dragon_pipeline.core.corpus.forgotten import REASON

NO_CONNECTION = (CannotResolveHostError, DownloadConnectionRefusedError, DownloadFailedError, ResponseDataLossError)


@dataclass(frozen=True)
class Outcome:
    status: str
    """`ok`, `failed` or `left_out`"""
    reason: str | None = None


OK = Outcome("ok")


class Refused(IgnoreRequest):
    """We do not ask for this; `reason` goes into the table."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


class Settled(DropItem):
    """A page that does not go on to the archive."""

    def __init__(self, status: Literal["failed", "left_out"], reason: str):
        super().__init__(f"{status}: {reason}")
        self.outcome = Outcome(status, reason)


@dataclass
class Tally:
    note: Callable[[str, Outcome], None] = lambda url, outcome: None
    """hears of every page that is settled"""
    asked: set[str] = field(default_factory=set)
    """every address that was asked for, listings included"""
    open: set[str] = field(default_factory=set)
    """those without an answer yet"""
    listings: set[str] = field(default_factory=set)
    """open ones that are listings"""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """address → what became of it, for all that did not give an article"""
    counts: dict[str, int] = field(default_factory=dict)
    """addresses by outcome"""
    broken: OSError | None = None
    """our own disk's fault, which no row may hide"""
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    def resume(self, settled: Mapping[str, Outcome]) -> None:
        """Takes over what a crawl that was cut short has settled."""
        for url, outcome in settled.items():
            self.asked.add(url)
            self._count(url, outcome)

    def ask(self, url: str, listing: bool = False) -> bool:
        """Whether it is to be asked now; False when it already was."""
        if url in self.asked:
            return False
        self.asked.add(url)
        self.open.add(url)
        if listing:
            self.listings.add(url)
        return True

    def settle(self, url: str, outcome: Outcome = OK) -> None:
        """What became of an open address; an answer that comes after `give_up` changes nothing."""
        if url not in self.open:
            return
        self.open.discard(url)
        self._moved.set()
        if url in self.listings:
            self.listings.discard(url)
            if outcome.reason is not None:
                self._count(url, Outcome(outcome.status, f"listing: {outcome.reason}"))
        else:
            self._count(url, outcome)
            self._note(url, outcome)

    def hide(self, url: str, name: str) -> None:
        """Settles an open address that must not be told, under another name; no journal hears of it."""
        self.open.discard(url)
        self._moved.set()
        self._count(name, Outcome("left_out", REASON))

    def fail(self, url: str, reason: str) -> None:
        self.settle(url, Outcome("failed", reason))

    def give_up(self, reason: str) -> None:
        """Fails whatever is still open."""
        for url in sorted(self.open):
            self.fail(url, reason)

    async def moves(self) -> None:
        """Waits until an address is settled."""
        self._moved.clear()
        await self._moved.wait()

    def _note(self, url: str, outcome: Outcome) -> None:
        """What our own disk's fault may have spoilt is not on record as settled."""
        if self.broken is None:
            try:
                self.note(url, outcome)
            except OSError as error:
                self.broken = error

    def _count(self, url: str, outcome: Outcome) -> None:
        name = outcome.status if outcome.reason is None else f"{outcome.status}/{outcome.reason}"
        self.counts[name] = self.counts.get(name, 0) + 1
        if outcome != OK:
            self.outcomes[url] = outcome


def failure_reason(error: BaseException) -> str:
    """The table's word for an error that Scrapy reports for a request."""
    if isinstance(error, Refused):
        return error.reason
    if isinstance(error, IgnoreRequest):
        return _ignored(str(error))
    if isinstance(error, DownloadTimeoutError):
        return "timeout"
    if isinstance(error, DownloadCancelledError):
        return "too_large"
    return "no_connection" if isinstance(error, NO_CONNECTION) else "fetch_error"


def _ignored(message: str) -> str:
    """Scrapy says why in words: robots.txt, a body that unpacks to too much, or too many redirects."""
    if "robots" in message:
        return "robots"
    return "too_large" if "decompress" in message else "redirects"


def status_reason(status: int) -> str | None:
    """Why an answer with this HTTP status is no page; None when it is one."""
    if status >= 500:
        return "http_5xx"
    return None if 200 <= status < 300 else f"http_{status}"
