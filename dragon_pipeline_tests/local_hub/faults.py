"""What a local Hub is told to do wrong."""

import threading
from dataclasses import dataclass, field
from typing import Literal

Answer = int | Literal["reset", "lost", "page"]


class Dropped(Exception):
    """The connection is to be reset."""


@dataclass
class Fault:
    route: str
    """name of a route, or `any`"""
    answer: Answer
    """a status instead of acting; `page`: 200 and HTML, as from a guest network, instead of acting; `reset`: the connection,
    instead of acting; `lost`: acts, and then resets the connection"""
    times: int
    retry_after: str | None = None
    acts: bool = False
    """acts before it answers the status"""


@dataclass
class Faults:
    """Those to come, each used up before the next of its route."""

    planned: list[Fault] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, route: str) -> Fault | None:
        with self._lock:
            for fault in self.planned:
                if fault.route in (route, "any") and fault.times > 0:
                    fault.times -= 1
                    return fault
        return None
