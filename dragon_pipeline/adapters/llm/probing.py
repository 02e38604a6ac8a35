"""Finds out what kind of server this is, and whether the schema that it is told holds."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from dragon_pipeline.adapters.llm.call import Call, Sampling
from dragon_pipeline.adapters.llm.dialects import Answer, OpenAiDialect, dialect_of, same_model
from dragon_pipeline.adapters.llm.replies import without_thoughts
from dragon_pipeline.adapters.llm.transport import Failure, Transport, shown
from dragon_pipeline.core.language_model import Message, is_lost
from dragon_pipeline.core.settings import ModelSettings

ASSUMED_WINDOW = 4096
"""of a server that does not tell"""
OLLAMA_WINDOW = 8192
"""at most, when neither the settings nor the model's own parameters say: the whole length may not fit the memory"""
PROBE = "What colour is the sky? Answer in one word."
UNLIKELY = "qvxj7315"
"""No model would answer that by itself."""
PROBE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"word": {"enum": [UNLIKELY]}},
    "required": ["word"],
    "additionalProperties": False,
}
PROBE_TOKENS = 256
THINKING_TOKENS = 2048
"""for a model that was still thinking then"""

_WINDOW_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")


@dataclass(frozen=True)
class Findings:
    """What one server says of itself and one model."""

    kind: str
    """vllm, llama.cpp, ollama, or openai for any other"""
    version: str | None = None
    models: tuple[str, ...] = ()
    """that it offers; empty when it does not tell"""
    window: int | None = None
    """tokens of prompt and reply; None: not told"""
    tokenizer: bool = False
    form: str | None = None
    """how it is told a schema so that it holds (dialects.FORMS); None: not constrained"""

    def offers(self, model: str) -> bool:
        """Whether the model is there, as far as the server tells."""
        return not self.models or any(same_model(model, name) for name in self.models)

    def describe(self, model: str, url: str, window: int | None = None) -> str:
        """One line for people; `window`: of the settings."""
        there = f"{model} is there" if self.offers(model) else f"no {model}, but {', '.join(self.models)}"
        told = f"window {self.window}" if self.window else f"window not told, taken as {ASSUMED_WINDOW}"
        held = f"replies are held to a schema ({self.form})" if self.form else "replies are NOT constrained to a schema"
        counts = "counts tokens" if self.tokenizer else "no tokenizer, bytes are counted"
        kind = f"{self.kind} {self.version}" if self.version else self.kind
        return f"{kind} at {shown(url)}: {there}; {f'window {window} (set)' if window else told}; {held}; {counts}"

    def like(self, other: "Findings") -> bool:
        """The same server, so that what was found out by asking it still holds."""
        return replace(self, models=(), form=None, tokenizer=False) == replace(other, models=(), form=None, tokenizer=False)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Findings":
        values = json.loads(text)
        return cls(**values | {"models": tuple(values["models"])})


async def identify(transport: Transport, model: str) -> Findings | Failure:
    """Kind, version, models and window, without asking the model anything. Fails only when the server does not answer."""
    listed = await transport.get(f"{transport.base}/models")
    if isinstance(listed, Failure):
        if _away(listed) or listed.status in (401, 403):
            return listed
        listed = {}
    entries = [entry for entry in listed.get("data") or [] if isinstance(entry, dict)]
    models = tuple(sorted(str(entry["id"]) for entry in entries if entry.get("id")))
    mine = next((entry for entry in entries if same_model(model, str(entry.get("id")))), {})
    window = next((mine[name] for name in _WINDOW_NAMES if isinstance(mine.get(name), int)), None)
    owners = {entry.get("owned_by") for entry in entries}
    if "vllm" in owners or "max_model_len" in mine:
        told = await _told(transport, "/version")
        return Findings("vllm", told.get("version"), models, window)
    props = await _told(transport, "/props") if "library" not in owners else {}
    if isinstance(props.get("default_generation_settings"), dict):
        length = props["default_generation_settings"].get("n_ctx") or (mine.get("meta") or {}).get("n_ctx")
        return Findings("llama.cpp", props.get("build_info"), models, length)
    version = (await _told(transport, "/api/version")).get("version")
    if version and "models" in await _told(transport, "/api/tags"):
        return Findings("ollama", version, models, await _ollama_window(transport, model))
    return Findings("openai", None, models, window)


