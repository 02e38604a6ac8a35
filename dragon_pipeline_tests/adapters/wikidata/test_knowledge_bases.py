"""One contract for the fake and the embedded index."""

import json
from collections.abc import Callable

import pytest

from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.ports import KnowledgeBase

ENTITIES = {"Q1": ["Орёл", "город Орёл"], "Q2": ["орёл"], "Q3": ["Ока"], "P1": ["приток", "Ока"]}
STATEMENTS = [("Q1", "P1", "Q3"), ("Q1", "P2", "Q3")]


def as_lines(entities: dict[str, list[str]], statements: list[tuple[str, str, str]]) -> list[str]:
    return [
        json.dumps(
            {
                "id": wikidata_id,
                "kind": "item" if wikidata_id.startswith("Q") else "property",
                "label": names[0],
                "description": "",
                "aliases": names[1:],
                "statements": [["$".join(s), *s[1:]] for s in statements if s[0] == wikidata_id],
            }
        )
        for wikidata_id, names in entities.items()
    ]


@pytest.fixture(params=["fake", "index"])
def make(request: pytest.FixtureRequest) -> Callable[..., KnowledgeBase]:
    if request.param == "fake":
        return FakeKnowledgeBase
    return lambda entities, statements=(): WikidataIndex(as_lines(entities, list(statements)), "test")


@pytest.fixture
def kb(make: Callable[..., KnowledgeBase]) -> KnowledgeBase:
    return make(ENTITIES, STATEMENTS)


@pytest.mark.parametrize("name", ["Орёл", "орел", "ОРЁЛ", " орёл ", "Орел"])
def test_a_name_is_found_in_any_case_and_with_or_without_ё(kb, name):
    assert [entity.wikidata_id for entity in kb.search([name], "item")[0]] == ["Q1", "Q2"]


@pytest.mark.parametrize("name", ["Орл", "Орёл-сити", "Орла", "", "Новый Орёл"])
def test_a_part_or_another_form_of_a_name_finds_nothing(kb, name):
    assert not kb.search([name], "item")[0]


def test_items_and_properties_of_one_name_are_kept_apart(kb):
    assert [entity.wikidata_id for entity in kb.search(["Ока"], "item")[0]] == ["Q3"]
    assert [entity.wikidata_id for entity in kb.search(["Ока"], "property")[0]] == ["P1"]


def test_a_match_says_whether_it_is_the_label_or_an_alias(kb):
    assert [entity.match for entity in kb.search(["Город Орел"], "item")[0]] == ["alias"]
    assert [(entity.label, entity.match) for entity in kb.search(["ока"], "item")[0]] == [("Ока", "label")]


def test_an_alias_that_repeats_the_label_gives_no_second_hit(make):
    assert len(make({"Q1": ["Тверь", "тверь", "ТВЕРЬ"]}).search(["Тверь"], "item")[0]) == 1


def test_everything_stated_of_a_subject_has_its_id_and_its_own_statement_id(kb):
    found = kb.stated(["Q1"])["Q1"].statements
    assert [(s.subject, s.property, s.object) for s in found] == STATEMENTS
    assert len({s.statement_id for s in found}) == 2


@pytest.mark.parametrize("subject", ["Q3", "Q999", "local:0", ""])
def test_nothing_is_stated_of_an_unknown_subject(kb, subject):
    assert not kb.stated([subject])[subject].statements
