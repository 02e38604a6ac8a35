"""The replies to one batch as they come, what they took, and how far it is."""

import time
from collections import Counter
from collections.abc import Callable, Sequence

from dragon_pipeline.adapters.llm.cache import ReplyCache
from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.adapters.llm.progress import Pace, Progress
from dragon_pipeline.adapters.llm.replies import read
from dragon_pipeline.core.language_model import ModelReply, Usage


class Tally:
    def __init__(self, calls: Sequence[Call], progress: Progress, spend: Callable[[Usage], None]):
        """`spend` is called with what every reply took."""
        self.replies: dict[str, ModelReply] = {}
        self.usage = Usage()
        self.began = time.monotonic()
        self._calls = {call.key: call for call in calls}
        self._copies = Counter(call.key for call in calls)
        self._progress = progress
        self._spend = spend
        self._pace = Pace(len(calls), 0)

    @property
    def answered(self) -> int:
        return sum(self._copies[key] for key, reply in self.replies.items() if not reply.lost)

    def look_up(self, cache: ReplyCache) -> list[Call]:
        """Takes what the cache has; the calls that it lacks, each once."""
        kept = cache.find("reply", list(self._calls))
        for key, text in kept.items():
            reply = read(text, "stop", self._calls[key].schema)
            if reply.reason is None:
                self.replies[key] = reply
        number = sum(self._copies[key] for key in self.replies)
        self._count(Usage(requests=number, cached=number))
        self._pace = Pace(len(self), number)
        return [call for key, call in self._calls.items() if key not in self.replies]

    def add(self, call: Call, reply: ModelReply, usage: Usage) -> None:
        """`usage`: what this call took; how many were answered, and how, is counted here."""
        self.replies[call.key] = reply
        copies = self._copies[call.key]
        lost, unreadable = copies * reply.lost, copies * (reply.reason is not None and not reply.lost)
        copied = copies - 1 if reply.reason is None else 0
        self._count(usage + Usage(requests=copies, cached=copied, lost=lost, unreadable=unreadable))
        left = self._pace.step(copies)
        self._progress(self._pace.done, self._pace.total, self.usage, left)

    def __len__(self) -> int:
        return self._copies.total()

    def _count(self, usage: Usage) -> None:
        self.usage += usage
        self._spend(usage)
