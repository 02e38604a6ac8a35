"""The language model behind a server, as core.language_model.LanguageModel."""

import threading
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from dragon_pipeline.adapters.llm.asking import Asker, Server
from dragon_pipeline.adapters.llm.batch import ask_all, run
from dragon_pipeline.adapters.llm.budget import Budget
from dragon_pipeline.adapters.llm.cache import ReplyCache, SqliteReplyCache
from dragon_pipeline.adapters.llm.call import Call, digest
from dragon_pipeline.adapters.llm.counting import count_all
from dragon_pipeline.adapters.llm.dialects import OpenAiDialect, dialect_of
from dragon_pipeline.adapters.llm.knowledge import Knowledge
from dragon_pipeline.adapters.llm.probing import ASSUMED_WINDOW, Findings
from dragon_pipeline.adapters.llm.progress import LOG, LoggedProgress, Progress
from dragon_pipeline.adapters.llm.retrying import Outage, Retrying
from dragon_pipeline.adapters.llm.tally import Tally
from dragon_pipeline.adapters.llm.transport import Failure, Transport, open_transport, shown
from dragon_pipeline.core.errors import BadInput, BudgetSpent, Unreachable
from dragon_pipeline.core.language_model import ModelReply, ModelRequest, Usage
from dragon_pipeline.core.settings import ModelSettings


def open_model(
    role: str,
    settings: ModelSettings,
    cache: Path | ReplyCache,
    budget: Budget | None = None,
    key: str | None = None,
    progress: Progress | None = None,
) -> "ServedModel":
    """The model of one role; nothing is sent before it is asked.

    `cache`: a SQLite file, which all roles, runs and processes may share; `key`: the API key, sent to the host of
    `settings.url` alone; `progress`: see progress.Progress, by default lines through the logger `dragon.models`.

    Raises:
        BadInput: the URL is none.
    """
    if not settings.url.startswith(("http://", "https://")):
        raise BadInput(
            f"models.{role}.url is {shown(settings.url)!r}: write it with http:// or https://, and with /v1 at its end"
        )
    kept = SqliteReplyCache(cache) if isinstance(cache, Path) else cache
    return ServedModel(
        role, settings, kept, budget, (key or "").strip() or None, progress or LoggedProgress(f"{role} {settings.model}")
    )


