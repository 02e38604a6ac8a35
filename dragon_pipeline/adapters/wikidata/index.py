"""Wikidata in one SQLite file of folded names, made by `dragon wikidata build`; and the small one that comes bundled.

`bundled.jsonl` holds real items and properties (CC0): the items of a dump excerpt with their sitelinks and their item-valued
statements of normal and preferred rank, and labels of countries, cities, regions and professions. No property in it states an
inverse: the excerpt holds no properties.
"""

import json
import sqlite3
import struct
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Self
from urllib.parse import quote

from dragon_pipeline.adapters.wikidata.entries import Entry
from dragon_pipeline.adapters.wikidata.packing import unpack
from dragon_pipeline.adapters.wikidata.rows import code_of, id_of, row_of
from dragon_pipeline.adapters.wikidata.writing import APPLICATION, FORMAT, IndexWriter, folding, sql
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.ports import Entity, Stated, Statement

NAMESAKES = 50
"""entities that one name gives at most, the best known first"""
CACHE = 32
"""MiB of an index that an object holds in memory: the upper pages of the trees, which every lookup walks"""
ADVICE = "make it with `dragon wikidata build DUMP --language ru --out INDEX`"
OTHER = "was made by another version of this program, and names would not be found in it; build it again"


class WikidataIndex:
    """Implements ports.KnowledgeBase. Reads only; threads and processes may share the file."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection, self._name, self._lock = connection, name, threading.Lock()
        self._search, self._stated = sql("search.sql"), sql("stated.sql")
        self.about = dict(self._rows("SELECT key, value FROM about ORDER BY key"))
        """what the build said of it: revision, languages, counts, whether the dump was whole"""
        self.revision = self.about.get("revision", "unknown")

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """
        Raises:
            BadInput: it is no index, or one of another version, or not all of it is there.
        """
        path = Path(path)
        _check(path)
        uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        connection.execute(f"PRAGMA cache_size = -{CACHE * 1024}")
        index = cls(connection, str(path))
        if index.about.get("folding") != folding():
            raise BadInput(f"{path} {OTHER}")
        return index

    @classmethod
    def bundled(cls) -> Self:
        return cls._of(_bundled())

    @classmethod
    @cache
    def _of(cls, text: str) -> Self:
        return cls.of(map(_entry, text.splitlines()), f"bundled-{sha256(text.encode())[:12]}")

    @classmethod
    def of(cls, entries: Iterable[Entry], revision: str) -> Self:
        """One in memory."""
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        writer = IndexWriter(connection)
        writer.add(map(row_of, entries))
        writer.finish({"revision": revision})
        return cls(connection, revision)

    def search(self, names: Sequence[str], kind: str) -> Sequence[Sequence[Entity]]:
        """As the port says; the best known first, at most `NAMESAKES`.

        Raises:
            BadInput: the file is damaged.
        """
        is_property = {"item": 0, "property": 1}[kind]
        found = [self._rows(self._search, fold(name), is_property, NAMESAKES) for name in names]
        return [[_entity(*row) for row in rows] for rows in found]

    def stated(self, subjects: Sequence[str]) -> Mapping[str, Stated]:
        """As the port says.

        Raises:
            BadInput: the file is damaged.
        """
        return {subject: Stated(self.revision, tuple(self._statements(subject))) for subject in subjects}

    def examine(self) -> str:
        """For `dragon doctor`."""
        kept = ", ".join(f"{int(self.about[what]):,} {what}" for what in ("items", "properties", "statements"))
        languages = f" with names in {self.about['languages']}" if "languages" in self.about else ""
        lost = "; its dump was cut: what it lost is taken for new" if self.about.get("whole") == "false" else ""
        return f"revision {self.revision}: {kept}{languages}{lost}"

    def _statements(self, subject: str) -> Iterable[Statement]:
        if (code := code_of(subject)) is None:
            return
        for (packed,) in self._rows(self._stated, code):
            yield from (Statement(known, subject, name, value) for known, name, value in unpack(subject, packed))

    def _rows(self, statement: str, *values: object) -> list[tuple]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{self._name} cannot be read ({error}); {ADVICE}") from None


def _entity(code: int, label: str, description: str, alias: int, sitelinks: int, types: str) -> Entity:
    return Entity(id_of(code), label, description, "alias" if alias else "label", sitelinks, tuple(types.split()))


def is_index(path: Path) -> bool:
    """Whether a file begins as an index does, of whatever version."""
    with path.open("rb") as file:
        head = file.read(72)
    return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION.to_bytes(4)


def _check(path: Path) -> None:
    """By the file's header (https://www.sqlite.org/fileformat.html), before SQLite says less of it."""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file; {ADVICE}")
    if not is_index(path):
        raise BadInput(f"{path} is no Wikidata index; {ADVICE}")
    with path.open("rb") as file:
        head = file.read(100)
    (page,), (pages,), (version,) = (struct.unpack_from(form, head, at) for form, at in ((">H", 16), (">I", 28), (">I", 60)))
    if path.stat().st_size < pages * page:
        raise BadInput(f"{path} is cut: {path.stat().st_size} of {pages * page} bytes are there; copy it again")
    if version != FORMAT:
        raise BadInput(f"{path} {OTHER}")


def _entry(line: str) -> Entry:
    told = json.loads(line)
    return Entry(
        wikidata_id=told["id"],
        label=told["label"],
        description=told["description"],
        names=((told["label"], "label"), *((alias, "alias") for alias in told["aliases"])),
        sitelinks=told.get("sitelinks", 0),
        statements=tuple(map(tuple, told["statements"])),
    )


def _bundled() -> str:
    return (files("dragon_pipeline.adapters.wikidata") / "bundled.jsonl").read_text(encoding="utf-8")
