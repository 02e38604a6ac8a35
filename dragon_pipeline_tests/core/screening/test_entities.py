import pytest

from dragon_pipeline.core.screening.entities import EntityScreen
from dragon_pipeline.languages.ru.lemmas import lemmas

SCREEN = EntityScreen(lemmas)


def verdict(case):
    (found,) = SCREEN.judge([case])
    return found


@pytest.mark.parametrize(
    "question", ["Кто встретился с Анной Беловой?", "Кому Анна Белова вручила приз?", "За что Анну Белову наградили?"]
)
def test_a_name_of_several_words_matches_in_any_case(case, fact, question):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    assert verdict(case("simple", question, ["Пётр Королёв"], [met])).outcome == "passed"


def test_names_of_other_articles_do_not_count(case, fact):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    found = verdict(case("simple", "Кто встретился с Олегом Громовым?", ["Пётр Королёв"], [met]))
    assert (found.outcome, found.reason) == ("failed", "no_entity_in_question")


def test_words_of_a_name_apart_are_not_the_name(case, fact):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    assert verdict(case("simple", "Какая Анна видела дом Беловой?", ["Пётр Королёв"], [met])).outcome == "failed"


def test_an_answer_without_an_entity_fails(case, fact):
    built = fact(("«Вектор»", "построить", "большой дом"), kinds=("ORG", "OTHER"))
    made = case("simple", "Что построил «Вектор»?", ["большой дом"], [built])
    made = type(made)(made.qa, made.facts, made.articles, [one for one in made.mentions if one["text"] != "большой дом"])
    assert verdict(made).reason == "no_entity_in_answer: большой дом"


@pytest.mark.parametrize(("answer", "outcome"), [("2139", "passed"), ("2140", "failed"), ("007", "failed")])
def test_a_value_counts_when_it_stands_in_the_evidence(case, fact, answer, outcome):
    sold = fact(("«Вектор»", "продать", "2139"), "«Вектор» продал 2139 машин.", kinds=("ORG", "NUMBER"))
    assert verdict(case("simple", "Сколько машин продал «Вектор»?", [answer], [sold], given=["«Вектор»"])).outcome == outcome


def test_a_linked_name_counts_though_the_article_writes_it_otherwise(case, fact):
    visited = fact(("Анна Белова", "посетить", "Россия"), "Анна Белова посетила РФ.", kinds=("PER", "LOC"), tail_id="Q159")
    made = case("simple", "Какую страну посетила Анна Белова?", ["Россия"], [visited])
    made = type(made)(made.qa, made.facts, made.articles, [one for one in made.mentions if one["text"] != "Россия"])
    assert verdict(made).outcome == "passed"
