"""Language models as the core sees them: requests and replies as data, behind one protocol.

adapters/llm/ holds the client of OpenAI-compatible servers (its cache, budget and dialects) and a fake for tests.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ModelRequest:
    """One call. Model and sampling belong to the model that is asked."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    """JSON schema that the reply must hold; None for free text"""
    max_tokens: int | None = None
    """of the reply; None: the model's own setting"""


@dataclass(frozen=True)
class ModelReply:
    """What came of one request: `reason` is None exactly when it was answered as asked."""

    text: str | None = None
    """the reply as it came, also one that could not be read; None when there was none"""
    value: Any = None
    """the parsed reply, valid under the request's schema"""
    reason: str | None = None
    """why it failed: one of `LOST` or `UNREADABLE`, details after a colon"""

    @property
    def lost(self) -> bool:
        """There is no reply for a reason outside the request, so another run may get one."""
        return is_lost(self.reason)


LOST = frozenset({"no_connection", "timeout", "http_error", "rate_limited", "not_json", "other_model", "given_up"})
"""No answer, or one that no model gave: the server is down, slow, overloaded, behind a proxy, wants another key, or serves
another model.
`given_up`: not sent, because the server had been away for longer than `patience`."""
UNREADABLE = frozenset(
    {"cut_off", "endless_whitespace", "invalid_json", "against_schema", "window_exceeded", "empty", "refused", "bad_request"}
)
"""The model answered, or cannot: the reply hit its limit, is no JSON, breaks the schema after one repair, or the request does
not fit the window, offends the server's content policy (`refused`) or is otherwise not to its liking (`bad_request`). The same
request would most likely fail again."""


def is_lost(reason: str | None) -> bool:
    """Whether a row's reason says that a model gave no answer."""
    return reason is not None and reason.split(":")[0] in LOST


@dataclass(frozen=True)
class Losses:
    """Rows for which a model gave no answer, by reason, of all that it was asked for."""

    asked: int
    reasons: Mapping[str, int]
    lost: int | None = None
    """when it is not the sum of the reasons: one call may stand behind several rows"""

    @property
    def share(self) -> float:
        lost = sum(self.reasons.values()) if self.lost is None else self.lost
        return lost / self.asked if self.asked else 0.0


def losses(reasons: Iterable[str | None], asked: int) -> Losses:
    """From the reasons of rows; those that are none, or no outage, do not count."""
    counted = Counter(reason.split(":")[0] for reason in reasons if reason and is_lost(reason))
    return Losses(asked, dict(sorted(counted.items())))


@dataclass(frozen=True)
class Usage:
    """What was asked of one model, in tokens, requests, seconds of waiting and the currency of its prices."""

    requests: int = 0
    cached: int = 0
    """requests answered from the cache, without a call"""
    repaired: int = 0
    lost: int = 0
    unreadable: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    prefix_tokens: int = 0
    """of the prompt tokens, those that the server had in its prefix cache"""
    reply_tokens: int = 0
    money: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(**{f.name: getattr(self, f.name) - getattr(other, f.name) for f in fields(self)})


class LanguageModel(Protocol):
    """One model in one role."""

    name: str
    """as its server names it"""
    role: str
    """extractor, normaliser, writer, closed_book or judge"""

    @property
    def usage(self) -> Usage:
        """Everything asked through this object so far."""
        ...

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may have together.

        Raises:
            Unreachable: it was never told, and the server does not answer.
        """
        ...

    @property
    def reply_tokens(self) -> int:
        """Tokens that a reply may have when a request does not say."""
        ...

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text: by the server's tokenizer, else an upper bound (bytes in UTF-8)."""
        ...

    def complete(self, requests: Sequence[ModelRequest]) -> Sequence[ModelReply]:
        """One reply per request, in order; equal requests are paid once, over runs too.

        Raises:
            BudgetSpent: the run's budget is used up; what was answered is kept.
        """
        ...
