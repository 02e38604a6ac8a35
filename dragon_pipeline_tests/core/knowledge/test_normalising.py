import random

import pytest

from dragon_pipeline.core.knowledge.normalising import LINKED_KINDS, MARGIN, NEAR, SURE, RuleNormaliser
from dragon_pipeline.core.ports import Naming


def candidate(wikidata_id: str, similarity: float = 0.9, **changes) -> dict:
    return {
        "wikidata_id": wikidata_id, "similarity": similarity, "label": "Берлин", "description": f"описание {wikidata_id}",
        "match": "label", "variant": "name", "sitelinks": 0, "rank": 1, **changes,
    }  # fmt: skip


def chosen(*candidates: dict, name: str = "Берлин", kind: str = "LOC") -> tuple[str | None, str]:
    naming = Naming("item" if kind else "property", name, kind, "Берлин растёт.", candidates)
    (choice,) = RuleNormaliser().choose([naming])
    return choice.wikidata_id, choice.why


def test_the_one_candidate_is_taken_when_it_is_near_enough():
    assert chosen(candidate("Q64", NEAR)) == ("Q64", "picked")
    assert chosen(candidate("Q64", NEAR - 0.001)) == (None, "too_far")


def test_a_name_without_candidates_is_kept():
    assert chosen() == (None, "no_candidates")


@pytest.mark.parametrize("kind", ["ORG", "WORK", "OTHER"])
def test_an_organisation_or_a_work_that_bears_a_places_name_is_not_that_place(kind):
    assert chosen(candidate("Q64"), kind=kind) == (None, "not_linked_by_rules")


@pytest.mark.parametrize(("name", "linked"), [("Громов", False), ("«Громов»", False), ("Пётр Громов", True)])
def test_a_person_of_one_word_is_nobody_in_particular(name, linked):
    assert (chosen(candidate("Q1"), name=name, kind="PER")[0] == "Q1") is linked


@pytest.mark.parametrize("variant", ["surname", "quoted", "twin"])
def test_what_was_found_by_a_part_of_the_name_alone_is_not_taken(variant):
    assert chosen(candidate("Q1", variant=variant), name="П. Громов", kind="PER") == (None, "not_linked_by_rules")


@pytest.mark.parametrize("variant", sorted(SURE - {None}))
def test_what_was_found_by_the_whole_name_is_taken(variant):
    assert chosen(candidate("Q1", variant=variant))[0] == "Q1"


def test_of_two_the_nearer_one_is_taken_when_its_lead_is_large_enough():
    assert chosen(candidate("Q64", 0.9), candidate("Q821244", 0.9 - MARGIN - 0.001)) == ("Q64", "picked")
    assert chosen(candidate("Q64", 0.9), candidate("Q821244", 0.9 - MARGIN + 0.001)) == (None, "ambiguous")


@pytest.mark.parametrize("undescribed", ["Q64", "Q821244"])
def test_a_lead_over_or_of_what_is_not_described_says_nothing(undescribed):
    rows = [candidate("Q64", 0.95), candidate("Q821244", 0.8)]
    assert chosen(*({**row, "description": ""} if row["wikidata_id"] == undescribed else row for row in rows)) == (
        None,
        "ambiguous",
    )


def test_the_better_known_of_two_needs_a_smaller_lead():
    near = [candidate("Q64", 0.850, sitelinks=300), candidate("Q821244", 0.845, sitelinks=4)]
    assert chosen(*near) == ("Q64", "picked")
    assert chosen(candidate("Q64", 0.80, sitelinks=300), candidate("Q821244", 0.85, sitelinks=4))[0] != "Q64"


def test_a_property_with_the_relations_name_is_taken_whatever_the_context():
    assert chosen(candidate("P36", 0.1), name="столица", kind="") == ("P36", "picked")


@pytest.mark.parametrize("kind", [*LINKED_KINDS, ""])
def test_the_order_of_candidates_changes_nothing(kind):
    rows = [candidate(f"Q{n}", 0.9) for n in range(5)]
    expected = chosen(*rows, name="Пётр Громов", kind=kind)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert chosen(*rows, name="Пётр Громов", kind=kind) == expected


def test_many_names_are_chosen_in_order():
    namings = [Naming("item", f"Город {n}", "LOC", "", [candidate(f"Q{n}")]) for n in range(20)]
    assert [choice.wikidata_id for choice in RuleNormaliser().choose(namings)] == [f"Q{n}" for n in range(20)]
