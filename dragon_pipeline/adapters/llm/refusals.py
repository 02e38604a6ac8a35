"""What a server means by an error: that the request is at fault, the settings, or the server itself."""

import re
from collections.abc import Mapping
from typing import Any

_OVERFLOW = re.compile(
    r"context[ _]length|context[ _]size|context[ _]window|maximum context|max_model_len|exceed_context|prompt is too long"
    r"|input (?:is )?too long|longer than the maximum model length",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"content[ _-]?(?:filter|policy|moderation|management policy)|responsible_?ai_?policy|data_?inspection_?failed"
    r"|safety[ _](?:system|check|violation)|usage (?:guidelines|polic)|requires moderation|inappropriate content"
    r"|(?:unsafe|sensitive)[ _]content",
    re.IGNORECASE,
)
"""Codes and words of OpenAI, Azure, DashScope, xAI, OpenRouter and LiteLLM"""
_NO_MODEL = re.compile(
    r"model_not_(?:found|available)|\bmodel\b.{0,100}?\b(?:not found|(?:does )?not exist)|(?:invalid|unknown|no such) model"
    r"|not a valid model",
    re.IGNORECASE | re.DOTALL,
)
_OF_SETTINGS = ("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens")
"""parameters that are the same for every request"""
_OF_REQUEST = (400, 413, 422)


def reason_of(status: int, body: Mapping[str, Any], snippet: str) -> tuple[str, str]:
    """One of core.language_model.LOST or UNREADABLE, and what to say of it.

    `body`: the server's answer, empty when it was no JSON object; `snippet`: its beginning as text.
    """
    message = message_of(body) or snippet
    error = body.get("error")
    error = error if isinstance(error, Mapping) else body
    numbered = f"{status} {message}"
    if status == 429:
        return "rate_limited", message or "429"
    if status in (*_OF_REQUEST, 500) and _OVERFLOW.search(message):
        return "window_exceeded", message
    if status in (*_OF_REQUEST, 200, 403, 451) and body and _POLICY.search(f"{_codes(error)} {message}"):
        return "refused", message
    if status in (400, 404, 422) and _NO_MODEL.search(f"{error.get('code')} {message}"):
        return "other_model", message
    if status in _OF_REQUEST and error.get("param") not in _OF_SETTINGS:
        return "bad_request", numbered
    return "http_error", numbered


def message_of(body: Mapping[str, Any]) -> str:
    """What the server says of an error, in any of the usual places."""
    for name in ("error", "message", "detail"):
        told = body.get(name)
        if isinstance(told, Mapping):
            told = told.get("message") or told.get("type")
        if told:
            return str(told)
    return ""


def _codes(error: Mapping[str, Any]) -> str:
    inner = error.get("innererror")
    inner = inner.get("code") if isinstance(inner, Mapping) else None
    return f"{error.get('code')} {error.get('type')} {inner}"
