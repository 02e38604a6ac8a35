import json
import multiprocessing
import re
import sqlite3
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest

from dragon_pipeline.adapters.wikidata.building import Plan, build
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.adapters.wikidata.entries import Entry
from dragon_pipeline.adapters.wikidata.index import NAMESAKES, WikidataIndex
from dragon_pipeline.adapters.wikidata.writing import sql
from dragon_pipeline.core.errors import BadInput


@pytest.fixture(scope="module")
def kb() -> WikidataIndex:
    return WikidataIndex.bundled()


@pytest.fixture(scope="module")
def entries() -> list[dict]:
    text = (files("dragon_pipeline.adapters.wikidata") / "bundled.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_bundled_index_states_that_berlin_is_the_capital_of_germany(kb):
    (berlin,) = [e.wikidata_id for e in kb.search(["Берлин"], "item")[0] if e.wikidata_id == "Q64"]
    (germany,) = [e.wikidata_id for e in kb.search(["Германия"], "item")[0] if e.wikidata_id == "Q183"]
    stated = [s for s in kb.stated([berlin])[berlin].statements if s.property == "P1376" and s.object == germany]
    assert stated
    assert re.fullmatch(r"[Qq]64\$[0-9A-Fa-f-]{36}", stated[0].statement_id)


@pytest.mark.parametrize("name", ["Казань", "Самара", "Франция", "Япония"])
def test_cities_and_countries_of_the_news_are_in_the_bundled_index(kb, name):
    assert kb.search([name], "item")[0]


def test_every_entry_is_told_apart_by_its_id_and_its_kind_fits_the_id(entries):
    assert len({entry["id"] for entry in entries}) == len(entries)
    for entry in entries:
        assert re.fullmatch(r"Q\d+" if entry["kind"] == "item" else r"P\d+", entry["id"])
        assert entry["label"].strip()


def test_every_statement_names_its_own_subject_a_property_and_an_item(entries):
    seen = set()
    for entry in entries:
        for statement_id, property_id, object_id in entry["statements"]:
            assert statement_id.split("$")[0].upper() == entry["id"]
            assert re.fullmatch(r"P\d+", property_id)
            assert re.fullmatch(r"Q\d+", object_id)
            seen.add(statement_id)
    assert len(seen) == sum(len(entry["statements"]) for entry in entries)


def test_the_revision_names_the_content(kb):
    entry = {"id": "Q1", "kind": "item", "label": "Ока", "description": "", "aliases": [], "statements": []}
    line = json.dumps(entry, ensure_ascii=False)
    one, other = WikidataIndex._of(line), WikidataIndex._of(line.replace("Ока", "Кама"))
    assert len({kb.revision, one.revision, other.revision}) == 3
    assert WikidataIndex.bundled().revision == kb.revision


def test_bundled_items_of_the_excerpt_know_how_well_known_and_what_they_are(kb):
    (berlin,) = [entity for entity in kb.search(["Берлин"], "item")[0] if entity.wikidata_id == "Q64"]
    assert berlin.sitelinks > 200
    assert "Q515" in berlin.types


def entry(number: int, *names: str, sitelinks: int = 0) -> Entry:
    told = ((names[0], "label"), *((name, "alias") for name in names[1:]))
    return Entry(f"Q{number}", names[0], "", told, sitelinks, ((f"Q{number}$x", "P31", f"Q{number + 1}"),))


def test_of_namesakes_the_best_known_come_first_then_labels_then_the_smaller_number():
    found = WikidataIndex.of(
        [
            entry(1, "Ока"),
            entry(2, "река", "Ока", sitelinks=9),
            entry(30, "Ока", sitelinks=3),
            entry(4, "x", "Ока"),
            entry(5, "Ока"),
        ],
        "test",
    ).search(["Ока"], "item")[0]
    assert [entity.wikidata_id for entity in found] == ["Q2", "Q30", "Q1", "Q5", "Q4"]


def test_of_very_many_namesakes_the_best_known_are_given():
    kb = WikidataIndex.of((entry(n, "Иван Петров", sitelinks=n % 997) for n in range(1, 5000)), "test")
    found = kb.search(["иван петров"], "item")[0]
    assert [entity.sitelinks for entity in found] == sorted((n % 997 for n in range(1, 5000)), reverse=True)[:NAMESAKES]


def test_namesakes_are_walked_in_order_and_never_sorted():
    kb = WikidataIndex.of([entry(1, "Ока")], "test")
    plan = [row[3] for row in kb._rows("EXPLAIN QUERY PLAN " + sql("search.sql"), "ока", 0, NAMESAKES)]
    assert len(plan) == 2
    assert plan[0].startswith("SEARCH names USING PRIMARY KEY")
    assert plan[1].startswith("SEARCH entities USING INTEGER PRIMARY KEY")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """An index of many pages, under a name that a URI would take apart."""
    entities = [{"id": f"Q{n}", "labels": {"ru": {"value": f"Имя {n}"}}} for n in range(1, 3000)]
    path = tmp_path / "my index? 50%#1"
    build(Dump(BytesIO("\n".join(map(json.dumps, entities)).encode()), "test"), path, Plan(("ru",)))
    return path


def search(path: Path, name: str) -> list[str]:
    return [entity.wikidata_id for entity in WikidataIndex.open(path).search([name], "item")[0]]


def test_several_processes_read_one_file(built):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(search, [built] * 40, [f"Имя {n}" for n in range(1, 41)], chunksize=20))
    assert found == [[f"Q{n}"] for n in range(1, 41)]


