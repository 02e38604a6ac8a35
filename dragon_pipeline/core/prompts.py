"""Prompts: a file per language and task, rendered into messages. What is quoted in them is data and cannot give orders."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from dragon_pipeline.core.ids import content_id, sha256
from dragon_pipeline.core.language_model import Message

CONTROL = re.compile(r"<\|.{0,40}?\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?(?:think|tool_call|im_\w+)>")
"""What chat templates of common models take for the end of a message, or the start of another."""


@dataclass(frozen=True)
class Example:
    given: Mapping[str, str]
    """values of the placeholders"""
    reply: Any
    """valid under the prompt's schema; a string when there is none"""


@dataclass(frozen=True)
class Prompt:
    """The text of one task. `user` has `$placeholders`; `digest` names this version of it."""

    name: str
    digest: str
    system: str
    user: str
    schema: Mapping[str, Any] | None
    examples: Sequence[Example] = ()

    def messages(self, **values: str) -> tuple[Message, ...]:
        """System, the examples as turns, then the request itself."""
        told = [Message("system", self.system)]
        for example in self.examples:
            reply = example.reply if self.schema is None else json.dumps(example.reply, ensure_ascii=False)
            told += [Message("user", self._user(example.given)), Message("assistant", reply)]
        return (*told, Message("user", self._user(values)))

    def _user(self, values: Mapping[str, str]) -> str:
        return Template(self.user).substitute(values).strip()

    @classmethod
    def parse(cls, name: str, source: str, values: Mapping[str, Any]) -> "Prompt":
        """From a prompt file: `source` its text, `values` what it holds (system, user, schema, examples)."""
        examples = tuple(Example(one["given"], one["reply"]) for one in values.get("examples", ()))
        schema = values.get("schema")
        return cls(name, sha256(source.encode())[:16], values["system"].strip(), values["user"].strip(), schema, examples)


def quoted(text: str) -> str:
    """A text between fences that it cannot forge: they carry a hash of it, and what looks like a chat template is broken up."""
    text = CONTROL.sub(lambda found: found[0].replace("<", "‹").replace(">", "›").replace("[", "(").replace("]", ")"), text)
    fence = content_id("quoted", text)
    return f"<<<{fence}\n{text}\n{fence}>>>"
