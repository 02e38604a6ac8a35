"""Tokens of texts, as a server's tokenizer counts them."""

from collections.abc import Mapping

from dragon_pipeline.adapters.llm.batch import together
from dragon_pipeline.adapters.llm.dialects import OpenAiDialect
from dragon_pipeline.adapters.llm.probing import tokenize
from dragon_pipeline.adapters.llm.retrying import Retrying
from dragon_pipeline.adapters.llm.transport import Transport
from dragon_pipeline.core.settings import ModelSettings


async def count_all(
    transport: Transport, dialect: OpenAiDialect, retrying: Retrying, settings: ModelSettings, texts: Mapping[str, str]
) -> dict[str, int]:
    """By key; a text that could not be counted is missing."""
    counted: dict[str, int] = {}
    waiting = iter(texts.items())

    async def work() -> None:
        for key, text in waiting:
            answer, _ = await retrying.ask(lambda text=text: tokenize(transport, dialect, text, settings.model))
            if answer.failure is None:
                counted[key] = answer.prompt_tokens

    await together([work() for _ in range(min(settings.concurrency, len(texts)))])
    return counted