async def probe(
    transport: Transport, settings: ModelSettings, found: Findings, likely: str | None = None
) -> Findings | Failure:
    """The rest, by asking the model: which form of telling a schema holds.

    `found`: what `identify` said just now; `likely`: the form that is tried first, so that one request is enough.
    """
    model = settings.model
    dialect = dialect_of(found.kind, settings.window or found.window or ASSUMED_WINDOW)
    sampling = Sampling(settings.temperature, settings.top_p, settings.seed, PROBE_TOKENS)
    call = Call(model, (Message("user", PROBE),), PROBE_SCHEMA, sampling)
    form = await _holding_form(transport, call, dialect, likely)
    if isinstance(form, Failure):
        return form
    counts = dialect.tokenizer is not None and (await tokenize(transport, dialect, "один, two", model)).prompt_tokens > 0
    return replace(found, form=form, tokenizer=counts)


async def exchange(transport: Transport, dialect: OpenAiDialect, call: Call, form: str | None) -> Answer:
    """One request, sent once."""
    received = await transport.post(*dialect.ask(transport.base, call, form))
    if isinstance(received, Failure):
        return replace(dialect.counted(received.body), failure=received)
    return dialect.read(received, call.model)


async def tokenize(transport: Transport, dialect: OpenAiDialect, text: str, model: str) -> Answer:
    """Its `prompt_tokens` are those of the text by the server's tokenizer; a failure when it has none."""
    received = await transport.post(f"{transport.root}{dialect.tokenizer}", dialect.tokenize(text, model))
    if isinstance(received, Failure):
        return Answer(failure=received)
    counted = dialect.tokens(received)
    return Answer(failure=Failure("not_json: no count of tokens")) if counted is None else Answer(prompt_tokens=counted)


async def _holding_form(transport: Transport, call: Call, dialect: OpenAiDialect, likely: str | None) -> str | Failure | None:
    """The first form under which the model answers what it never would; None when there is none."""
    for form in sorted(dialect.forms, key=lambda form: form != likely):
        answer = await exchange(transport, dialect, call, form)
        if answer.failure is not None:
            # The form is refused, or the server is out of order: without a schema it tells which.
            plain = await exchange(transport, dialect, replace(call, schema=None), None)
            if plain.failure is not None:
                return _fault_of_settings(plain.failure)
            answer = await exchange(transport, dialect, call, form)
        if answer.failure is None and answer.finish == "length" and not answer.text:
            longer = replace(call, sampling=replace(call.sampling, max_tokens=THINKING_TOKENS))
            answer = await exchange(transport, dialect, longer, form)
        if answer.failure is None and _holds(answer):
            return form
    return None


def _fault_of_settings(failure: Failure) -> Failure:
    """Of the plainest request: one that is refused says that all will be, so it is not this request that is at fault."""
    if is_lost(failure.reason):
        return failure
    details = failure.reason.partition(": ")[2].removeprefix(f"{failure.status} ")
    return replace(failure, reason=f"http_error: {failure.status} {details}".rstrip())


def _holds(answer: Answer) -> bool:
    """White space between tokens is a model's own affair, even without end."""
    said = "".join(without_thoughts(answer.text).split())
    wanted = json.dumps({"word": UNLIKELY}, separators=(",", ":"))
    return said == wanted or (answer.finish == "length" and said != "" and wanted.startswith(said))


async def _told(transport: Transport, path: str) -> dict[str, Any]:
    received = await transport.get(f"{transport.root}{path}")
    return {} if isinstance(received, Failure) else received


async def _ollama_window(transport: Transport, model: str) -> int | None:
    """The model's own `num_ctx`, else what it was trained for, within reason."""
    shown = await transport.post(f"{transport.root}/api/show", {"model": model})
    if isinstance(shown, Failure):
        return None
    for line in str(shown.get("parameters") or "").splitlines():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and value.strip().isdigit():
            return int(value)
    info = shown.get("model_info") or {}
    trained = [value for name, value in info.items() if name.endswith(".context_length") and isinstance(value, int)]
    return min(*trained, OLLAMA_WINDOW) if trained else None


def _away(failure: Failure) -> bool:
    return failure.reason.split(":")[0] in ("no_connection", "timeout", "rate_limited") or failure.status == 503
