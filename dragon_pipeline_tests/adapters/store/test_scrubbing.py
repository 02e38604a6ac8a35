import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder, forget_vectors
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.llm.cache import SqliteReplyCache
from dragon_pipeline.adapters.store.scrubbing import GONE, delete_rows, replace_texts

SECRET = "Глафира Зимородкова открыла мастерскую"


def hits(texts: Sequence[str]) -> list[bool]:
    return [SECRET in text or json.dumps(SECRET)[1:-1] in text for text in texts]


def test_replies_that_tell_of_it_are_gone_from_the_file_and_others_stay(tmp_path: Path):
    path = tmp_path / "models.sqlite"
    cache = SqliteReplyCache(path)
    cache.store("reply", {f"k{n}": f"{SECRET if n % 2 else 'иное'} {n}" * 50 for n in range(40)})
    assert delete_rows(path, hits) == 20
    assert set(cache.find("reply", [f"k{n}" for n in range(40)])) == {f"k{n}" for n in range(0, 40, 2)}
    cache.close()
    assert [file for file in tmp_path.iterdir() if SECRET.encode() in file.read_bytes()] == []


def test_texts_inside_of_json_are_replaced_and_the_rest_stays(tmp_path: Path):
    path = tmp_path / "events.db"
    event = {"type": "x", "data": [{"text": SECRET}, {"text": "иное"}, 1, None], SECRET: 2}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT, note TEXT)")
        rows = [(json.dumps(event), SECRET), (json.dumps({"a": 1}), "иное"), (None, None), ("не JSON", "5")]
        connection.executemany("INSERT INTO events (event, note) VALUES (?, ?)", rows)
    assert replace_texts(path, hits) == 1
    with closing(sqlite3.connect(path)) as connection:
        first, *rest = connection.execute("SELECT event, note FROM events ORDER BY id").fetchall()
    assert json.loads(first[0])["data"] == [{"text": GONE}, {"text": "иное"}, 1, None]
    assert first[1] == GONE
    assert rest == rows[1:]


def test_nothing_is_written_where_nothing_hits(tmp_path: Path):
    path = tmp_path / "events.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE events (event TEXT)")
        connection.execute("INSERT INTO events VALUES ('иное')")
    before = path.read_bytes()
    assert (delete_rows(path, hits), replace_texts(path, hits)) == (0, 0)
    assert path.read_bytes() == before


def test_what_is_no_database_is_named(tmp_path: Path):
    path = tmp_path / "events.db"
    path.write_bytes(b"no database at all, and long enough to be none" * 100)
    with pytest.raises(OSError, match=r"events\.db"):
        delete_rows(path, hits)


def test_vectors_are_forgotten_by_their_texts(tmp_path: Path):
    path = tmp_path / "embeddings.sqlite"
    CachedEmbedder(FakeEmbedder(), path).queries([SECRET, "иное"])
    CachedEmbedder(FakeEmbedder(), path).passages([SECRET])
    assert forget_vectors(path, [SECRET, "не бывало"]) == 2
    assert forget_vectors(path, [SECRET]) == 0
    assert forget_vectors(tmp_path / "none.sqlite", [SECRET]) == 0
    assert not (tmp_path / "none.sqlite").exists()
