import json
import re
from importlib.resources import files

import pytest

from dragon_pipeline.adapters.wikidata.index import WikidataIndex


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
