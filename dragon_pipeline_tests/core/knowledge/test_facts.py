import json
import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.facts import NEAR, link, local_id
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, TRIPLETS

KB = FakeKnowledgeBase(
    {"Q64": ["Берлин"], "Q183": ["Германия", "ФРГ"], "P1376": ["является столицей"]}, [("Q64", "P1376", "Q183")]
)
PLACES = ("LOC", "LOC")


def candidate(name: str, wikidata_id: str, similarity: float = 0.9, rank: int = 1) -> dict:
    return {
        "kind": "property" if wikidata_id.startswith("P") else "item", "name": name, "rank": rank, "wikidata_id": wikidata_id,
        "label": name, "description": "", "match": "label", "similarity": similarity,
    }  # fmt: skip


ALL = [
    candidate("Берлин", "Q64"),
    candidate("Германия", "Q183"),
    candidate("ФРГ", "Q183"),
    candidate("является столицей", "P1376"),
]


def linked(triplets: list[dict], articles: list[dict], candidates: list[dict] = ALL) -> pl.DataFrame:
    return link(TRIPLETS.frame(triplets), CANDIDATES.frame(candidates), ARTICLES.frame(articles), KB)


def test_a_fact_that_wikidata_states_is_known_with_its_statement(triplet, article):
    (fact,) = linked([triplet("Берлин", "является столицей", "Германия", kinds=PLACES)], [article("Берлин.")]).to_dicts()
    assert (fact["head_id"], fact["relation_id"], fact["tail_id"]) == ("Q64", "P1376", "Q183")
    assert (fact["novelty"], fact["statement_id"]) == ("known", "Q64$P1376$Q183")


def test_two_names_of_one_item_are_one_node(triplet, article):
    facts = linked(
        [triplet("Берлин", "является столицей", name, kinds=PLACES) for name in ("Германия", "ФРГ")], [article("Берлин.")]
    )
    assert facts["tail_id"].unique().to_list() == ["Q183"]
    assert facts.height == 1


@pytest.mark.parametrize("kind", ["ORG", "WORK", "OTHER"])
def test_an_organisation_or_a_work_that_bears_a_places_name_is_not_that_place(triplet, article, kind):
    (fact,) = linked([triplet("Берлин", "открыть в", "Германия", kinds=(kind, "LOC"))], [article("Берлин.")]).to_dicts()
    assert fact["head_id"] == local_id("Берлин", kind)
    assert (fact["novelty"], fact["why"]) == ("novel", "unlinked_head")


def test_a_candidate_that_is_not_near_enough_is_not_taken(triplet, article):
    far = [candidate("Берлин", "Q64", NEAR - 0.01), candidate("Германия", "Q183", NEAR)]
    (fact,) = linked([triplet("Берлин", "граничить с", "Германия", kinds=PLACES)], [article("Берлин.")], far).to_dicts()
    assert fact["head_id"].startswith("local:")
    assert fact["tail_id"] == "Q183"


def test_only_the_best_candidate_counts(triplet, article):
    second = [candidate("Берлин", "Q1", 0.95), candidate("Берлин", "Q64", 0.9, rank=2)]
    (fact,) = linked([triplet("Берлин", "граничить с", "Германия", kinds=PLACES)], [article("Берлин.")], second).to_dicts()
    assert fact["head_id"] == "Q1"


def test_one_triplet_in_one_article_gives_one_fact(triplet, article):
    """Fault 2 of the reference: an article with a single triplet crashed the run or disappeared."""
    assert linked([triplet("Полярис", "купить", "Маяк")], [article("Полярис купил Маяк.")]).height == 1


def test_values_stay_strings_and_whole(triplet, article):
    """Fault 3 of the reference: 2139 became 2, 1, 3, 9; 007 became 7.0."""
    values = ["2139", "007", "1e5", "2024"]
    facts = linked([triplet("Полярис", "выпустить", v, kinds=("ORG", "NUMBER")) for v in values], [article("Полярис.")])
    assert sorted(facts["tail"]) == sorted(values)
    assert facts["tail_id"].n_unique() == len(values)


def test_a_numeric_subject_is_a_fact_of_its_own(triplet, article):
    facts = linked([triplet("Полярис", "купить", "Маяк"), triplet("112", "принять", "Маяк")], [article("112.")])
    assert sorted(facts["head"]) == ["112", "Полярис"]


