"""The statements of one subject as one value of the index: 25 bytes each where their ids are built as Wikidata builds them."""

import json
import struct
from collections.abc import Iterator, Sequence

Triple = tuple[str, str, str]
"""(statement id, property, object)"""

_ONE = struct.Struct(">BII16s")
"""flags, number of the property, number of the object, the statement's UUID"""
_LOWER_SUBJECT, _LOWER_UUID, _TO_PROPERTY = 1, 2, 4


def pack(subject: str, statements: Sequence[Triple]) -> bytes | str:
    """Bytes, or JSON when an id is built in another way: `unpack` gives back exactly what went in."""
    try:
        packed = b"".join(_pack(subject, *one) for one in statements)
    except (ValueError, struct.error):
        packed = b""
    if list(unpack(subject, packed)) == list(statements):
        return packed
    return json.dumps(statements, ensure_ascii=False, separators=(",", ":"))


def unpack(subject: str, packed: bytes | str) -> Iterator[Triple]:
    if isinstance(packed, str):
        yield from map(tuple, json.loads(packed))
        return
    for flags, name, value, number in _ONE.iter_unpack(packed):
        text = number.hex() if flags & _LOWER_UUID else number.hex().upper()
        uuid = f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
        prefix = subject.lower() if flags & _LOWER_SUBJECT else subject
        yield f"{prefix}${uuid}", f"P{name}", f"{'P' if flags & _TO_PROPERTY else 'Q'}{value}"


def _pack(subject: str, statement_id: str, name: str, value: str) -> bytes:
    prefix, _, uuid = statement_id.partition("$")
    flags = _LOWER_SUBJECT if prefix != subject else 0
    flags |= _LOWER_UUID if uuid != uuid.upper() else 0
    flags |= _TO_PROPERTY if value.startswith("P") else 0
    return _ONE.pack(flags, int(name[1:]), int(value[1:]), bytes.fromhex(uuid.replace("-", "")))