class ServedModel:
    """Safe to share between threads."""

    def __init__(
        self,
        role: str,
        settings: ModelSettings,
        cache: ReplyCache,
        budget: Budget | None,
        key: str | None,
        progress: Progress,
    ):
        self.name = settings.model
        self.role = role
        self._settings = settings
        self._cache = cache
        self._budget = budget
        self._key = key
        self._progress = progress
        self._knowledge = Knowledge(settings, cache)
        self._outage = Outage(settings.patience)
        self._window: int | None = settings.window
        self._usage = Usage()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ServedModel({self.role!r}, {self.name!r}, {shown(self._settings.url)!r})"

    @property
    def usage(self) -> Usage:
        """Everything asked through this object so far."""
        return self._usage

    @property
    def reply_tokens(self) -> int:
        return self._settings.max_tokens

    @property
    def window(self) -> int:
        """Of the settings, else as the server says, else a cautious guess.

        Raises:
            Unreachable: it was never told, and the server does not answer.
        """
        if self._window is None:
            found = self._knowledge.seen or run(self._known())
            if isinstance(found, Failure):
                raise Unreachable(self._unreachable(found))
            self._window = found.window or ASSUMED_WINDOW
        return self._window

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text: by the server's tokenizer, else an upper bound (bytes in UTF-8)."""
        keys = [digest(f"{self.name} {text}") for text in texts]
        counted = {key: int(value) for key, value in self._cache.find("count", list(dict.fromkeys(keys))).items()}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in counted}
        if missing:
            fresh = run(self._count(missing))
            self._cache.store("count", {key: str(number) for key, number in fresh.items()})
            counted |= fresh
        bounds = (len(text.encode("utf-8", "replace")) for text in texts)
        return [counted.get(key, bound) for key, bound in zip(keys, bounds, strict=True)]

    def complete(self, requests: Sequence[ModelRequest]) -> list[ModelReply]:
        """One reply per request, in order; equal requests are paid once, over runs too. Waits for all of them.

        Raises:
            BudgetSpent: the run's budget is used up; what was answered is kept.
        """
        calls = [Call.of(request, self._settings) for request in requests]
        tally = Tally(calls, self._progress, self._spend)
        missing = tally.look_up(self._cache)
        if missing:
            try:
                finished = run(self._ask(missing, tally))
            finally:
                self._spend(Usage(seconds=round(time.monotonic() - tally.began, 3)))
            if not finished:
                raise BudgetSpent(
                    f"{self.role}: the budget of this run is used up ({self._budget}); {tally.answered} of {len(calls)}"
                    " requests are answered and kept. Run it again and it goes on from there, or set models.run_tokens or"
                    " models.run_money higher."
                )
        return [tally.replies[call.key] for call in calls]

    def probe(self) -> Findings:
        """Asks the server anew, once, what it is and whether a schema holds; for `dragon doctor`.

        Raises:
            Unreachable: it does not answer, or not as it must.
        """
        found = run(self._probe())
        if isinstance(found, Failure):
            raise Unreachable(self._unreachable(found))
        return found

    def close(self) -> None:
        """Lets go of the cache file; it opens again when used."""
        if isinstance(self._cache, SqliteReplyCache):
            self._cache.close()

    def _spend(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage

    def _open(self) -> AbstractAsyncContextManager[Transport]:
        settings = self._settings
        return open_transport(settings.url, self._key, settings.timeout, settings.concurrency)

    def _dialect(self, found: Findings) -> OpenAiDialect:
        return dialect_of(found.kind, self._settings.window or found.window or ASSUMED_WINDOW)

    def _unreachable(self, failure: Failure) -> str:
        url = shown(self._settings.url)
        if failure.reason.startswith("other_model"):
            return f"{self.role}: {url} has no model {self.name} ({failure.reason}): set url and model of models.{self.role}"
        return (
            f"{self.role}: {self.name} at {url} does not answer ({failure.reason}): start its server, or"
            f" set url and model of models.{self.role}"
        )

    async def _ask(self, calls: Sequence[Call], tally: Tally) -> bool:
        async with self._open() as transport:
            retrying = Retrying(self._settings, self._outage)
            found = await self._knowledge.learn(transport, retrying)
            if isinstance(found, Failure):
                for number, call in enumerate(calls):
                    unsent = number and found.passing and not found.reason.startswith("given_up")
                    reason = f"given_up: {found.reason}" if unsent else found.reason
                    tally.add(call, ModelReply(reason=reason), Usage())
                return True
            server = Server(transport, self._dialect(found), found.form)
            asker = Asker(server, self._settings, self._cache, self._budget, retrying)
            return await ask_all(asker, calls, self._settings.concurrency, tally.add)

    async def _known(self) -> Findings | Failure:
        """Of the server as it is now, else as it was: a run whose replies are all kept needs no server."""
        kept = self._knowledge.kept()
        async with self._open() as transport:
            if kept is None:
                return await self._knowledge.learn(transport, Retrying(self._settings, self._outage))
            found = await self._knowledge.look(transport)
            return kept if isinstance(found, Failure) else found

    async def _probe(self) -> Findings | Failure:
        async with self._open() as transport:
            return await self._knowledge.ask(transport, anew=True)

    async def _count(self, texts: dict[str, str]) -> dict[str, int]:
        """By the server's tokenizer; a text that it could not count is missing."""
        found = self._knowledge.seen or await self._known()
        if isinstance(found, Failure) or not found.tokenizer:
            return {}
        async with self._open() as transport:
            retrying = Retrying(self._settings, self._outage)
            counted = await count_all(transport, self._dialect(found), retrying, self._settings, texts)
        if len(counted) < len(texts):
            LOG.warning("%s: %d texts could not be counted; their bytes are taken", self.role, len(texts) - len(counted))
        return counted
