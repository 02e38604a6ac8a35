import gzip
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.adapters.store.scanning import that_tell

SECRET = "Глафира Зимородкова открыла мастерскую"


def hits(texts: Sequence[str]) -> list[bool]:
    return [SECRET in text for text in texts]


def table(path: Path) -> None:
    pl.DataFrame({"a": [1], "b": ["иное"], "c": [["иное", SECRET]]}).write_parquet(path)


def database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a TEXT)")
        connection.execute("INSERT INTO t VALUES (?)", ("х" * 9_000 + SECRET,))


@pytest.mark.parametrize(
    "make",
    [
        table,
        database,
        lambda path: path.write_text(SECRET),
        lambda path: path.write_bytes(SECRET.encode("cp1251")),
        lambda path: path.write_bytes(gzip.compress(SECRET.encode())),
        lambda path: path.write_bytes(b"\0\xff" + SECRET.encode() + b"\xfe"),
    ],
    ids=["parquet", "sqlite", "utf-8", "windows-1251", "gzip", "binary"],
)
def test_it_is_found_in_every_kind_of_file(tmp_path: Path, make):
    make(tmp_path / "file")
    (tmp_path / "other").write_text("иное")
    assert list(that_tell(sorted(tmp_path.iterdir()), hits)) == [tmp_path / "file"]


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b", b"PAR1", b"PAR1 no table PAR1", b"SQLite format 3\0 torn"])
def test_torn_files_tell_nothing_and_break_nothing(tmp_path: Path, data: bytes):
    (tmp_path / "file").write_bytes(data)
    assert list(that_tell([tmp_path / "file", tmp_path / "gone"], hits)) == []
