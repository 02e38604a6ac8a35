"""Answers of any language model with OpenAI's interface, with the paper's prompt (arXiv:2507.05713, §5.1)."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from rag_bench.errors import RagBenchError, Refused
from rag_bench.model_server import ModelServer
from rag_bench.retrying import Retrying

MAX_TOKENS = 1000
"""of an answer, as in the paper"""
BETWEEN = "\n\n"
"""chunks of the context"""
TEMPLATE_TOKENS = 32
"""room for what a server's chat template adds"""
SHORTER = 0.8
"""what is kept of the context each time that a server says it is too long"""

_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|maximum context|too many tokens|too long|exceed\w* .*(?:context|tokens)", re.I
)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_SLOT = re.compile(r"\{(context|question)\}")


@cache
def paper_prompt() -> str:
    """The paper's template, with `{context}` and `{question}`."""
    return files("rag_bench").joinpath("answer_prompt.txt").read_text("utf-8")


def estimate_tokens(text: str) -> int:
    """Two characters a token: Russian text has fewer tokens with any tokenizer of today."""
    return math.ceil(len(text) / 2)


@dataclass
class ChatModel:
    """`ChatModel("http://localhost:8000/v1", "Qwen/Qwen2.5-7B-Instruct").answer(question, passages)`; safe in threads.

    A context that is too long for the model is cut at its end, where the least relevant chunk stands; question and
    instructions stay whole. It is too long when the server says so, or, with `window`, when `count` does.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    window: int | None = None
    """tokens of prompt and answer together. Give it for a server that cuts prompts in silence, as Ollama does"""
    max_tokens: int = MAX_TOKENS
    temperature: float = 0.0
    template: str = field(default_factory=paper_prompt, repr=False)
    count: Callable[[str], int] = estimate_tokens
    """tokens of a text, for `window`"""
    retrying: Retrying = field(default_factory=Retrying, repr=False)

    def __post_init__(self) -> None:
        missing = {"context", "question"} - set(_SLOT.findall(self.template))
        if missing:
            raise RagBenchError(f"the template has no {{{missing.pop()}}}")
        self._server = ModelServer(self.url, self.key, self.retrying)

    @property
    def name(self) -> str:
        return self.model

    def answer(self, question: str, passages: Sequence[str]) -> str:
        """What the model answers to the filled template.

        Raises:
            Unreachable, Refused: the server gives no answer.
            RagBenchError: the model wrote nothing, or the question alone is longer than the window.
        """
        context = self._fitting(question, BETWEEN.join(passages))
        while True:
            try:
                return self.complete(self.fill(question, context))
            except Refused as error:
                if error.status not in (400, 413, 422) or not context or not _TOO_LONG.search(str(error)):
                    raise
            context = context[: int(len(context) * SHORTER)]

    def fill(self, question: str, context: str) -> str:
        """The prompt. What stands in braces in a question or a text is left as it is."""
        values = {"question": question, "context": context}
        return _SLOT.sub(lambda slot: values[slot[1]], self.template)

    def complete(self, prompt: str) -> str:
        """What the model writes after one user message; without what a reasoning model thinks aloud."""
        told = self._server.post(
            "/chat/completions",
            {
                "model": self.model,
                "messages": [{"role": "user", "content": prompt}],
                "max_tokens": self.max_tokens,
                "temperature": self.temperature,
            },
        )
        try:
            choice = told["choices"][0]
            written, finish = choice["message"]["content"], choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise RagBenchError(f"{self.url} answers no chat completion: {str(told)[:200]}") from None
        text = _THOUGHT.sub("", written).strip() if isinstance(written, str) else ""
        if not text or text.startswith("<think>"):
            raise RagBenchError(f"{self.model} wrote no answer (it stopped for: {finish}); a higher max_tokens may help")
        return text

    def _fitting(self, question: str, context: str) -> str:
        """The context, or as much of its beginning as the window takes."""
        if self.window is None:
            return context
        room = self.window - self.max_tokens - TEMPLATE_TOKENS

        def fits(length: int) -> bool:
            return self.count(self.fill(question, context[:length])) <= room

        if fits(len(context)):
            return context
        if not fits(0):
            needed = self.count(self.fill(question, ""))
            raise RagBenchError(f"the prompt without context has {needed} tokens, and a window of {self.window} leaves {room}")
        least, most = 0, len(context)
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if fits(middle) else (least, middle)
        return context[:least]
