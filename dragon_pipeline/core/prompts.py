"""Prompts: a file per language and task, rendered into messages. What is filled in is data and cannot give orders.

Every value of a placeholder goes between fences (`quoted`), in the examples as in the request: there is no way to render a
prompt without them. Articles are the world's, so nothing in them may look like the end of a message, a fence or a turn.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Template
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import content_id, sha256
from dragon_pipeline.core.language_model import Message

_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]")
"""Zero width, direction marks, tags: what a reader does not see and a model does."""
_UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufff0-\ufff8\ufffe\uffff]")
_BRACKETED = re.compile(r"\[(/?[^\W\d]\w{0,40})\]")
"""Mistral's and LLaMA 2's control tokens: [INST], [/INST], [TOOL_CALLS], [control_7]; `[12]` is none."""
_ANGLES = str.maketrans("<>＜＞", "‹›‹›")
"""All other chat templates keep their control tokens in angle brackets, and so do our fences."""
FENCE = 8
"""hex digits of a fence"""


class Fenced(str):
    """A text that stands between fences already."""

    __slots__ = ()


@dataclass(frozen=True)
class Example:
    given: Mapping[str, str]
    """values of the placeholders"""
    reply: Any
    """valid under the prompt's schema; a string when there is none"""


@dataclass(frozen=True)
class Prompt:
    """The text of one task. `user` has `$placeholders` (`$$` is a dollar); `digest` names this version of it."""

    name: str
    digest: str
    system: str
    user: str
    schema: Mapping[str, Any] | None
    examples: Sequence[Example] = ()

    def messages(self, **values: str) -> tuple[Message, ...]:
        """System, the examples as turns, then the request itself; every value is fenced unless it is already.

        Raises:
            TypeError: a placeholder has no value, or a value no placeholder.
        """
        return (*self.opening, Message("user", self._user(values)))

    @cached_property
    def opening(self) -> tuple[Message, ...]:
        """What every request of this prompt begins with, byte for byte, so that a server keeps it in its prefix cache."""
        told = [Message("system", self.system)]
        for example in self.examples:
            reply = example.reply if self.schema is None else spelled(example.reply)
            told += [Message("user", self._user(example.given)), Message("assistant", reply)]
        return tuple(told)

    @cached_property
    def placeholders(self) -> frozenset[str]:
        return frozenset(Template(self.user).get_identifiers())

    def _user(self, values: Mapping[str, str]) -> str:
        if values.keys() != self.placeholders:
            raise TypeError(f"prompt {self.name}: it takes {sorted(self.placeholders)}, given were {sorted(values)}")
        fenced = {name: value if isinstance(value, Fenced) else quoted(value) for name, value in values.items()}
        return Template(self.user).substitute(fenced).strip()

    @classmethod
    def parse(cls, name: str, source: str, values: Any) -> "Prompt":
        """From a prompt file: `source` its text, `values` what it holds (system, user, schema, examples).

        Raises:
            BadInput: it holds other keys or types, an example lacks a placeholder, or its reply breaks the schema.
        """
        _check(name, isinstance(values, dict), "not a mapping")
        _check(name, {"system", "user"} <= values.keys() <= {"system", "user", "schema", "examples"},
               f"it holds {', '.join(sorted(map(str, values)))}; wanted are system, user, schema, examples")  # fmt: skip
        schema = values.get("schema")
        examples = tuple(_example(name, one) for one in values.get("examples") or ())
        for key in ("system", "user"):
            _check(name, isinstance(values[key], str) and values[key].strip() != "", f"{key} is no text")
        _check(name, Template(values["user"]).is_valid(), "a $ in `user` begins no placeholder; write $$ for a dollar")
        prompt = cls(name, sha256(source.encode())[:16], values["system"].strip(), values["user"].strip(), schema, examples)
        for number, example in enumerate(examples, start=1):
            fault = _fault(name, schema, example.reply)
            _check(name, fault is None, f"reply of example {number}: {fault}")
            missing = prompt.placeholders ^ example.given.keys()
            _check(name, not missing, f"example {number}: {', '.join(sorted(missing))} is missing, or no placeholder")
        return prompt


def quoted(text: str) -> Fenced:
    """A text between fences that it cannot forge: no angle bracket is left in it, and the fences carry a hash of it.

    Control tokens of chat templates are broken up, characters that nobody sees are left out; all else stays as it is.
    """
    text = plain(text)
    fence = content_id("quoted", text)[:FENCE]
    return Fenced(f"<<<{fence}\n{text}\n{fence}>>>")


def plain(text: str) -> str:
    """A text of the world without anything that a chat template or `quoted` gives a meaning to."""
    return _BRACKETED.sub(r"(\1)", visible(text).translate(_ANGLES))


def visible(text: str) -> str:
    """A text without characters that nobody sees; control characters become spaces."""
    return _UNPRINTED.sub(" ", _INVISIBLE.sub("", text))


def line(text: str, most: int | None = None) -> str:
    """A plain text on one line, at most `most` characters long (an ellipsis ends a longer one).

    Square brackets become round: a list whose items begin with `[1]` cannot be continued from inside one.
    """
    flat = " ".join(plain(text).split()).replace("[", "(").replace("]", ")")
    return flat if most is None or len(flat) <= most else flat[: most - 1].rstrip() + "…"


def spelled(value: Any) -> str:
    """JSON as the replies of examples are written: on one line, with a space behind each comma and colon. A server that
    constrains replies and forbids other white space (xgrammar) lets a model write it in this way alone."""
    return json.dumps(value, ensure_ascii=False)


def _example(name: str, one: Any) -> Example:
    _check(name, isinstance(one, dict) and one.keys() == {"given", "reply"}, "an example holds `given` and `reply`")
    given = one["given"]
    _check(name, isinstance(given, dict), "`given` of an example maps placeholders to texts")
    for placeholder, value in given.items():
        _check(name, isinstance(value, str), f"{placeholder} of an example is {value!r}, no text: put it in quotes")
    return Example(given, one["reply"])


def _fault(name: str, schema: Any, reply: Any) -> str | None:
    """How an example's reply breaks the schema."""
    if schema is None:
        return None if isinstance(reply, str) else "not a text, and there is no schema"
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise BadInput(f"prompt {name}: its schema is none: {error.message}") from error
    error = best_match(Draft202012Validator(schema).iter_errors(reply))
    return None if error is None else f"{error.json_path}: {error.message}"


def _check(name: str, holds: bool, fault: str) -> None:
    if not holds:
        raise BadInput(f"prompt {name}: {fault}")
