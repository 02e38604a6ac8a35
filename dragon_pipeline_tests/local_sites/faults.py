"""What a local site is told to do wrong."""

import itertools
import random
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from dragon_pipeline_tests.local_sites.answers import Answer, Dropped

PIECE = 1 << 20
AGAIN = "/again-"
"""how the addresses begin to which endless redirects lead"""


@dataclass(frozen=True)
class Fault:
    kind: Literal["status", "hang", "slow", "drop", "garbage", "bomb", "redirects"]
    """`hang`: no answer until the server closes; `slow`: `seconds` before the right answer; `drop`: the connection ends
    without an answer; `garbage`: random bytes said to be what was asked for; `bomb`: `size` bytes of nothing, gzipped to
    a thousandth; `redirects`: every address leads to another one"""
    status: int = 403
    seconds: float = 0.5
    size: int = 200 << 20


@dataclass
class Faults:
    """By host or by address; both may be switched on and off at any time."""

    of: dict[str, Fault] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def answer(self, host: str, url: str) -> Answer | None:
        """The wrong answer; None when the right one is to be given.

        Raises:
            Dropped: there is to be no answer at all.
        """
        fault = self.of.get(url) or self.of.get(host) or (Fault("redirects") if AGAIN in url else None)
        if fault is None:
            return None
        if fault.kind == "slow":
            self.closing.wait(fault.seconds)
            return None
        if fault.kind == "hang":
            self.closing.wait()
        if fault.kind in ("hang", "drop"):
            raise Dropped
        if fault.kind == "garbage":
            return Answer(random.Random(url).randbytes(4096), {"Content-Type": "text/html; charset=utf-8"})
        if fault.kind == "bomb":
            return Answer(bomb(fault.size), {"Content-Type": "text/html", "Content-Encoding": "gzip"})
        if fault.kind == "redirects":
            return Answer(b"", {"Location": f"{AGAIN}{next(self._numbers)}"}, 302)
        return Answer(b"", {"Content-Type": "text/html"}, fault.status)


@lru_cache(maxsize=4)
def bomb(size: int) -> bytes:
    """A gzip of about `size` spaces, packed piece by piece so that making it needs no memory either."""
    packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    pieces = [packer.compress(b" " * PIECE) for _ in range(-(-size // PIECE))]
    return b"".join([*pieces, packer.flush()])
