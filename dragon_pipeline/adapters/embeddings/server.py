"""Any server with OpenAI's `/v1/embeddings`: vLLM, Text Embeddings Inference, llama.cpp, Ollama, a hosted one."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dragon_pipeline.adapters.embeddings.prefixes import BLANK, Prefixes
from dragon_pipeline.adapters.llm.batch import run, together
from dragon_pipeline.adapters.llm.dialects import Answer, same_model
from dragon_pipeline.adapters.llm.retrying import Outage, Retrying
from dragon_pipeline.adapters.llm.transport import Failure, Transport, open_transport, shown
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.settings import EmbedderSettings, ModelSettings

IN_FLIGHT = 4
"""requests"""
SHORTEST = 16
"""characters: what is refused as too long at this length is refused for another reason"""
LOG = logging.getLogger("dragon.embedder")


class ServedEmbedder:
    """A model behind a server. What is longer than it can read is halved until the server takes it.

    Every embedding raises Unreachable when the server does not answer within `patience`, or sends what are no vectors.
    """

    def __init__(self, model: str, prefixes: Prefixes, settings: EmbedderSettings, key: str | None = None):
        self.name = f"server {model}; {prefixes}"
        self._model = model
        self._prefixes = prefixes
        self._settings = settings
        self._asking = ModelSettings(
            url=settings.url,
            model=model,
            concurrency=IN_FLIGHT,
            timeout=settings.timeout,
            attempts=settings.attempts,
            patience=settings.patience,
        )
        self._key = key
        self._outage = Outage(settings.patience)
        self._dimensions: int | None = None

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        return self._embed(self._prefixes.before_queries(texts))

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        return self._embed(self._prefixes.before_passages(texts))

    def _embed(self, texts: list[str]) -> np.ndarray:
        if not texts:
            if self._dimensions is None:
                self._embed([BLANK])
            return np.empty((0, self._dimensions or 0), np.float32)
        vectors = np.concatenate(run(self._ask_all(texts)))
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        return (vectors / lengths).astype(np.float32)

    async def _ask_all(self, texts: list[str]) -> list[np.ndarray]:
        """Arrays whose rows are the texts', in order."""
        settings = self._asking
        async with open_transport(settings.url, self._key, settings.timeout, IN_FLIGHT) as transport:
            retrying = Retrying(settings, self._outage)
            batch = self._settings.batch
            parts = [texts[start : start + batch] for start in range(0, len(texts), batch)]
            answers: dict[int, np.ndarray] = {}
            waiting = iter(enumerate(parts))

            async def work() -> None:
                for number, part in waiting:
                    answers[number] = await self._ask(transport, retrying, part)

            await together([work() for _ in range(min(IN_FLIGHT, len(parts)))])
            return [answers[number] for number in range(len(parts))]

    async def _ask(self, transport: Transport, retrying: Retrying, texts: list[str]) -> np.ndarray:
        """Vectors of one batch, as they came."""
        received = await self._send(transport, retrying, texts)
        if not isinstance(received, Failure):
            vectors = self._read(received, len(texts))
            if self._dimensions not in (None, vectors.shape[1]):
                raise self._unusable(f"vectors of {vectors.shape[1]} numbers after such of {self._dimensions}")
            self._dimensions = vectors.shape[1]
            return vectors
        if not received.reason.startswith("window_exceeded"):
            raise self._unreachable(received)
        if len(texts) > 1:
            return np.concatenate([await self._ask(transport, retrying, [text]) for text in texts])
        if len(texts[0]) <= SHORTEST:
            raise self._unreachable(received)
        half = texts[0][: len(texts[0]) // 2]
        LOG.warning("%s reads %d characters of a text of %d: %s", self._model, len(half), len(texts[0]), received.reason)
        return await self._ask(transport, retrying, [half])

    async def _send(self, transport: Transport, retrying: Retrying, texts: list[str]) -> Mapping[str, Any] | Failure:
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        received: Mapping[str, Any] | Failure = Failure("no_connection")

        async def once() -> Answer:
            nonlocal received
            received = await transport.post(f"{transport.base}/embeddings", body)
            return Answer(failure=received) if isinstance(received, Failure) else Answer()

        answer, _ = await retrying.ask(once)
        return answer.failure or received

    def _read(self, payload: Mapping[str, Any], wanted: int) -> np.ndarray:
        """float32, shape (wanted, dimensions). Raises Unreachable: the answer is something else."""
        told = payload.get("model")
        if told and not same_model(self._model, str(told)):
            raise self._unusable(f"an answer of {str(told)[:100]}")
        rows = payload.get("data")
        if not isinstance(rows, list) or len(rows) != wanted:
            raise self._unusable(f"{len(rows) if isinstance(rows, list) else 'no'} vectors for {wanted} texts")
        try:
            placed = {int(row.get("index", number)): row["embedding"] for number, row in enumerate(rows)}
            vectors = np.array([placed[number] for number in range(wanted)], np.float32)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise self._unusable("no rows of numbers, one for each text") from None
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise self._unusable("no rows of numbers, one for each text")
        if not np.isfinite(vectors).all():
            raise self._unusable("a vector with NaN or infinity in it")
        if not vectors.any(axis=1).all():
            raise self._unusable("a vector of zeros")
        return vectors

    def _unusable(self, sent: str) -> Unreachable:
        return Unreachable(
            f"embedder: {self._model} at {shown(self._settings.url)} sent {sent}: look at embedder.url and embedder.model, and"
            " whether the server serves an embedding model"
        )

    def _unreachable(self, failure: Failure) -> Unreachable:
        return Unreachable(
            f"embedder: {self._model} at {shown(self._settings.url)} does not answer ({failure.reason}): start its server, or"
            " set embedder.url and embedder.model; vectors that came are kept, and the next run goes on from there"
        )
