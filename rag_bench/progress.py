"""How far a run is, on standard error: one line redrawn on a terminal, plain lines now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from rag_bench.printable import printable

SECONDS_BETWEEN_LINES = 30.0
SECONDS_BETWEEN_DRAWINGS = 0.1


@dataclass
class Progress:
    """Counts questions; from one thread at a time."""

    total: int
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: int = 0
    _began: float = field(init=False)
    _told: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self._told = self.clock()
        self._terminal = self.stream.isatty()

    def step(self, failed: bool) -> None:
        self.done += 1
        self.failed += failed
        now = self.clock()
        wait = SECONDS_BETWEEN_DRAWINGS if self._terminal else SECONDS_BETWEEN_LINES
        if now - self._told >= wait or self.done == self.total:
            self._told = now
            self._tell(now - self._began)

    def say(self, line: str) -> None:
        """A line of its own."""
        self._write(("\r\x1b[K" if self._terminal else "") + printable(line) + "\n")

    def close(self) -> None:
        """Leaves the last drawing where it stands."""
        if self._terminal and self.done:
            self._write("\n")

    def _tell(self, seconds: float) -> None:
        left = (self.total - self.done) * seconds / self.done
        parts = [f"{self.done:,} of {self.total:,} questions"]
        parts += [f"{self.failed:,} failed"] if self.failed else []
        parts += [f"about {_spoken(left)} left"] if self.done < self.total else [f"in {_spoken(seconds)}"]
        line = ", ".join(parts)
        self._write(f"\r\x1b[K{line}" if self._terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def _spoken(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
