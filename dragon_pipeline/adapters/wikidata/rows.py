"""From lines of a dump to rows of the index. Runs in worker processes, so it imports little."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import orjson

from dragon_pipeline.adapters.wikidata.entries import KINDS, MUL, Entry, Faulty, kind_of, number_of, read_entry
from dragon_pipeline.adapters.wikidata.packing import pack
from dragon_pipeline.core.knowledge.names import fold

_MODIFIED = re.compile(rb'"modified"\s*:\s*"(\d{4}-\d\d-\d\d)T')
SAMPLE = 80
"""bytes of a faulty line that the report shows, of its beginning and of its end"""


@dataclass(frozen=True)
class Fault:
    reason: str
    line: int
    sample: str


@dataclass(frozen=True, slots=True)
class Row:
    """An entity as the index holds it."""

    line: int
    code: int
    label: str
    description: str
    sitelinks: int
    types: str
    names: tuple[tuple[str, bool], ...]
    """(folded name, is it an alias)"""
    packed: bytes | str
    statements: int
    digest: int
    """of all this, 128 bits"""


@dataclass
class Parsed:
    """What came of some lines."""

    rows: list[Row] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    newest: str = ""
    """date of the latest edit of an entity, whether it is kept or not"""


def code_of(wikidata_id: str) -> int | None:
    """The index's number of an id; None for what is no id of an item or property."""
    for last, initial in enumerate(KINDS.values()):
        if (number := number_of(wikidata_id, initial)) is not None:
            return 2 * number + last
    return None


def id_of(code: int) -> str:
    return f"{'QP'[code % 2]}{code // 2}"


def parse(lines: Iterable[tuple[int, bytes]], languages: Sequence[str]) -> Parsed:
    """Reads entities, one a line, without the comma behind it."""
    parsed = Parsed()
    keys = [f'"{language}"'.encode() for language in {*languages, MUL}]
    for number, line in lines:
        place = line.rfind(b'"modified"')
        if place >= 0 and (found := _MODIFIED.match(line, place)):
            parsed.newest = max(parsed.newest, found[1].decode())
        # Finding a key is ten times faster than parsing, and most items have no name in most languages. A line that does not
        # look whole is parsed, so that it is told as faulty.
        if line.startswith(b"{") and line.endswith(b"}") and not any(key in line for key in keys):
            parsed.skipped["no_label"] += 1
            continue
        _parse(number, line, languages, parsed)
    return parsed


def _parse(number: int, line: bytes, languages: Sequence[str], parsed: Parsed) -> None:
    reasons: list[str] = []
    try:
        entity = orjson.loads(line)
        if not isinstance(entity, dict):
            raise Faulty("no_entity")
        kind = kind_of(entity)
        entry = read_entry(entity, languages, reasons) if kind in KINDS else None
        if entry:
            parsed.rows.append(row_of(entry, number))
        else:
            parsed.skipped["no_label" if kind in KINDS else kind] += 1
    except orjson.JSONDecodeError:
        reasons.append("broken_json" if _is_text(line) else "bad_utf8")
    except Faulty as fault:
        reasons.append(str(fault))
    parsed.faults += [Fault(reason, number, sample(line)) for reason in reasons]


def row_of(entry: Entry, line: int = 0) -> Row:
    code = code_of(entry.wikidata_id)
    assert code is not None  # kind_of has looked
    names: dict[str, bool] = {}
    for name, match in entry.names:
        if folded := fold(name):
            names.setdefault(folded, match == "alias")
    kept = (
        code,
        entry.label,
        entry.description,
        entry.sitelinks,
        " ".join(entry.types),
        tuple(names.items()),
        pack(entry.wikidata_id, entry.statements),
        len(entry.statements),
    )
    told = orjson.dumps(kept, default=bytes.hex)
    return Row(line, *kept, digest=int.from_bytes(hashlib.blake2b(told, digest_size=16).digest()))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def sample(line: bytes) -> str:
    shown = line if len(line) <= 2 * SAMPLE else line[:SAMPLE] + b" \xe2\x80\xa6 " + line[-SAMPLE:]
    return shown.decode(errors="replace")
