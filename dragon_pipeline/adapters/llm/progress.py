"""How far a batch is, and when it will be done."""

import logging
import time
from collections.abc import Callable

from dragon_pipeline.core.language_model import Usage

LOG = logging.getLogger("dragon.models")
SECONDS_BETWEEN = 15.0

Progress = Callable[[int, int, Usage, float | None], None]
"""Requests done and asked for, what the batch has used so far, and the seconds left (None: not known yet). Called after every
reply: who writes it out thins it out."""


class LoggedProgress:
    """A line at intervals, and at the end of a batch that took longer than one, through the logger `dragon.models`."""

    def __init__(self, title: str, seconds_between: float = SECONDS_BETWEEN):
        self._title = title
        self._seconds = seconds_between
        self._next = 0.0
        self._began = False

    def __call__(self, done: int, total: int, usage: Usage, left: float | None) -> None:
        now = time.monotonic()
        ends = done >= total and self._began
        self._began = done < total and (self._began or now >= self._next)
        if now < self._next and not ends:
            return
        self._next = now + self._seconds
        LOG.info("%s", line_of(self._title, done, total, usage, left))


class Pace:
    """Seconds left, by the pace since it was made; what came from the cache says nothing about the pace."""

    def __init__(self, total: int, done: int):
        self.total = total
        self.done = done
        self._begun = time.monotonic()
        self._at_first = done

    def step(self, requests: int) -> float | None:
        """So many more are done."""
        self.done += requests
        paid = self.done - self._at_first
        if not paid:
            return None
        return (time.monotonic() - self._begun) / paid * (self.total - self.done)


def line_of(title: str, done: int, total: int, usage: Usage, left: float | None) -> str:
    parts = [f"{title}: {done} of {total}"]
    for number, word in ((usage.cached, "cached"), (usage.repaired, "repaired"), (usage.unreadable, "unreadable"),
                         (usage.lost, "lost"), (usage.retries, "retries")):  # fmt: skip
        if number:
            parts.append(f"{number} {word}")
    if usage.prompt_tokens:
        parts.append(f"{usage.prompt_tokens:,} + {usage.reply_tokens:,} tokens")
    if usage.money:
        parts.append(f"{usage.money:.2f} money")
    if left is not None and done < total:
        parts.append(f"{span(left)} left")
    return ", ".join(parts)


def span(seconds: float) -> str:
    """In the unit that fits."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
