"""A request together with the model and the sampling it goes to: everything that changes the reply, and nothing else."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from dragon_pipeline.core.language_model import Message, ModelRequest
from dragon_pipeline.core.settings import ModelSettings


@dataclass(frozen=True)
class Sampling:
    temperature: float
    top_p: float
    seed: int
    max_tokens: int


@dataclass(frozen=True)
class Call:
    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = field(hash=False)
    sampling: Sampling

    @classmethod
    def of(cls, request: ModelRequest, settings: ModelSettings) -> "Call":
        most = settings.max_tokens if request.max_tokens is None else request.max_tokens
        sampling = Sampling(float(settings.temperature), float(settings.top_p), settings.seed, most)
        schema = None if request.schema is None else dict(request.schema)
        return cls(settings.model, tuple(request.messages), schema, sampling)

    @cached_property
    def key(self) -> str:
        """SHA-256 of all of it. The order of a schema's properties counts: a constrained model writes them in that order."""
        told = [(message.role, message.content) for message in self.messages]
        return digest(json.dumps([self.model, told, self.schema, asdict(self.sampling)], ensure_ascii=False))

    @cached_property
    def size(self) -> int:
        """Bytes of the messages."""
        return sum(len(message.content.encode("utf-8", "replace")) for message in self.messages)

    def go_on(self, *messages: Message) -> "Call":
        """The same conversation with more messages."""
        return replace(self, messages=self.messages + messages)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
