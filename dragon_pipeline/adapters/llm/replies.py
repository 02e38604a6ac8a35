"""What a model wrote, read: JSON under a schema, or text."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.core.language_model import Message, ModelReply
from dragon_pipeline.core.prompts import line, plain

ENDLESS = 16
"""white space at the end of a reply that hit its limit: more is taken for a loop"""
QUOTED = 4000
"""characters of a bad reply that are shown to the model again"""

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>|\A.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"```(?:json|JSON)?\s*\n(.*?)\n?\s*```", re.DOTALL)


def read(text: str, finish: str, schema: Mapping[str, Any] | None) -> ModelReply:
    """`finish`: why the model stopped (see Answer)."""
    if finish == "content_filter":
        return ModelReply(text, reason="refused")
    said = without_thoughts(text)
    if schema is None:
        reason = _cut(text) if finish == "length" else None if said.strip() else "empty"
        return ModelReply(text if said == text else said.strip(), reason=reason)
    if not said.strip() and finish != "length":
        return ModelReply(text, reason="empty")
    value, fault = _parse(said)
    if fault is not None:
        return ModelReply(text, reason=_cut(text) if finish == "length" else f"invalid_json: {fault}")
    wrong = what_is_wrong(value, schema)
    return ModelReply(text, reason=f"against_schema: {wrong}") if wrong else ModelReply(text, value)


def without_thoughts(text: str) -> str:
    """What follows the thinking that some models write down first."""
    return _THOUGHT.sub("", text, count=1)


def repairable(reply: ModelReply) -> bool:
    return reply.reason is not None and reply.reason.split(":")[0] in ("invalid_json", "against_schema")


def repair_of(call: Call, reply: ModelReply) -> Call:
    """The same conversation, the bad reply, and what is wrong with it."""
    told = Template(_repair_text()).substitute(
        fault=line((reply.reason or "").partition(": ")[2]), schema=json.dumps(call.schema, ensure_ascii=False)
    )
    return call.go_on(Message("assistant", plain((reply.text or "")[:QUOTED])), Message("user", told))


def what_is_wrong(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The weightiest breach of the schema, with its place; None when there is none."""
    error = best_match(_validator(json.dumps(schema)).iter_errors(value))
    if error is None:
        return None
    message = error.message if len(error.message) <= 200 else f"…{error.message[-200:]}"
    return f"{error.json_path} {message}"


def _cut(text: str) -> str:
    """Why a reply that hit its limit is no use."""
    return "endless_whitespace" if len(text) - len(text.rstrip()) >= ENDLESS else "cut_off"


def _parse(said: str) -> tuple[Any, str | None]:
    """The value, or what is wrong."""
    fault = None
    for body in (said, *_FENCED.findall(said)[:1]):
        try:
            return json.loads(body, parse_constant=_refuse), None
        except RecursionError:
            fault = "nested too deeply"
        except ValueError as error:
            fault = fault or str(error)
    return None, fault


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


@lru_cache(maxsize=256)
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


@lru_cache(maxsize=1)
def _repair_text() -> str:
    return (files("dragon_pipeline.adapters.llm") / "repair.txt").read_text("utf-8").strip()
