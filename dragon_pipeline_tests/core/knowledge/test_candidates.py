import random

import pytest

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.knowledge.candidates import MOST, find_candidates
from dragon_pipeline.core.records import TRIPLETS

KINDS = ("село", "завод", "газета", "фильм", "площадь", "театр", "река")
NAMESAKES = {f"Q{n}": [f"Победа {kind}", "Победа"] for n, kind in enumerate(KINDS)}
KB = FakeKnowledgeBase({**NAMESAKES, "Q90": ["Тверь"], "P1": ["построить в", "строить"]})


def found(triplets, kb=KB):
    return find_candidates(TRIPLETS.frame(triplets), kb, FakeEmbedder(dimensions=4096))


def test_a_name_has_at_most_five_candidates_nearest_first(triplet):
    candidates = found([triplet("Победа", "построить театр в", "Тверь")])
    of_name = candidates.filter(name="Победа")
    assert of_name["rank"].to_list() == list(range(1, MOST + 1)) == [1, 2, 3, 4, 5]
    assert of_name["similarity"].to_list() == sorted(of_name["similarity"], reverse=True)
    assert of_name["label"][0] == "Победа театр"


def test_names_that_mean_nothing_have_no_rows(triplet):
    candidates = found([triplet("Полярис", "открыть в", "Тверь")])
    assert candidates["name"].to_list() == ["Тверь"]


def test_relations_are_looked_up_among_properties_only(triplet):
    candidates = found([triplet("Тверь", "построить в", "построить в")])
    assert candidates.select("kind", "name", "wikidata_id").rows() == [
        ("item", "Тверь", "Q90"),
        ("property", "построить в", "P1"),
    ]


@pytest.mark.parametrize("kind", ["YEAR", "DATE", "NUMBER"])
def test_values_are_not_looked_up(triplet, kind):
    kb = FakeKnowledgeBase({"Q2139": ["2139"]})
    assert found([triplet("Полярис", "выпустить", "2139", kinds=("ORG", kind))], kb).is_empty()
    assert ("2139", "item") not in kb.searched


def test_dropped_triplets_ask_for_nothing(triplet):
    kb = FakeKnowledgeBase({"Q90": ["Тверь"]})
    assert found([triplet("Тверь", "строить", "Тверь", status="dropped", reason="negated")], kb).is_empty()
    assert not kb.searched


def test_a_name_is_looked_up_once_however_often_it_stands(triplet):
    kb = FakeKnowledgeBase({"Q90": ["Тверь"]})
    found([triplet("Тверь", relation, "Полярис", article) for relation in ("купить", "продать") for article in "abc"], kb)
    assert kb.searched.count(("Тверь", "item")) == 1


def test_equally_near_candidates_come_in_id_order(triplet):
    kb = FakeKnowledgeBase({"Q30": ["Победа"], "Q20": ["Победа"], "Q10": ["Победа"]})
    assert found([triplet("Победа", "строить", "Ока")], kb)["wikidata_id"].to_list() == ["Q10", "Q20", "Q30"]


def test_the_order_of_rows_changes_nothing(triplet):
    rows = [triplet("Победа", f"построить {noun} в", "Тверь", f"a{n}") for n, noun in enumerate(["театр", "завод", "село"])]
    expected = found(rows)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert found(rows).equals(expected)


def test_no_triplets_give_no_candidates():
    assert found([]).is_empty()
