"""One contract for the fake, the index in memory, the index that was built from a dump, and the live API."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import pytest

from dragon_pipeline.adapters.wikidata.api import WikidataApi
from dragon_pipeline.adapters.wikidata.building import Plan, build
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.adapters.wikidata.entries import Entry
from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.ports import KnowledgeBase
from dragon_pipeline.core.settings import WikidataSettings
from dragon_pipeline_tests.adapters.wikidata.wikibase import WikibaseServer, entity, statement

Names = Mapping[str, Sequence[str]]
"""id → names, the label first, aliases behind it"""
Triples = Iterable[tuple[str, str, str]]
"""subject, property, object"""

ENTITIES = {"Q1": ["Орёл", "город Орёл"], "Q2": ["орёл"], "Q3": ["Ока"], "P1": ["приток", "Ока"], "P2": ["впадает в"]}
STATEMENTS = [("Q1", "P1", "Q3"), ("Q1", "P2", "Q3"), ("P1", "P1696", "P2"), ("P2", "P31", "Q3")]


def as_entity(wikidata_id: str, names: Sequence[str], statements: Triples) -> dict:
    """As a dump or the API gives it."""
    kinds = {"Q": "item", "P": "property"}
    claims: dict[str, list] = {}
    for parts in statements:
        subject, name, value = parts
        if subject == wikidata_id:
            held = {"entity-type": kinds[value[0]], "numeric-id": int(value[1:]), "id": value}
            snak = {"snaktype": "value", "property": name, "datavalue": {"type": "wikibase-entityid", "value": held}}
            claims.setdefault(name, []).append({"id": "$".join(parts), "rank": "normal", "mainsnak": snak})
    return {
        "type": kinds[wikidata_id[0]],
        "id": wikidata_id,
        "labels": {"ru": {"language": "ru", "value": names[0]}},
        "aliases": {"ru": [{"language": "ru", "value": name} for name in names[1:]]},
        "claims": claims,
    }


def in_memory(entities: Names, statements: Triples, folder: Path) -> WikidataIndex:
    entries = [
        Entry(
            wikidata_id=wikidata_id,
            label=names[0],
            description="",
            names=((names[0], "label"), *((name, "alias") for name in names[1:])),
            statements=tuple(("$".join(one), *one[1:]) for one in statements if one[0] == wikidata_id),
        )
        for wikidata_id, names in entities.items()
    ]
    return WikidataIndex.of(entries, "test")


def built(entities: Names, statements: Triples, folder: Path) -> WikidataIndex:
    lines = [json.dumps(as_entity(wikidata_id, names, statements)) for wikidata_id, names in entities.items()]
    build(Dump(BytesIO("\n".join(lines).encode()), "test"), folder / "index", Plan(("ru",)))
    return WikidataIndex.open(folder / "index")


KINDS: dict[str, Callable[[Names, Triples, Path], KnowledgeBase]] = {
    "fake": lambda entities, statements, folder: FakeKnowledgeBase(entities, statements),
    "memory": in_memory,
    "built": built,
}
"""Each makes a knowledge base of the entities and statements that a test names, in an empty folder if it needs one."""


def asked(serve: Callable[..., WikibaseServer], entities: Names, statements: Triples, folder: Path) -> WikidataApi:
    claims = {one: tuple(statement(*parts) for parts in statements if parts[0] == one) for one in entities}
    server = serve(*(entity(wikidata_id, *names, statements=claims[wikidata_id]) for wikidata_id, names in entities.items()))
    return WikidataApi(WikidataSettings(source="api", api=server.url, contact="a@example.org"), "ru", folder)


@pytest.fixture(params=[*KINDS, "api"])
def make(request: pytest.FixtureRequest, tmp_path: Path, serve: Callable[..., WikibaseServer]) -> Callable[..., KnowledgeBase]:
    if request.param == "api":
        return lambda entities, statements=(): asked(serve, entities, list(statements), tmp_path)
    return lambda entities, statements=(): KINDS[request.param](entities, list(statements), tmp_path)


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
    assert [(s.subject, s.property, s.object) for s in found] == STATEMENTS[:2]
    assert len({s.statement_id for s in found}) == 2


@pytest.mark.parametrize("subject", ["Q3", "Q999", "local:0", ""])
def test_nothing_is_stated_of_an_unknown_subject(kb, subject):
    assert not kb.stated([subject])[subject].statements


def test_a_property_states_its_inverse(kb):
    assert [(s.property, s.object) for s in kb.stated(["P1"])["P1"].statements] == [("P1696", "P2")]


def test_answers_stand_in_the_order_of_the_names_and_subjects_that_were_asked(kb):
    found = kb.search(["Ока", "нет такого", "Орёл", "Ока"], "item")
    assert [[entity.wikidata_id for entity in entities] for entities in found] == [["Q3"], [], ["Q1", "Q2"], ["Q3"]]
    assert list(kb.stated(["Q999", "Q1", "P1"])) == ["Q999", "Q1", "P1"]
    assert not kb.search([], "item")
    assert not kb.stated([])


def test_what_is_stated_says_at_which_revision(kb):
    assert all(stated.revision for stated in kb.stated(["Q1", "Q999"]).values())
    assert kb.revision


@pytest.mark.parametrize("name", ["«Орёл»", "Орёл\u00ad", "Oрёл", "О\u0301рёл"])
def test_names_are_compared_as_they_are_folded(kb, name):
    assert [entity.wikidata_id for entity in kb.search([name], "item")[0]] == ["Q1", "Q2"]


def test_what_an_entity_is_comes_with_it(make):
    kb = make({"Q1": ["Орёл"], "Q3": ["Ока"]}, [("Q1", "P31", "Q515"), ("Q1", "P17", "Q159"), ("Q1", "P31", "Q7930989")])
    assert [entity.types for entity in kb.search(["Орёл", "Ока"], "item")[0]] == [("Q515", "Q7930989")]
    assert [entity.types for entity in kb.search(["Ока"], "item")[0]] == [()]