def test_several_threads_read_one_object(built):
    kb = WikidataIndex.open(built)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: kb.search([f"Имя {n}"], "item")[0][0].wikidata_id, range(1, 2000)))
    assert found == [f"Q{n}" for n in range(1, 2000)]


def test_an_index_is_opened_without_writing_beside_it_and_from_a_folder_that_is_read_only(built):
    before = sorted(built.parent.iterdir())
    built.chmod(0o444)
    assert search(built, "Имя 7") == ["Q7"]
    assert sorted(built.parent.iterdir()) == before


def test_an_index_that_is_replaced_stays_as_it_was_for_who_has_it_open(built):
    kb = WikidataIndex.open(built)
    build(Dump(BytesIO(b'{"id":"Q1","labels":{"ru":{"value":"\xd0\x9e\xd0\xba\xd0\xb0"}}}'), "test"), built, Plan(("ru",)))
    assert kb.search(["Имя 2999"], "item")[0]
    assert search(built, "Ока") == ["Q1"]


def test_what_is_no_index_is_refused_with_what_to_do(tmp_path, built):
    text, database, folder = tmp_path / "text", tmp_path / "database", tmp_path
    text.write_text("Q1\tОка\n" * 1000, "utf-8")
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE about (key, value)")
    connection.close()
    (tmp_path / "empty").touch()
    for path in (text, database, folder, tmp_path / "empty", tmp_path / "none"):
        with pytest.raises(BadInput, match="dragon wikidata build"):
            WikidataIndex.open(path)


def test_a_cut_index_is_refused(built):
    built.write_bytes(built.read_bytes()[:-5000])
    with pytest.raises(BadInput, match="is cut"):
        WikidataIndex.open(built)


def test_damage_inside_is_told_when_it_is_met(built):
    data = bytearray(built.read_bytes())
    data[20_000:-4096] = b"\xff" * (len(data) - 24_096)
    built.write_bytes(data)
    with pytest.raises(BadInput, match="dragon wikidata build"):
        kb = WikidataIndex.open(built)
        for number in range(1, 3000):
            kb.search([f"Имя {number}"], "item")


@pytest.mark.parametrize("change", ["PRAGMA user_version = 99", "UPDATE about SET value = 'x' WHERE key = 'folding'"])
def test_an_index_with_names_folded_in_another_way_is_refused_since_nothing_would_be_found(built, change):
    connection = sqlite3.connect(built)
    connection.execute(change)
    connection.commit()
    connection.close()
    with pytest.raises(BadInput, match="build it again"):
        WikidataIndex.open(built)


def test_an_index_tells_what_it_holds_and_whether_its_dump_was_whole(built, kb):
    told = WikidataIndex.open(built).examine()
    assert WikidataIndex.open(built).revision in told
    assert "2,999 items" in told
    assert "names in ru" in told
    assert "cut" not in told
    build(Dump(BytesIO(b'[\n{"id":"Q1","labels":{"ru":{"value":"x"}}},\n'), "test"), built, Plan(("ru",)))
    assert "its dump was cut" in WikidataIndex.open(built).examine()
    assert kb.revision in kb.examine()
