import json
import random
from collections.abc import Mapping, Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.vectors.fake import FakeIndex
from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.facts import link, local_id
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.knowledge.normalising import RuleNormaliser
from dragon_pipeline.core.ports import Choice, KnowledgeBase, Naming, Stated
from dragon_pipeline.core.questions.graph import joins
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, TRIPLETS

KB = FakeKnowledgeBase(
    {"Q64": ["Берлин"], "Q183": ["Германия", "ФРГ"], "P1376": ["является столицей"]}, [("Q64", "P1376", "Q183")]
)
PLACES = ("LOC", "LOC")
NAMES = {"Берлин": "Q64", "Германия": "Q183", "ФРГ": "Q183", "является столицей": "P1376"}


class ToldNormaliser:
    """Takes each name for what it was told, and keeps the others."""

    name = "told"
    models = ()
    prompts = ()

    def __init__(self, names: Mapping[str, str] = NAMES) -> None:
        self.names = names
        self.asked: list[Naming] = []

    def choose(self, namings: Sequence[Naming]) -> Sequence[Choice]:
        self.asked += namings
        return [
            Choice(self.names[naming.name], "picked") if naming.name in self.names else Choice(None, "kept")
            for naming in namings
        ]


def linked(
    triplets: list[dict], articles: list[dict], names: Mapping[str, str] = NAMES, kb: KnowledgeBase = KB
) -> pl.DataFrame:
    normaliser = ToldNormaliser(names)
    return link(TRIPLETS.frame(triplets), CANDIDATES.empty(), ARTICLES.frame(articles), kb, normaliser)


def test_a_fact_that_wikidata_states_is_known_with_its_statement(triplet, article):
    (fact,) = linked([triplet("Берлин", "является столицей", "Германия", kinds=PLACES)], [article("Берлин.")]).to_dicts()
    assert (fact["head_id"], fact["relation_id"], fact["tail_id"]) == ("Q64", "P1376", "Q183")
    assert (fact["novelty"], fact["statement_id"]) == ("known", "Q64$P1376$Q183")
    assert fact["published_at"] == "2024-03-15T10:00:00+03:00"


def test_two_names_of_one_item_are_one_node(triplet, article):
    facts = linked(
        [triplet("Берлин", "является столицей", name, kinds=PLACES) for name in ("Германия", "ФРГ")], [article("Берлин.")]
    )
    assert facts["tail_id"].unique().to_list() == ["Q183"]
    assert facts.height == 1


def test_each_name_is_chosen_once_an_article_with_its_kind_sentence_and_candidates(triplet, article):
    """A relation means the same anywhere: it is chosen once."""
    texts = [article("Берлин граничит с Потсдамом.", "a1"), article("Берлин у реки.", "a2")]
    rows = [
        triplet("Берлин", "граничить с", "Потсдам", "a1", kinds=PLACES, stop=28),
        triplet("Берлин", "лежать у", "Потсдам", "a1", kinds=PLACES, stop=28),
        triplet("Берлин", "граничить с", "1237", "a2", kinds=("LOC", "YEAR"), stop=14),
    ]
    found = CANDIDATES.frame([candidate("Берлин", "Q64", 1), candidate("Берлин", "Q821244", 2)])
    normaliser = ToldNormaliser()
    link(TRIPLETS.frame(rows), found, ARTICLES.frame(texts), KB, normaliser)
    asked = [(n.kind, n.name, n.name_kind, n.context, [c["wikidata_id"] for c in n.candidates]) for n in normaliser.asked]
    assert sorted(asked) == [
        ("item", "Берлин", "LOC", "Берлин граничит с Потсдамом.", ["Q64", "Q821244"]),
        ("item", "Берлин", "LOC", "Берлин у реки.", []),
        ("item", "Потсдам", "LOC", "Берлин граничит с Потсдамом.", []),
        ("property", "граничить с", "", "Берлин граничит с Потсдамом.", []),
        ("property", "лежать у", "", "Берлин граничит с Потсдамом.", []),
    ]


def candidate(name: str, wikidata_id: str, rank: int) -> dict:
    return {
        "kind": "item", "name": name, "name_kind": "LOC", "article_id": "a1", "rank": rank, "wikidata_id": wikidata_id,
        "label": name, "description": "", "match": "label", "variant": "name", "similarity": 0.9, "sitelinks": 0,
    }  # fmt: skip


def test_one_name_may_mean_two_things_in_two_articles(triplet, article):
    class ByContext(ToldNormaliser):
        def choose(self, namings):
            return [Choice("Q64" if "столица" in n.context else None, "told") for n in namings]

    texts = {"a1": "Берлин, столица.", "a2": "Берлин, городок."}
    rows = [triplet("Берлин", "иметь", "1", a, kinds=("LOC", "NUMBER"), stop=16) for a in texts]
    articles = ARTICLES.frame([article(text, a) for a, text in texts.items()])
    facts = link(TRIPLETS.frame(rows), CANDIDATES.empty(), articles, KB, ByContext())
    assert facts["head_id"].to_list() == ["Q64", local_id("Берлин", "LOC")]


