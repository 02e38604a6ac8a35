import numpy as np
import polars as pl
import pytest

from dragon_pipeline.core.questions.graph import HEAD, TAIL, Edge, Graph, joins, latest
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import ENDS, bits

YESTERDAY = "2024-03-14"


def edges(graph: Graph) -> list[Edge]:
    return [graph.edge(number) for number in range(len(graph))]


def triples(graph: Graph) -> list[tuple[str, str, str]]:
    return [(edge.row["head"], edge.relation, edge.row["tail"]) for edge in edges(graph)]


@pytest.mark.parametrize(
    ("name", "kind", "linked", "may"),
    [
        ("Пётр Громов", "PER", False, True),
        ("Громов", "PER", False, False),
        ("П. А. Громов", "PER", False, False),
        ("Громов П.", "PER", False, False),
        ("Громов", "PER", True, True),
        ("Полярис", "ORG", False, True),
        ("Казань", "LOC", False, True),
        ("2024", "YEAR", False, False),
        ("5 марта 2024 года", "DATE", False, False),
        ("2139", "NUMBER", False, False),
        ("директор завода", "ROLE", False, False),
        ("новый договор", "OTHER", False, False),
    ],
)
def test_a_person_of_one_word_or_initials_and_a_value_never_join_facts(name, kind, linked, may):
    ends = [pl.lit(part) for part in (name, kind, "Q1" if linked else "local:1")]
    assert pl.select(joins(*ends)).item() is may


def test_a_surname_that_stands_in_two_facts_is_no_bridge(fact, window):
    facts = [fact("Громов", relation, tail, kinds=("PER", "ORG")) for relation, tail in (("купить", "Маяк"), ("нанять", "Лад"))]
    assert window(facts).graph().edges["joins_head"].to_list() == [False, False]


def test_reprints_of_one_fact_are_one_edge_with_both_articles(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", article) for article in ("a1", "a2")]
    (edge,) = edges(window(facts).graph())
    assert edge.article_ids == ("a1", "a2")


def test_gold_articles_are_the_facts_own_and_their_story_mates(fact, window):
    """Fault 4 of the reference: articles that never state the fact became gold."""
    facts = [fact("Полярис", "купить", "Маяк", "a1")]
    texts = {"a2": "Полярис купить Маяк.", "a3": "Полярис и Маяк решили купить трактор."}
    (edge,) = edges(window(facts, texts, stories=[["a1", "a2"]]).graph())
    assert edge.article_ids == ("a1", "a2")


@pytest.mark.parametrize("novelty", ["known", "unsure"])
def test_what_wikidata_knows_or_may_know_is_not_asked(fact, window, novelty):
    assert not len(window([fact("Полярис", "купить", "Маяк", novelty=novelty)]).graph())


def test_a_fact_known_in_one_article_is_not_asked_from_another(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "купить", "Маяк", "a2", novelty="known")]
    assert not len(window(facts).graph())


def test_a_fact_held_back_is_not_asked(fact, window):
    assert not len(window([fact("Полярис", "купить", "Маяк", held_back="undated")]).graph())


def test_a_fact_held_back_in_one_article_is_asked_from_the_other(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", "a1", held_back="undated"), fact("Полярис", "купить", "Маяк", "a2")]
    (edge,) = edges(window(facts).graph())
    assert edge.row["article_id"] == "a2"
    assert edge.article_ids == ("a1", "a2")


@pytest.mark.parametrize("reason", [{"novelty": "known"}, {"novelty": "unsure"}, {"held_back": "undated"}, {}])
def test_a_second_holder_anywhere_in_the_window_leaves_the_end_undetermined(fact, window, reason):
    facts = [fact("Полярис", "купить", "Маяк", "a1"), fact("Вектор", "купить", "Маяк", "a2", **reason)]
    graph = window(facts).graph()
    edge = next(edge for edge in edges(graph) if edge.row["head"] == "Полярис")
    assert not graph.determined(HEAD)[edge.number]
    assert graph.determined(TAIL)[edge.number]


def test_a_version_that_was_replaced_is_not_asked(fact, window, article):
    page = "https://vestnik.example/page"
    facts = [
        fact("Полярис", "купить", "Маяк", "old", url=page, day=YESTERDAY),
        fact("Полярис", "купить", "Вектор", "new", url=page),
    ]
    articles = [article("old", page, YESTERDAY, 1), article("new", page, version=2)]
    for order in (articles, articles[::-1]):
        graph = window(facts, articles=order).graph()
        assert triples(graph) == [("Полярис", "купить", "Вектор")]
        assert graph.superseded == 1
        assert graph.determined(TAIL).tolist() == [True]


def test_two_versions_of_one_day_leave_the_higher(fact, window, article):
    page = "https://vestnik.example/page"
    facts = [fact("Полярис", "купить", tail, name, url=page) for tail, name in (("Маяк", "x"), ("Вектор", "b"))]
    graph = window(facts, articles=[article("b", page, version=2), article("x", page, version=1)]).graph()
    assert triples(graph) == [("Полярис", "купить", "Вектор")]


def test_the_latest_version_of_every_url_remains(window, article):
    rows = [article("a", "https://x.example/1", YESTERDAY, 1), article("b", "https://x.example/1", version=2), article("c")]
    assert sorted(latest(window([], articles=rows).articles)["article_id"]) == ["b", "c"]


def test_a_fact_of_yesterday_alone_is_not_new(fact, window):
    old, fresh = fact("Полярис", "купить", "Маяк", "a1", day=YESTERDAY), fact("Полярис", "нанять", "Лад", "a2")
    assert {edge.relation: edge.new for edge in edges(window([old, fresh]).graph())} == {"купить": False, "нанять": True}


def test_stories_differ_when_no_article_of_one_is_a_reprint_of_the_other(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "нанять", "Лад", "a2")]
    apart, mates = window(facts).graph(), window(facts, stories=[["a1", "a2"]]).graph()
    one, other = np.array([0]), np.array([1])
    assert apart.apart(one, other).tolist() == [True]
    assert mates.apart(one, other).tolist() == [False]


def test_facts_that_several_stories_state_are_apart_when_they_share_none(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", article) for article in ("a1", "a2")]
    facts += [fact("Полярис", "нанять", "Лад", article) for article in ("a2", "a3")]
    facts += [fact("Полярис", "снять", "Сад", article) for article in ("a4", "a5")]
    graph = window(facts).graph()
    bought, hired, shot = (next(e.number for e in edges(graph) if e.relation == verb) for verb in ("купить", "нанять", "снять"))
    assert graph.apart(np.array([bought, bought, hired]), np.array([hired, shot, shot])).tolist() == [False, True, True]


def test_an_edge_without_wording_may_stand_everywhere(fact, window):
    (row,) = window([fact("Полярис", "купить", "Маяк")]).graph().edges.to_dicts()
    assert row["asks"] == row["alone"] == row["many"] == row["bridges"] == bits(ENDS, ENDS)
    assert row["shapes"] == bits(TYPES, TYPES)
