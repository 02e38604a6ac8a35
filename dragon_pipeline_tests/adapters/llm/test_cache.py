import sqlite3
import threading

import pytest

from dragon_pipeline.adapters.database import LOOKED_UP, Database
from dragon_pipeline.adapters.llm.cache import SqliteReplyCache
from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.core.settings import ModelSettings
from dragon_pipeline_tests.adapters.llm.model_server import ask


@pytest.fixture
def cache(tmp_path):
    cache = SqliteReplyCache(tmp_path / "folder" / "models.sqlite")
    yield cache
    cache.close()


def test_what_was_stored_is_found_and_nothing_else(cache):
    cache.store("reply", {"a": "раз", "b": ""})
    assert cache.find("reply", ["a", "b", "c"]) == {"a": "раз", "b": ""}
    assert cache.find("count", ["a"]) == {}
    assert cache.find("reply", []) == {}


def test_the_first_reply_stays_so_that_all_see_the_same(cache):
    cache.store("reply", {"a": "раз"})
    cache.store("reply", {"a": "два", "b": "три"})
    assert cache.find("reply", ["a", "b"]) == {"a": "раз", "b": "три"}
    cache.store("reply", {"a": "два"}, replace=True)
    assert cache.find("reply", ["a"]) == {"a": "два"}


def test_who_was_slower_takes_the_reply_of_who_was_faster(world):
    other = SqliteReplyCache(world.cache)

    def answer(body):
        call = Call.of(ask("раз"), ModelSettings(model="m", max_tokens=64))
        other.store("reply", {call.key: "быстрый"})
        return "медленный"

    model = world.model(world.serve(answer=answer))
    assert model.complete([ask("раз")])[0].text == "быстрый" == model.complete([ask("раз")])[0].text
    assert model.usage.cached == 1
    other.close()


def test_what_was_kept_by_another_way_of_reading_is_asked_for_again_and_replaced(world):
    schema = {"type": "object"}
    call = Call.of(ask("раз", schema), ModelSettings(model="m", max_tokens=64))
    cache = SqliteReplyCache(world.cache)
    cache.store("reply", {call.key: "не JSON"})
    server = world.serve(answer=lambda body: "{}")
    assert world.model(server).complete([ask("раз", schema)])[0].value == {}
    assert cache.find("reply", [call.key]) == {call.key: "{}"}
    cache.close()


def test_more_keys_than_one_query_holds_are_found(cache):
    values = {str(number): str(-number) for number in range(2 * LOOKED_UP + 1)}
    cache.store("count", values)
    assert cache.find("count", list(values)) == values


def test_half_a_character_does_not_break_the_file(cache):
    cache.store("reply", {"a": "x\ud83dy\x00z"})
    assert cache.find("reply", ["a"]) == {"a": "x?y\x00z"}


def test_threads_share_one_cache(cache):
    def write(thread):
        for number in range(50):
            cache.store("reply", {f"{thread} {number}": str(number)})

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keys = [f"{thread} {number}" for thread in range(4) for number in range(50)]
    assert len(cache.find("reply", keys)) == 200


def test_a_file_that_is_no_cache_is_named(tmp_path):
    (tmp_path / "models.sqlite").write_text("это не база данных, " * 100)
    with pytest.raises(OSError, match=r"models\.sqlite"):
        SqliteReplyCache(tmp_path / "models.sqlite").find("reply", ["a"])


def test_a_transaction_that_fails_leaves_nothing_and_hinders_nobody(tmp_path):
    database = Database(tmp_path / "d.sqlite", "CREATE TABLE IF NOT EXISTS t (x)")
    with pytest.raises(KeyboardInterrupt), database.writing() as connection:
        connection.execute("INSERT INTO t VALUES (1)")
        raise KeyboardInterrupt
    with database.reading() as connection:
        connection.execute("BEGIN IMMEDIATE")  # as when a signal comes just then
    with database.writing() as connection:
        connection.execute("INSERT INTO t VALUES (2)")
    database.close()
    with sqlite3.connect(tmp_path / "d.sqlite") as other:
        assert other.execute("SELECT x FROM t").fetchall() == [(2,)]
    other.close()


def test_a_cache_that_cannot_be_written_stops_the_run_instead_of_paying_on(world):
    server = world.serve(answer=lambda body: "да")
    model = world.model(server, concurrency=2)
    model.complete([ask("раз")])
    with sqlite3.connect(world.cache) as other:
        other.execute("CREATE TRIGGER full BEFORE INSERT ON kept BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    other.close()
    with pytest.raises(OSError, match="disk is full"):
        model.complete([ask(f"слово {number}") for number in range(50)])
    assert len(server.asked) <= 1 + 4
