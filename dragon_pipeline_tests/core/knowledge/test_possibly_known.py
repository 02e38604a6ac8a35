"""Facts whose ends are not linked but may mean items: what Wikidata states of these."""

from collections.abc import Sequence

import pytest

from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.normalising import UNDECIDED, RuleNormaliser
from dragon_pipeline.core.ports import Choice, Stated
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, TRIPLETS
from dragon_pipeline_tests.core.knowledge.test_facts import ToldNormaliser, candidate

SEAT = ("ORG", "LOC")
COMPANY = FakeKnowledgeBase(
    {"Q1": ["Газпром"], "Q2": ["Газпром"], "Q10": ["Санкт-Петербург"], "Q11": ["Омск"], "P159": ["штаб-квартира"]},
    [("Q2", "P159", "Q10"), ("Q1", "P17", "Q11")],
)


def told_of(
    triplet, article, tail: str = "Санкт-Петербург", relation: str = "штаб-квартира", normaliser=None,
    kinds: tuple[str, str] = SEAT, found: Sequence[tuple[str, str, str]] = (("Газпром", "ORG", "Q1"), ("Газпром", "ORG", "Q2")),
) -> tuple:  # fmt: skip
    """(novelty, why, statement) of «Газпром – …» under the rules, which link no organisation."""
    rows = [*found, ("Санкт-Петербург", "LOC", "Q10"), ("Омск", "LOC", "Q11")]
    items = [candidate(name, q, n + 1) | {"name_kind": kind, "article_id": "a1"} for n, (name, kind, q) in enumerate(rows)]
    of_relation = {"kind": "property", "name_kind": "", "article_id": ""}
    candidates = CANDIDATES.frame([*items, candidate("штаб-квартира", "P159", 1) | of_relation])
    triplets, articles = TRIPLETS.frame([triplet("Газпром", relation, tail, kinds=kinds)]), ARTICLES.frame([article("…")])
    facts = link(triplets, candidates, articles, COMPANY, normaliser or RuleNormaliser())
    return facts.select("novelty", "why", "statement_id").row(0)


def test_what_is_stated_of_a_candidate_that_the_rules_did_not_take_is_not_new(triplet, article):
    """Silent novelty: whatever Wikidata stated of an organisation, its facts were new."""
    assert told_of(triplet, article) == ("unsure", "possibly_known", "Q2$P159$Q10")


def test_with_an_unlinked_relation_anything_stated_of_a_candidate_makes_a_fact_unsure(triplet, article):
    assert told_of(triplet, article, relation="сидеть в") == ("unsure", "possibly_known", "Q2$P159$Q10")
    assert told_of(triplet, article, tail="Омск", relation="строить в") == ("unsure", "possibly_known", "Q1$P17$Q11")


def test_another_relation_of_a_candidate_leaves_a_fact_new(triplet, article):
    assert told_of(triplet, article, tail="Омск") == ("novel", "unlinked_head", None)


def test_a_name_without_candidates_and_a_value_are_new(triplet, article):
    assert told_of(triplet, article, found=()) == ("novel", "unlinked_head", None)
    assert told_of(triplet, article, tail="2021", kinds=("ORG", "YEAR")) == ("novel", "unlinked_head", None)


def test_both_ends_may_be_undecided(triplet, article):
    both = [("Газпром", "ORG", "Q2"), ("Питер", "OTHER", "Q11"), ("Питер", "OTHER", "Q10")]
    assert told_of(triplet, article, "Питер", kinds=("ORG", "OTHER"), found=both) == ("unsure", "possibly_known", "Q2$P159$Q10")


def test_a_name_that_a_model_decided_to_keep_is_new(triplet, article):
    """It says that none of the candidates is meant."""
    normaliser = ToldNormaliser({"Санкт-Петербург": "Q10", "штаб-квартира": "P159"})
    assert told_of(triplet, article, normaliser=normaliser) == ("novel", "unlinked_head", None)


@pytest.mark.parametrize("why", sorted(UNDECIDED))
def test_every_reason_of_the_rules_not_to_link_leaves_a_fact_unsure(triplet, article, why: str):
    class Undecided(ToldNormaliser):
        def choose(self, namings):
            return [c if c.wikidata_id else Choice(None, why) for c in super().choose(namings)]

    normaliser = Undecided({"Санкт-Петербург": "Q10", "штаб-квартира": "P159"})
    assert told_of(triplet, article, normaliser=normaliser) == ("unsure", "possibly_known", "Q2$P159$Q10")


def test_the_knowledge_base_is_asked_once_and_only_for_what_decides(triplet, article):
    """Of candidates where the other end may be an item too; each with its revision in the fact."""

    class Counting(FakeKnowledgeBase):
        revision = "api"

        def stated(self, subjects):
            asked.append(list(subjects))
            return {subject: Stated(f"r{subject}", one.statements) for subject, one in super().stated(subjects).items()}

    names = ("Газпром", "Омск", "Полярис", "Маяк")
    rows = [candidate(name, f"Q{n}", 1) | {"name_kind": "ORG"} for n, name in enumerate(names)]
    told = [("Газпром", "купить", "Омск"), ("Полярис", "купить", "Снег"), ("Маяк", "купить", "7")]
    triplets = [triplet(*one, kinds=("ORG", "NUMBER" if one[2] == "7" else "ORG")) for one in told]
    asked: list[list[str]] = []
    articles = ARTICLES.frame([article("…")])
    facts = link(TRIPLETS.frame(triplets), CANDIDATES.frame(rows), articles, Counting({}), RuleNormaliser())
    assert asked == [["Q0", "Q1"]]
    revisions = dict(facts.select("head", "revision").iter_rows())
    assert revisions == {"Газпром": "api Q0@rQ0 Q1@rQ1", "Полярис": "api", "Маяк": "api"}
