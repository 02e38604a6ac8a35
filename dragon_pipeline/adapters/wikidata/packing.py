"""The statements of one subject as one value of the index: 25 bytes each where their ids are built as Wikidata builds them."""

import json
import re
import struct
from collections.abc import Iterator, Sequence

Triple = tuple[str, str, str]
"""(statement id, property, object)"""

_ONE = struct.Struct(">BII16s")
"""flags, number of the property, number of the object, the statement's UUID"""
_UUID = re.compile("[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_LOWER_SUBJECT, _LOWER_UUID, _TO_PROPERTY = 1, 2, 4


def pack(subject: str, statements: Sequence[Triple]) -> bytes | str:
    """Bytes, or JSON when an id is built in another way: `unpack` gives back exactly what went in."""
    packed = [_pack(subject, *one) for one in statements]
    if None in packed:
        return json.dumps(statements, ensure_ascii=False, separators=(",", ":"))
    return b"".join(one for one in packed if one)


def unpack(subject: str, packed: bytes | str) -> Iterator[Triple]:
    if isinstance(packed, str):
        yield from map(tuple, json.loads(packed))
        return
    for flags, name, value, number in _ONE.iter_unpack(packed):
        text = number.hex() if flags & _LOWER_UUID else number.hex().upper()
        uuid = f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
        prefix = subject.lower() if flags & _LOWER_SUBJECT else subject
        yield f"{prefix}${uuid}", f"P{name}", f"{'P' if flags & _TO_PROPERTY else 'Q'}{value}"


def _pack(subject: str, statement_id: str, name: str, value: str) -> bytes | None:
    prefix, _, uuid = statement_id.partition("$")
    if not (found := _UUID.fullmatch(uuid)):
        return None
    flags = _LOWER_UUID if found[1] else 0
    if prefix != subject:
        if prefix != subject.lower():
            return None
        flags |= _LOWER_SUBJECT
    if value[0] == "P":
        flags |= _TO_PROPERTY
    return _ONE.pack(flags, int(name[1:]), int(value[1:]), bytes.fromhex(uuid.replace("-", "")))
