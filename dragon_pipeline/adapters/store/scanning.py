"""What can be read in any file of a home: tables, compressed pages, databases, plain text."""

import gzip
import io
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import polars as pl
from upath import UPath

from dragon_pipeline.core.corpus.traces import readable

Hits = Callable[[Sequence[str]], Sequence[bool]]
"""Which texts tell of what is looked for."""
File = TypeVar("File", bound=Path | UPath)
AT_ONCE = 20_000_000
"""characters"""
GZIP, PARQUET, SQLITE = b"\x1f\x8b", b"PAR1", b"SQLite format 3\0"
BATCH = 2_000
"""rows of a database read at once"""


def that_tell(paths: Iterable[File], hits: Hits) -> Iterator[File]:
    """The files with anything in them that hits: in tables and databases by cells, compressed or not. Many are asked of at
    once, as asking costs more than reading."""
    owners: list[File] = []
    texts: list[str] = []
    size = 0
    for path in paths:
        for text in _texts_of(path):
            owners.append(path)
            texts.append(text)
            size += len(text)
        if size > AT_ONCE:
            yield from dict.fromkeys(owner for owner, hit in zip(owners, hits(texts), strict=True) if hit)
            owners, texts, size = [], [], 0
    yield from dict.fromkeys(owner for owner, hit in zip(owners, hits(texts), strict=True) if hit)


def tells(data: bytes, hits: Hits) -> bool:
    """The same of a file's content."""
    return any(any(hits(texts)) for texts in texts_in(data))


def _texts_of(path: Path | UPath) -> Iterator[str]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return
    for texts in texts_in(data):
        yield from texts
    if data.startswith(SQLITE):
        for texts in rows_of(Path(str(path))):
            yield from texts


def texts_in(data: bytes) -> Iterator[list[str]]:
    """The texts of a file's content, whatever kind of file it is."""
    if data.startswith(GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            pass
    if data.startswith(PARQUET):
        try:
            yield from _cells(pl.read_parquet(io.BytesIO(data)))
            return
        except (pl.exceptions.PolarsError, OSError):
            pass
    yield [decoded(data)]


def decoded(data: bytes) -> str:
    """As UTF-8, or as windows-1251 where that is no UTF-8; bytes that are neither stand as they can."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4 and data.count(b"\0") == 0 and b"\xd0" not in data[:2000]:
            return data.decode("cp1251", "replace")
        return data.decode("utf-8", "replace")


def rows_of(path: Path) -> Iterator[list[str]]:
    """The texts in the rows of a SQLite file; what a page boundary tears apart in its bytes is whole here."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as connection:
            for table in tables_of(connection):
                cursor = connection.execute(f'SELECT * FROM "{table}"')
                while rows := cursor.fetchmany(BATCH):
                    yield [readable(" ".join(value for value in row if isinstance(value, str))) for row in rows]
    except sqlite3.Error:
        return


def tables_of(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return [name for (name,) in found.fetchall()]


def _cells(frame: pl.DataFrame) -> Iterator[list[str]]:
    for name, dtype in frame.schema.items():
        if dtype == pl.List(pl.String):
            yield frame[name].explode().drop_nulls().to_list()
        elif dtype == pl.String:
            yield frame[name].drop_nulls().to_list()
