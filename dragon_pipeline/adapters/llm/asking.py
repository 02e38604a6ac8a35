"""One call, from the cache or paid, read, repaired once, and kept the moment it is there."""

from dataclasses import dataclass, replace

from dragon_pipeline.adapters.llm.budget import Budget, Cost
from dragon_pipeline.adapters.llm.cache import ReplyCache
from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.adapters.llm.dialects import Answer, OpenAiDialect
from dragon_pipeline.adapters.llm.paying import Hold, Purse
from dragon_pipeline.adapters.llm.probing import exchange
from dragon_pipeline.adapters.llm.replies import read, repair_of, repairable
from dragon_pipeline.adapters.llm.retrying import Retrying
from dragon_pipeline.adapters.llm.transport import Transport
from dragon_pipeline.core.language_model import ModelReply, Usage
from dragon_pipeline.core.settings import ModelSettings

BYTES_PER_TOKEN = 2.0
"""before this server has counted any"""


@dataclass(frozen=True)
class Server:
    """An open connection to a server that is known."""

    transport: Transport
    dialect: OpenAiDialect
    form: str | None
    """how it is told a schema; None: it is not"""


class Asker:
    """Asks for one batch."""

    def __init__(self, server: Server, settings: ModelSettings, cache: ReplyCache, budget: Budget | None, retrying: Retrying):
        self._server = server
        self._settings = settings
        self._cache = cache
        self._purse = Purse(budget, settings.patience)
        self._retrying = retrying
        self._tokens_per_byte = 0.0
        """the most seen in this batch"""

    async def ask(self, call: Call) -> tuple[ModelReply, Usage]:
        """The reply, kept when it is as asked for; and what it took.

        Raises:
            OutOfBudget: it was not sent.
        """
        reply, usage = await self._reply(call)
        if not repairable(reply):
            return reply, usage
        repaired, more = await self._reply(repair_of(call, reply))
        usage += replace(more, cached=0)
        if repaired.reason is None:
            return self._keep(call, repaired), usage + Usage(repaired=1)
        # Nothing new was learnt from a repair that does not fit the window or came back empty.
        return (repaired if repaired.lost or repairable(repaired) else reply), usage

    async def _reply(self, call: Call) -> tuple[ModelReply, Usage]:
        kept = self._cache.find("reply", [call.key])  # another process, or this one as a repair, may have got it by now
        if kept:
            reply = read(kept[call.key], "stop", call.schema)
            if reply.reason is None:
                return reply, Usage(cached=1)
        answer, usage = await self._paid(call)
        if answer.failure is not None:
            return ModelReply(reason=answer.failure.reason), usage
        reply = read(answer.text, answer.finish, call.schema)
        return (self._keep(call, reply) if reply.reason is None else reply), usage

    def _keep(self, call: Call, reply: ModelReply) -> ModelReply:
        """Stores it; gives back what is kept, which is another process's reply when that was faster."""
        self._cache.store("reply", {call.key: reply.text or ""})
        kept = read(self._cache.find("reply", [call.key])[call.key], "stop", call.schema)
        if kept.reason is None:
            return kept
        self._cache.store("reply", {call.key: reply.text or ""}, replace=True)  # kept by an older way of reading
        return reply

    async def _paid(self, call: Call) -> tuple[Answer, Usage]:
        """The last answer, and the usage of all attempts: each is paid by itself, and none is sent that does not fit."""
        held: Hold | None = await self._purse.hold(self._expected(call))
        used = Usage()

        async def send() -> Answer:
            nonlocal held, used
            hold = held or await self._purse.hold(self._expected(call))
            answer = await exchange(self._server.transport, self._server.dialect, call, self._server.form)
            taken = self._usage(answer)
            used += taken
            cost = _cost(answer, taken, hold)
            held = hold
            if cost.tokens or not answer.passing:
                self._purse.settle(hold, cost)
                held = None
            if call.size:
                self._tokens_per_byte = max(self._tokens_per_byte, answer.prompt_tokens / call.size)
            return answer

        answer, retries = await self._retrying.ask(send)
        if held is not None:
            self._purse.settle(held, Cost())
        return answer, used + Usage(retries=retries)

    def _usage(self, answer: Answer) -> Usage:
        return Usage(
            prompt_tokens=answer.prompt_tokens,
            prefix_tokens=answer.prefix_tokens,
            reply_tokens=answer.reply_tokens,
            money=price(self._settings, answer.prompt_tokens, answer.prefix_tokens, answer.reply_tokens),
        )

    def _expected(self, call: Call) -> Cost:
        """What it may cost: the prompt as estimated, and the longest reply."""
        prompt = int(call.size * (self._tokens_per_byte or 1 / BYTES_PER_TOKEN)) + 1
        return Cost(prompt + call.sampling.max_tokens, price(self._settings, prompt, 0, call.sampling.max_tokens))


def _cost(answer: Answer, taken: Usage, hold: Hold) -> Cost:
    """As the server told; what it may take without telling counts as what was held for it."""
    tokens = taken.prompt_tokens + taken.reply_tokens
    untold = not tokens and (answer.failure is None or answer.failure.untold)
    return hold.cost if untold else Cost(tokens, taken.money)


def price(settings: ModelSettings, prompt: int, prefix: int, reply: int) -> float:
    """Of so many tokens (`prefix` of the prompt's were in the server's cache), in the currency of the settings."""
    dear = settings.price_prompt if settings.price_prefix is None else settings.price_prefix
    return ((prompt - prefix) * settings.price_prompt + prefix * dear + reply * settings.price_reply) / 1e6
