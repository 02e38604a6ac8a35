"""Plain values out of the JSON that pages carry. Nothing in it may raise."""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Found = Mapping[str, str | Sequence[str] | None]
"""Field of a page → its raw value; of the text, a paragraph each"""
MOST_NODES = 200_000
BREAKS = re.compile(r"(?i)<(?:br|/p|/div|/li|/h[1-6]|/blockquote)\b[^<>]*>")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")
ENDLESS = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")
"""a reference to no character, with more digits than Python reads"""


def parse(text: str) -> Any:
    """The value of a JSON text; None for what is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def objects(data: Any) -> Iterator[dict]:
    """Every object in a payload, outer ones first, in the order of the text."""
    waiting, seen = [data], 0
    while waiting and seen < MOST_NODES:
        item = waiting.pop()
        seen += 1
        if isinstance(item, dict):
            yield item
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def string(value: Any) -> str | None:
    """A string or number as plain text: markup removed, also escaped markup; lines and blocks kept as lines."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = str(value)
    for _ in range(2):
        if "<" in text:
            text = TAG.sub("", BREAKS.sub("\n", text))
        if "&" not in text:
            break
        text = html.unescape(ENDLESS.sub("\ufffd", text))
    return text


def strings(value: Any) -> str | list[str] | None:
    if isinstance(value, list):
        return [text for item in value if (text := string(item))]
    return string(value)


def names(value: Any) -> str | None:
    """`"A"`, `{"name": "A"}`, or a list of either, as `A, B`."""
    items = value if isinstance(value, list) else [value]
    found = [string(item.get("name")) if isinstance(item, dict) else string(item) for item in items]
    return ", ".join(dict.fromkeys(name for name in found if name)) or None
