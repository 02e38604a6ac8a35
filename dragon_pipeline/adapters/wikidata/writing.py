"""Writes an index: rows in any order into a staging database, sorted into the index at the end."""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from dragon_pipeline.adapters.wikidata.rows import Row
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.names import fold

APPLICATION = 0x44524757
"""of our SQLite files: "DRGW", see `PRAGMA application_id`"""
FORMAT = 1
"""raised when an older index can no longer be read"""
CACHE = 64
"""MiB that each of the two databases, and a sort, may hold in memory"""
PROBES = ("Орёл", "А. С. Пушкин", "А.С.Пушкин", "«Северсталь»", "Cевepсталь", "Санкт — Петербург", "O'Нил", "ﬁlm Ⅳ", "и др.")
RANGES = ((0x20, 0x530), (0x2000, 0x2070), (0x20A0, 0x2190))
"""code points that each stand in a probe of their own"""


class IndexWriter:
    """Fills an empty database.

    Raises (all methods):
        sqlite3.Error: it cannot be written, as on a full disk.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.counts = {"items": 0, "properties": 0, "names": 0, "statements": 0}
        self._seen = _Codes()
        self._digest = 0
        connection.isolation_level = None
        connection.execute("ATTACH DATABASE '' AS staging")  # a file without a name: it dies with this process
        for database in ("main", "staging"):
            connection.execute(f"PRAGMA {database}.journal_mode = OFF")
            connection.execute(f"PRAGMA {database}.synchronous = OFF")
            connection.execute(f"PRAGMA {database}.cache_size = -{CACHE * 1024}")
        connection.execute("BEGIN")
        for name in ("schema.sql", "staging.sql"):
            run(connection, name)

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Gives back the rows that were not taken: an entity that was there already."""
        new, repeated = [], []
        for row in rows:
            (new if self._seen.add(row.code) else repeated).append(row)
        for row in new:
            self._digest = (self._digest + row.digest) % 2**128
        self._insert("entities", ((row.code, row.label, row.description, row.sitelinks, row.types) for row in new))
        self._insert("statements", ((row.code, row.packed) for row in new if row.packed))
        self._insert("names", ((n, row.code % 2, row.sitelinks, alias, row.code) for row in new for n, alias in row.names))
        self.counts["items"] += sum(not row.code % 2 for row in new)
        self.counts["properties"] += sum(row.code % 2 for row in new)
        self.counts["names"] += sum(len(row.names) for row in new)
        self.counts["statements"] += sum(row.statements for row in new)
        return repeated

    def finish(self, about: Mapping[str, str]) -> None:
        """Sorts, and stores what is said of the index; the database is whole from here on."""
        run(self.connection, "sorting.sql")
        told = {**about, "folding": folding(), **{key: str(count) for key, count in self.counts.items()}}
        self.connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(told.items()))
        self.connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self.connection.execute(f"PRAGMA user_version = {FORMAT}")
        self.connection.execute("COMMIT")
        self.connection.execute("DETACH DATABASE staging")

    @property
    def digest(self) -> str:
        """12 hex digits of what is kept, whatever its order."""
        return hashlib.sha256(f"{FORMAT} {self._digest:032x} {folding()}".encode()).hexdigest()[:12]

    def _insert(self, table: str, rows: Iterable[tuple]) -> None:
        marks = {"entities": "?, ?, ?, ?, ?", "statements": "?, ?", "names": "?, ?, ?, ?, ?"}[table]
        self.connection.executemany(f"INSERT INTO staging.{table} VALUES ({marks})", rows)


class _Codes:
    """A set of codes in bits: 32 MB for a Wikidata of 130 million items."""

    PAGE = 1 << 16

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, code: int) -> bool:
        """Whether it is new."""
        number, place = divmod(code, self.PAGE)
        page = self._pages.get(number) or self._pages.setdefault(number, bytearray(self.PAGE // 8))
        byte, bit = place >> 3, 1 << (place & 7)
        if page[byte] & bit:
            return False
        page[byte] |= bit
        return True


@cache
def folding() -> str:
    """Tells one way of folding names from another: names of an index are found only by the way it was built with."""
    letters = [chr(point) for start, stop in RANGES for point in range(start, stop)]
    return content_id([fold(probe) for probe in (*PROBES, *(f"Аб{letter}В {letter}y{letter}" for letter in letters))])


def sql(name: str) -> str:
    return (files("dragon_pipeline.adapters.wikidata") / name).read_text(encoding="utf-8")


def run(connection: sqlite3.Connection, name: str) -> None:
    """Each statement of a file, inside the open transaction (`executescript` would commit it)."""
    statement = ""
    for line in sql(name).splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
