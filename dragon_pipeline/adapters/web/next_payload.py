"""The JSON that Next.js pages carry: `__NEXT_DATA__`, and since its version 13 the rows that `self.__next_f.push` streams."""

import re
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from lxml.html import HtmlElement

from dragon_pipeline.adapters.web import payloads
from dragon_pipeline.adapters.web.payloads import Found
from dragon_pipeline.adapters.web.steps import NextPayload
from dragon_pipeline.adapters.web.tree import select

PUSH = "self.__next_f.push("
ROW = re.compile(rb"([0-9a-f]+):")
LONG_TEXT = re.compile(rb"T([0-9a-f]{1,8}),")
REFERENCE = re.compile(r"\$([0-9a-f]+)")
MARKERS = re.compile(r"^(?:[A-Z]{1,2})?(?=[\[{\"])")


def find(step: NextPayload, tree: HtmlElement) -> Found:
    """What the payload's article says of itself."""
    data = next((payloads.parse(line_) for line_ in map(_source, select(tree, step.script)) if line_), None)
    rows: dict[str, Any] = {} if data is not None else _rows(tree)
    article = _article(step, data if data is not None else list(rows.values()))
    return {name: payloads.strings(_resolved(_search(path, article), rows)) for name, path in step.fields.items()}


def _source(node: Any) -> str:
    return node if isinstance(node, str) else node.text or ""


def _article(step: NextPayload, data: Any) -> Any:
    place = _search(step.root, data) if step.root else data
    if not step.has:
        return place
    return next((found for found in payloads.objects(place) if all(key in found for key in step.has)), None)


def _rows(tree: HtmlElement) -> dict[str, Any]:
    """The streamed rows by id: values, and long texts, which stand alone and are referred to as `$id`."""
    chunks = ((script.text or "").partition(PUSH)[2].rpartition(")")[0] for script in tree.iter("script"))
    pieces = (payloads.parse(chunk) for chunk in chunks if chunk)
    stream = "".join(piece[1] for piece in pieces if isinstance(piece, list) and len(piece) > 1 and isinstance(piece[1], str))
    return _read(stream.encode("utf-8", "replace"))


def _read(stream: bytes) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    at = 0
    while found := ROW.match(stream, at):
        long = LONG_TEXT.match(stream, found.end())
        end = stream.find(b"\n", found.end())
        if long:  # counted in bytes, and not ended by a newline
            end = long.end() + int(long[1], 16)
            rows[found[1].decode()] = stream[long.end() : end].decode("utf-8", "replace")
            at = end
            continue
        row = stream[found.end() : end if end >= 0 else len(stream)].decode("utf-8", "replace")
        rows[found[1].decode()] = payloads.parse(MARKERS.sub("", row, count=1))
        at = end + 1 if end >= 0 else len(stream)
    return rows


def _resolved(value: Any, rows: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_resolved(item, rows) if isinstance(item, str) else item for item in value]
    reference = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return rows.get(reference[1], value) if reference else value


def _search(path: str, data: Any) -> Any:
    try:
        return jmespath.search(path, data)
    except (JMESPathError, RecursionError):
        return None
