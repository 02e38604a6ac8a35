"""What is known of one server and model: kept beside the replies, and proved again by every process that asks the model."""

from dataclasses import replace

from dragon_pipeline.adapters.llm.cache import ReplyCache
from dragon_pipeline.adapters.llm.call import digest
from dragon_pipeline.adapters.llm.dialects import Answer
from dragon_pipeline.adapters.llm.probing import Findings, identify, probe
from dragon_pipeline.adapters.llm.progress import LOG
from dragon_pipeline.adapters.llm.retrying import Retrying
from dragon_pipeline.adapters.llm.transport import Failure, Transport
from dragon_pipeline.core.settings import ModelSettings

STRICT = ("vllm", "ollama")
"""kinds whose list of models is complete, so that one that is not on it is not there"""


class Knowledge:
    def __init__(self, settings: ModelSettings, cache: ReplyCache):
        self._settings = settings
        self._cache = cache
        self._key = digest(f"{settings.url.rstrip('/')} {settings.model}")  # a URL may hold a password
        self._seen: Findings | None = None
        self._proved = False
        """this process has seen for itself whether the schema holds"""

    def kept(self) -> Findings | None:
        """What this or an earlier process found out."""
        if self._seen is not None:
            return self._seen
        text = self._cache.find("server", [self._key]).get(self._key)
        try:
            return Findings.from_json(text) if text else None
        except (ValueError, TypeError, KeyError):  # of another version of this code
            return None

    @property
    def seen(self) -> Findings | None:
        """What this process heard from the server."""
        return self._seen

    async def learn(self, transport: Transport, retrying: Retrying) -> Findings | Failure:
        """With the schema's holding proved: already, or by asking until it answers or patience ends."""
        if self._seen is not None and self._proved:
            return self._seen
        found: Findings | Failure = Failure("no_connection")

        async def once() -> Answer:
            nonlocal found
            found = await self.ask(transport)
            return Answer(failure=found) if isinstance(found, Failure) else Answer()

        answer, _ = await retrying.ask(once)
        return answer.failure or found

    async def look(self, transport: Transport) -> Findings | Failure:
        """Asks the server once, and the model nothing: what was kept is believed of a server that looks the same."""
        told = await self._identified(transport)
        if isinstance(told, Failure):
            return told
        kept = self.kept()
        if kept is None or not kept.like(told):
            return await self._prove(transport, told, None)
        self._seen = replace(kept, models=told.models)
        return self._seen

    async def ask(self, transport: Transport, anew: bool = False) -> Findings | Failure:
        """Once, the model too: a server may be started again with other flags and look the same. What held before is tried
        first, unless `anew`."""
        told = await self._identified(transport)
        if isinstance(told, Failure):
            return told
        kept = self.kept()
        return await self._prove(transport, told, kept.form if kept and kept.like(told) and not anew else None)

    async def _identified(self, transport: Transport) -> Findings | Failure:
        told = await identify(transport, self._settings.model)
        if isinstance(told, Failure) or told.kind not in STRICT or told.offers(self._settings.model):
            return told
        return Failure(f"other_model: the server offers {', '.join(told.models)}"[:300])

    async def _prove(self, transport: Transport, told: Findings, form: str | None) -> Findings | Failure:
        found = await probe(transport, self._settings, told, form)
        if isinstance(found, Failure):
            return found
        if found != self.kept():
            self._cache.store("server", {self._key: found.to_json()}, replace=True)
        if found.form is None:
            LOG.warning("%s at %s does not hold replies to a schema: they are checked, and repaired once",
                        self._settings.model, transport.shown)  # fmt: skip
        self._seen, self._proved = found, True
        return found
