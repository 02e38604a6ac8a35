"""How each kind of server is asked, told a schema, and read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.adapters.llm.transport import Failure

Body = dict[str, Any]

FORMS: Mapping[str, Callable[[Mapping[str, Any]], Body]] = {
    "response_format": lambda schema: {
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    },
    "structured_outputs": lambda schema: {"structured_outputs": {"json": schema}},
    "json_object": lambda schema: {"response_format": {"type": "json_object", "schema": schema}},
    "format": lambda schema: {"format": schema},
}
"""Ways to tell a server the schema: OpenAI's and vLLM's; vLLM's own; llama.cpp's; Ollama's native one."""

NO_MESSAGE = Failure("not_json: no message in the server's answer", untold=True)


@dataclass(frozen=True)
class Answer:
    """What one exchange brought: a text, or a failure."""

    text: str = ""
    finish: str = "stop"
    """`length`: it ran into its limit; `content_filter`: the server kept it back"""
    failure: Failure | None = None
    prompt_tokens: int = 0
    prefix_tokens: int = 0
    reply_tokens: int = 0

    @property
    def passing(self) -> bool:
        return self.failure is not None and self.failure.passing


class OpenAiDialect:
    """`/v1/chat/completions`, as vLLM, llama.cpp and most others speak it."""

    forms: tuple[str, ...] = ("response_format", "structured_outputs", "json_object")
    tokenizer: str | None = None
    """path of the server's tokenizer, from its root"""

    def ask(self, base: str, call: Call, form: str | None) -> tuple[str, Body]:
        """Where to send what."""
        body = {
            "model": call.model,
            "messages": [{"role": message.role, "content": message.content} for message in call.messages],
            "temperature": call.sampling.temperature,
            "top_p": call.sampling.top_p,
            "seed": call.sampling.seed,
            "max_tokens": call.sampling.max_tokens,
            "stream": False,
        }
        if form and call.schema is not None:
            body |= FORMS[form](call.schema)
        return f"{base}/chat/completions", body

    def read(self, payload: Body, model: str) -> Answer:
        """`model`: who was asked."""
        counted = self.counted(payload)
        try:
            choice = payload["choices"][0]
            message = choice["message"]
            text = message.get("content") or ""
            if not isinstance(text, str):
                raise TypeError
        except (KeyError, IndexError, TypeError, AttributeError):
            return replace(counted, failure=NO_MESSAGE)
        if other := _other(model, payload.get("model")):
            return replace(counted, failure=other)
        finish = "content_filter" if message.get("refusal") else choice.get("finish_reason") or "stop"
        return replace(counted, text=text or message.get("refusal") or "", finish=finish)

    def counted(self, payload: Mapping[str, Any]) -> Answer:
        """Nothing but the tokens that an answer of any kind says it took."""
        usage = payload.get("usage")
        details = usage.get("prompt_tokens_details") if isinstance(usage, Mapping) else None
        prefix = _number(details, "cached_tokens") or _number(payload.get("timings"), "cache_n")
        return Answer(
            prompt_tokens=_number(usage, "prompt_tokens"),
            prefix_tokens=prefix,
            reply_tokens=_number(usage, "completion_tokens"),
        )

    def tokenize(self, text: str, model: str) -> Body:
        """Asked of servers with a `tokenizer`: vLLM's form, which others have taken over."""
        return {"model": model, "prompt": text, "add_special_tokens": False}

    def tokens(self, payload: Body) -> int | None:
        """How many the tokenizer counted; None when it did not say."""
        counted = payload.get("count")
        if isinstance(counted, int):
            return counted
        return len(payload["tokens"]) if isinstance(payload.get("tokens"), list) else None


class VllmDialect(OpenAiDialect):
    tokenizer = "/tokenize"


class LlamaCppDialect(OpenAiDialect):
    tokenizer = "/tokenize"

    def tokenize(self, text: str, model: str) -> Body:
        return {"content": text, "add_special": False}


class OllamaDialect(OpenAiDialect):
    """The native `/api/chat`: only there can the window be set; through `/v1` a long prompt loses its head in silence."""

    forms = ("format",)

    def __init__(self, window: int):
        self._window = window

    def ask(self, base: str, call: Call, form: str | None) -> tuple[str, Body]:
        sampling = call.sampling
        body = {
            "model": call.model,
            "messages": [{"role": message.role, "content": message.content} for message in call.messages],
            "stream": False,
            "truncate": False,
            "options": {
                "temperature": sampling.temperature,
                "top_p": sampling.top_p,
                "seed": sampling.seed,
                "num_predict": sampling.max_tokens,
                "num_ctx": self._window,
            },
        }
        if form and call.schema is not None:
            body |= FORMS[form](call.schema)
        return f"{base.removesuffix('/v1')}/api/chat", body

    def read(self, payload: Body, model: str) -> Answer:
        counted = self.counted(payload)
        message = payload.get("message")
        if not isinstance(message, dict):
            return replace(counted, failure=NO_MESSAGE)
        if other := _other(model, payload.get("model")):
            return replace(counted, failure=other)
        return replace(counted, text=str(message.get("content") or ""), finish=payload.get("done_reason") or "stop")

    def counted(self, payload: Mapping[str, Any]) -> Answer:
        return Answer(prompt_tokens=_number(payload, "prompt_eval_count"), reply_tokens=_number(payload, "eval_count"))


def dialect_of(kind: str, window: int) -> OpenAiDialect:
    """`kind`: vllm, llama.cpp, ollama or openai; `window`: tokens of prompt and reply."""
    if kind == "ollama":
        return OllamaDialect(window)
    return {"vllm": VllmDialect, "llama.cpp": LlamaCppDialect}.get(kind, OpenAiDialect)()


def same_model(asked: str, told: str) -> bool:
    """Ollama leaves `:latest` out or adds it; OpenAI adds the date of a snapshot."""
    if asked.removesuffix(":latest") == told.removesuffix(":latest"):
        return True
    date = told.removeprefix(f"{asked}-")
    return date != told and len(date) >= 8 and date.replace("-", "").isdigit()


def _other(asked: str, told: Any) -> Failure | None:
    if not told or same_model(asked, str(told)):
        return None
    return Failure(f"other_model: {str(told)[:100]}", untold=True)


def _number(told: Any, name: str) -> int:
    """0 when it is not told."""
    value = told.get(name) if isinstance(told, Mapping) else None
    return value if isinstance(value, int) and value > 0 else 0
