"""What is known of one server and model: found out once, kept beside the replies, and looked at again by every process."""

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
        """What this process saw for itself."""
        return self._seen

    async def learn(self, transport: Transport, retrying: Retrying) -> Findings | Failure:
        """From the server: known already, or asked until it answers or patience ends."""
        if self._seen is not None:
            return self._seen
        found: Findings | Failure = Failure("no_connection")

        async def once() -> Answer:
            nonlocal found
            found = await self.ask(transport)
            return Answer(failure=found) if isinstance(found, Failure) else Answer()

        answer, _ = await retrying.ask(once)
        return answer.failure or found

    async def ask(self, transport: Transport, again: bool = False) -> Findings | Failure:
        """Once. What was kept still holds for a server that looks the same; with `again` all is tried anew."""
        told = await identify(transport, self._settings.model)
        if isinstance(told, Failure):
            return told
        if told.kind in STRICT and not told.offers(self._settings.model):
            return Failure(f"other_model: the server offers {', '.join(told.models)}"[:300])
        kept = self.kept()
        found = kept if kept and kept.like(told) and not again else await probe(transport, self._settings, told)
        if isinstance(found, Failure):
            return found
        if found is not kept:
            self._cache.store("server", {self._key: found.to_json()}, replace=True)
        if found.form is None:
            LOG.warning("%s at %s does not hold replies to a schema: they are checked, and repaired once",
                        self._settings.model, transport.shown)  # fmt: skip
        self._seen = found
        return found
