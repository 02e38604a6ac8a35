"""For tests: a language model that is a function."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dragon_pipeline.adapters.llm.replies import read
from dragon_pipeline.core.language_model import ModelReply, ModelRequest, Usage


class FakeLanguageModel:
    """Answers each distinct request once. A mapping or list is a reply in JSON, a string is what the model wrote; both are read
    as the real client reads them, without a repair. A ModelReply is given as it is."""

    def __init__(
        self,
        role: str,
        answer: Callable[[ModelRequest], ModelReply | str | Mapping[str, Any] | list],
        name: str = "fake",
        window: int = 8192,
        reply_tokens: int = 1024,
    ):
        self.name = name
        self.role = role
        self.window = window
        self.reply_tokens = reply_tokens
        self.asked: list[ModelRequest] = []
        """every request that was answered, in order, so that a test can see what was paid for"""
        self._answer = answer
        self._kept: dict[str, ModelReply] = {}
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        return self._usage

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.encode("utf-8", "replace")) for text in texts]

    def complete(self, requests: Sequence[ModelRequest]) -> list[ModelReply]:
        return [self._one(request) for request in requests]

    def _one(self, request: ModelRequest) -> ModelReply:
        schema = None if request.schema is None else dict(request.schema)
        key = json.dumps([[(one.role, one.content) for one in request.messages], schema, request.max_tokens])
        kept = self._kept.get(key)
        if kept is not None:
            self._usage += Usage(requests=1, cached=1)
            return kept
        self.asked.append(request)
        reply = self._read(self._answer(request), request)
        if reply.reason is None:
            self._kept[key] = reply
        failed = reply.reason is not None and not reply.lost
        tokens = self.count([*(message.content for message in request.messages), reply.text or ""])
        self._usage += Usage(
            requests=1, lost=int(reply.lost), unreadable=int(failed), prompt_tokens=sum(tokens[:-1]), reply_tokens=tokens[-1]
        )
        return reply

    def _read(self, answer: ModelReply | str | Mapping[str, Any] | list, request: ModelRequest) -> ModelReply:
        if isinstance(answer, ModelReply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return read(text, "stop", request.schema)