def test_the_same_fact_twice_in_an_article_keeps_its_first_sentence(triplet, article):
    text = "Полярис купил Маяк. Маяк купил Полярис."
    twice = [triplet("Полярис", "купить", "Маяк", start=20), triplet("Полярис", "купить", "Маяк", start=0, stop=19)]
    (fact,) = linked(twice, [article(text)]).to_dicts()
    assert fact["sentence"] == "Полярис купил Маяк."


def test_the_same_fact_in_two_articles_is_two_rows_of_the_same_nodes(triplet, article):
    facts = linked([triplet("Полярис", "купить", "Маяк", a) for a in ("a1", "a2")], [article("…", "a1"), article("…", "a2")])
    assert facts["fact_id"].n_unique() == 2
    assert facts.select("head_id", "tail_id").n_unique() == 1


def test_the_sentence_is_what_stands_at_the_offsets(triplet, article):
    text = "Снег шёл весь день. Полярис купил Маяк."
    (fact,) = linked([triplet("Полярис", "купить", "Маяк", start=20, stop=len(text))], [article(text)]).to_dicts()
    assert fact["sentence"] == text[fact["start"] : fact["stop"]] == "Полярис купил Маяк."


def test_dropped_triplets_are_no_facts(triplet, article):
    dropped = triplet("Полярис", "купить", "Маяк", status="dropped", reason="negated")
    assert linked([dropped], [article("…")]).is_empty()


def test_what_the_extractor_holds_back_is_held_back(triplet, article):
    rows = [
        triplet("Полярис", "купить", "Маяк", wording=json.dumps({"held_back": "undated"})),
        triplet("Полярис", "продать", "Маяк", wording=json.dumps({"form": "clause"})),
        triplet("Полярис", "нанять", "Маяк"),
    ]
    facts = linked(rows, [article("…")])
    assert dict(facts.select("relation", "held_back").iter_rows()) == {"купить": "undated", "продать": None, "нанять": None}


def test_the_order_of_rows_changes_nothing(triplet, article):
    rows = [triplet(head, "купить", tail, a) for head in "АБВ" for tail in "ГДЕ" for a in ("a1", "a2")]
    articles = [article("…", "a1"), article("…", "a2")]
    expected = linked(rows, articles)
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        assert linked(rows, articles[::-1]).equals(expected)


def test_days_can_be_linked_in_any_order(triplet, article):
    """An unlinked node's id depends on its normal form and kind alone."""
    days = [
        ([triplet("Полярис", "купить", "Маяк", "a1")], [article("…", "a1")]),
        ([triplet("Маяк", "нанять", "Полярис", "a2", kinds=("LOC", "ORG"))], [article("…", "a2")]),
    ]
    apart = pl.concat([linked(*day) for day in days]).sort("fact_id")
    together = linked(days[0][0] + days[1][0], days[0][1] + days[1][1]).sort("fact_id")
    assert apart.equals(together)
    assert apart["head_id"].to_list() != apart["tail_id"].to_list()
    assert set(apart["head_id"]) == set(apart["tail_id"])


def test_nothing_in_gives_nothing_out():
    assert linked([], [], []).is_empty()


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from(["PER", "ORG"]), st.sampled_from(["PER", "ORG"]))
def test_local_ids_are_equal_exactly_for_equal_names_and_kinds(one, other, kind, second):
    def folded(name: str) -> str:
        return name.lower().replace("ё", "е")

    assert (local_id(one, kind) == local_id(other, second)) == ((folded(one), kind) == (folded(other), second))
    assert local_id(one, kind) == local_id(one, kind)


def test_candidates_found_by_name_link_the_facts(triplet, article):
    """The two stages together: what find_candidates gives is what link takes."""
    triplets = TRIPLETS.frame([triplet("Берлин", "является столицей", "Германия", kinds=PLACES)])
    candidates = find_candidates(triplets, KB, FakeEmbedder())
    near = candidates.with_columns(pl.lit(0.9).alias("similarity"))  # the fake's cosines have another scale
    assert link(triplets, near, ARTICLES.frame([article("Берлин.")]), KB)["novelty"].to_list() == ["known"]
