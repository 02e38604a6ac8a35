"""Asking the Hub again: what passes, how long to wait before the next time, and when to give up."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from huggingface_hub.errors import (
    HfHubHTTPError,
    HTTPError,  # pyright: ignore[reportPrivateImportUsage] (its HTTP library's own)
)
from huggingface_hub.utils import parse_ratelimit_headers
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_before_delay, wait_exponential_jitter

NoAnswer = HTTPError
"""what sending a request raises when no answer comes"""
BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses that pass. 409 on a commit says that another one is being made at this moment (one whose parent is not the newest is
refused with 412); a 500 may hide a commit that was made."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""seconds, where the Hub does not say how long"""
RATES = 300.0
"""seconds of the windows in which the Hub counts requests: no wait that it asks for need be longer"""

T = TypeVar("T")
log = logging.getLogger(__name__)
_backoff = wait_exponential_jitter(multiplier=FIRST_WAIT, max=LONGEST_WAIT, jitter=FIRST_WAIT)


def ask(question: Callable[[], T], patience: float, passes: Callable[[BaseException], bool]) -> T:
    """The answer to a question that is asked again while its failure passes, for at most so many seconds.

    Raises:
        Exception: the last failure.
    """
    attempts = Retrying(
        retry=retry_if_exception(passes),
        wait=_wait,
        stop=stop_before_delay(patience),
        before_sleep=_tell,
        reraise=True,
    )
    return attempts(question)


def is_busy(error: BaseException) -> bool:
    """Whether it may go well the next time: the Hub is busy, or gave no answer."""
    error = root(error)
    if isinstance(error, HfHubHTTPError):
        return error.response.status_code in BUSY
    return isinstance(error, NoAnswer)


def root(error: BaseException) -> BaseException:
    """What huggingface_hub wraps into a RuntimeError when a file cannot be uploaded."""
    return error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error


def status(error: BaseException) -> int | None:
    """The status that the Hub answered with, if it did."""
    error = root(error)
    return error.response.status_code if isinstance(error, HfHubHTTPError) else None


def asked_for(error: BaseException, now: datetime) -> float | None:
    """Seconds that the Hub asks to wait, by `Retry-After` (seconds or a date) or `RateLimit`."""
    error = root(error)
    if not isinstance(error, HfHubHTTPError):
        return None
    told = error.response.headers.get("retry-after", "").strip()
    if told.isdecimal():
        return float(told)
    try:
        return max(0.0, (parsedate_to_datetime(told) - now).total_seconds())
    except (ValueError, TypeError):  # none, or no date with a zone
        rate = parse_ratelimit_headers(error.response.headers)
        return min(float(rate.reset_in_seconds), RATES) if rate and not rate.remaining else None


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = asked_for(error, datetime.now(UTC)) if error else None
    return _backoff(state) if asked is None else asked


def _tell(state: RetryCallState) -> None:
    error = root(failure) if state.outcome and (failure := state.outcome.exception()) else None
    answered = status(error) if error else None
    how = f"is busy ({answered})" if answered else f"gives no answer ({error or type(error).__name__})"
    log.warning("the hub %s; asked again in %.0f s", how, state.upcoming_sleep)
