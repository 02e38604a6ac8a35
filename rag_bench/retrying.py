"""Asking a server again that is busy or does not answer."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

LONGEST_WAIT = 60.0
T = TypeVar("T")


@dataclass(frozen=True)
class Retrying:
    """Waits twice as long before each further attempt, within a fifth at random so that clients do not come in step."""

    attempts: int = 5
    first_wait: float = 1.0
    """seconds"""
    sleep: Callable[[float], None] = time.sleep

    def call(self, ask: Callable[[], T], wait_for: Callable[[Exception], float | None]) -> T:
        """What `ask` returns.

        Args:
            ask: one attempt.
            wait_for: seconds that the server asks to wait after this failure; 0 leaves it to us, None gives up.

        Raises:
            Exception: of the last attempt.
        """
        for attempt in range(1, self.attempts + 1):
            try:
                return ask()
            except Exception as error:
                asked = wait_for(error)
                if asked is None or attempt == self.attempts:
                    raise
                ours = self.first_wait * 2 ** (attempt - 1) * random.uniform(0.8, 1.2)
                self.sleep(min(max(asked, ours), LONGEST_WAIT))
        raise AssertionError("attempts must be at least 1")