def test_every_fact_says_why_its_names_are_linked_or_kept(triplet, article):
    (fact,) = linked([triplet("Берлин", "граничить с", "1237", kinds=("LOC", "YEAR"))], [article("Берлин.")]).to_dicts()
    assert (fact["head_link"], fact["relation_link"], fact["tail_link"]) == ("picked", "kept", "value")
    assert (fact["novelty"], fact["why"]) == ("novel", "unlinked_tail")


def test_what_is_stated_between_two_linked_ends_makes_an_unlinked_relation_unsure(triplet, article):
    (fact,) = linked([triplet("Германия", "управляться из", "Берлин", kinds=PLACES)], [article("…")]).to_dicts()
    assert (fact["novelty"], fact["why"], fact["statement_id"]) == ("unsure", "relation_unlinked", "Q64$P1376$Q183")


def test_an_inverse_that_the_knowledge_base_states_is_looked_up(triplet, article):
    kb = FakeKnowledgeBase({}, [("Q64", "P9001", "Q183"), ("P9002", "P1696", "P9001")])
    names = {**NAMES, "имеет столицу": "P9002"}
    (fact,) = linked([triplet("Германия", "имеет столицу", "Берлин", kinds=PLACES)], [article("…")], names, kb).to_dicts()
    assert (fact["novelty"], fact["why"]) == ("known", "stated_inverse")


def test_a_fact_says_against_which_revision_novelty_was_decided(triplet, article):
    """A dump has one date, the live API one revision per item."""

    class Live(FakeKnowledgeBase):
        revision = "api"

        def stated(self, subjects):
            return {subject: Stated(f"rev-{subject}", one.statements) for subject, one in super().stated(subjects).items()}

    rows = [
        triplet("Берлин", "является столицей", "Германия", kinds=PLACES),
        triplet("Берлин", "основать", "1237", kinds=("LOC", "YEAR")),
        triplet("Полярис", "купить", "Маяк"),
    ]
    told = dict(linked(rows, [article("…")], kb=Live({})).select("relation", "revision").iter_rows())
    assert told == {"является столицей": "api Q183@rev-Q183 Q64@rev-Q64", "основать": "api Q64@rev-Q64", "купить": "api"}
    assert linked(rows, [article("…")])["revision"].unique().to_list() == ["fake"]


def test_an_outage_of_the_knowledge_base_is_raised(triplet, article):
    """What cannot be looked up is never taken for new."""

    class Down(FakeKnowledgeBase):
        def stated(self, subjects):
            raise Unreachable("Wikidata does not answer")

    with pytest.raises(Unreachable, match="Wikidata"):
        linked([triplet("Берлин", "является столицей", "Германия", kinds=PLACES)], [article("…")], kb=Down({}))


def test_spellings_of_one_unlinked_name_are_one_node(triplet, article):
    rows = [triplet(name, "купить", "Маяк") for name in ("Севeрсталь", "«Северсталь»", "СЕВЕРСТАЛЬ")]
    assert linked(rows, [article("…")])["head_id"].n_unique() == 1


@pytest.mark.parametrize(("name", "joined"), [("Громов", False), ("П. Громов", False), ("Пётр Громов", True)])
def test_an_unlinked_person_by_one_word_or_initials_never_bridges_two_stories(triplet, article, name, joined):
    """The name that is kept in the fact is what the graph judges by."""
    (fact,) = linked([triplet(name, "купить", "Маяк", kinds=("PER", "ORG"))], [article("…")]).to_dicts()
    assert pl.select(joins(*(pl.lit(fact[column]) for column in ("head", "head_kind", "head_id")))).item() is joined


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
    assert linked([], []).is_empty()


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from(["PER", "ORG"]), st.sampled_from(["PER", "ORG"]))
def test_local_ids_are_equal_exactly_for_equal_folded_names_and_kinds(one, other, kind, second):
    def folded(name: str) -> str:
        return fold(name) or name

    assert (local_id(one, kind) == local_id(other, second)) == ((folded(one), kind) == (folded(other), second))
    assert local_id(one, kind) == local_id(one, kind)


def test_candidates_found_by_name_link_the_facts(triplet, article):
    """The stages together: what find_candidates gives is what the rules choose from, and what link takes."""
    triplets = TRIPLETS.frame([triplet("Берлин", "является столицей", "Германия", kinds=PLACES)])
    articles = ARTICLES.frame([article("Берлин является столицей Германии.")])
    candidates = find_candidates(triplets, articles, KB, FakeEmbedder(), FakeIndex())
    near = candidates.with_columns(pl.lit(0.9).alias("similarity"))  # the fake's cosines have another scale
    assert link(triplets, near, articles, KB, RuleNormaliser())["novelty"].to_list() == ["known"]
