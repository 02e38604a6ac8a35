"""Asking again: how often, after which wait, and when a server counts as gone."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, wait_exponential_jitter

from dragon_pipeline.adapters.llm.dialects import Answer
from dragon_pipeline.adapters.llm.transport import Failure
from dragon_pipeline.core.settings import ModelSettings

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
"""seconds; they double from attempt to attempt, with up to half a second of jitter"""


class Outage:
    """Since when one server has given no answer to anybody, and how long it asked to be left alone, over batches."""

    def __init__(self, patience: float):
        self.patience = patience
        self.asked_for = 0.0
        """seconds of waiting, as the server put it last"""
        self._since: float | None = None
        self._answered = float("-inf")
        self._hopeless = False
        self._not_before = 0.0

    def begin(self) -> None:
        """A new batch: failures of one that went on count no more; a server that was given up gets a single chance."""
        if not self._hopeless:
            self._since = None

    def answered(self) -> None:
        self._since, self._hopeless = None, False
        self._answered = time.monotonic()

    def failed(self, started: float) -> bool:
        """True: it has lasted longer than anybody's patience. `started`: when the attempt that failed was sent (monotonic)."""
        if self._since is None:
            self._since = max(started, self._answered)
        self._hopeless = time.monotonic() - self._since >= self.patience
        return self._hopeless

    def leave_alone(self, seconds: float) -> None:
        """The server asks to send nothing for so long."""
        until = time.monotonic() + seconds
        if until > self._not_before:
            self._not_before, self.asked_for = until, seconds

    @property
    def wait(self) -> float:
        """Seconds before anything may be sent; not above 0: none."""
        return self._not_before - time.monotonic()


class Retrying:
    """For one batch: attempts of its requests, which wait together when the server asks to."""

    def __init__(self, settings: ModelSettings, outage: Outage):
        self.gone = asyncio.Event()
        """set when the server was away, or asks to wait, for longer than patience: nothing more is sent"""
        self._why_gone = ""
        self._settings = settings
        self._outage = outage
        outage.begin()
        self._backoff = wait_exponential_jitter(multiplier=FIRST_WAIT, max=LONGEST_WAIT, jitter=FIRST_WAIT)

    async def ask(self, send: Callable[[], Awaitable[Answer]]) -> tuple[Answer, int]:
        """The last answer, and how many attempts came before it."""
        attempts = AsyncRetrying(
            sleep=self._sleep,
            retry=retry_if_result(lambda answer: answer.passing),
            stop=self._stop,
            wait=self._wait,
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else Answer(),
        )
        answer = await attempts(self._attempt, send)
        return answer, attempts.statistics["attempt_number"] - 1

    async def _attempt(self, send: Callable[[], Awaitable[Answer]]) -> Answer:
        self._heed_wait()
        await self._sleep(self._outage.wait)
        started = time.monotonic()
        if self.gone.is_set():
            return Answer(failure=Failure(f"given_up: {self._why_gone}"))
        answer = await send()
        if not answer.passing:
            self._outage.answered()
            return answer
        if self._outage.failed(started):
            self._give_up(f"the server gave no answer for {self._settings.patience:g} s")
        failure = answer.failure
        if failure and failure.wait and (failure.closed or failure.wait <= self._settings.patience):
            self._outage.leave_alone(failure.wait)
            self._heed_wait()
        return answer

    def _heed_wait(self) -> None:
        if self._outage.wait > self._settings.patience:
            self._give_up(f"the server asked to wait for {self._outage.asked_for:.0f} s")

    def _give_up(self, why: str) -> None:
        self._why_gone = self._why_gone or why
        self.gone.set()

    async def _sleep(self, seconds: float) -> None:
        """Ends early when the server is gone."""
        if seconds > 0:
            try:
                await asyncio.wait_for(self.gone.wait(), seconds)
            except TimeoutError:
                pass

    def _stop(self, state: RetryCallState) -> bool:
        failure = _failure(state)
        if self.gone.is_set() or (failure.wait or 0) > self._settings.patience:
            return True
        if failure.closed:
            return state.idle_for >= self._settings.patience
        return state.attempt_number >= self._settings.attempts

    def _wait(self, state: RetryCallState) -> float:
        wait = _failure(state).wait
        # Who waits for a set time must not come back in step with all others.
        return self._backoff(state) if wait is None else wait + self._backoff(state) / 10


def _failure(state: RetryCallState) -> Failure:
    answer = state.outcome.result() if state.outcome else None
    return (answer.failure if answer else None) or Failure("no_connection")
