import pytest

from dragon_pipeline.core.records import FACTS
from dragon_pipeline.core.screening.evidence import AnswerCorrectness, AnswerUniqueness, ContextSufficiency
from dragon_pipeline.core.screening.judge import hide_answer
from dragon_pipeline.languages.ru.lemmas import lemmas


@pytest.fixture
def opened(fact):
    return fact(("«Вектор»", "открыть завод в", "Тула"), "Компания «Вектор» открыла завод в Туле.")


@pytest.fixture
def led(fact):
    return fact(("Пётр Королёв", "возглавить", "«Вектор»"), "Пётр Королёв возглавил «Вектор».", kinds=("PER", "ORG"))


@pytest.fixture
def simple(case, opened):
    return case("simple", "Где открыл завод «Вектор»?", ["Тула"], [opened])


def unique(case, facts):
    return AnswerUniqueness(lemmas, FACTS.frame(facts))(case)


def test_a_stated_fact_is_sufficient_without_seeing_the_answer(simple):
    assert ContextSufficiency(lemmas)(hide_answer(simple)).score == 2


def test_a_sentence_that_the_article_does_not_hold_is_not_sufficient(simple):
    simple.articles[0]["text"] = "Совсем другой текст о погоде."
    assert ContextSufficiency(lemmas)(simple).reason.startswith("no_evidence_sentence")


def test_an_article_outside_the_gold_is_not_sufficient(simple):
    simple.articles[0]["article_id"] = "other"
    assert ContextSufficiency(lemmas)(simple).reason == "article_not_gold: a1"


def test_a_name_known_only_by_its_link_is_just_sufficient(case, fact):
    visited = fact(("Анна Белова", "посетить", "Россия"), "Анна Белова посетила РФ.", tail_id="Q159")
    made = case("simple", "Что посетила Анна Белова?", ["Россия"], [visited])
    made.mentions[:] = [one for one in made.mentions if one["text"] != "Россия"]
    assert ContextSufficiency(lemmas)(made).score == 1
    made.facts[0]["tail_id"] = "local:1"
    assert ContextSufficiency(lemmas)(made).reason == "not_in_articles: Россия"


@pytest.mark.parametrize(
    ("answers", "written", "reason"),
    [
        (["Тула"], "Тула", None),
        (["Омск"], "Омск", "not_asked: Омск"),
        (["Тула", "Тула"], "Тула, Тула", "answer_repeated"),
        (["Тула"], "Омск", "answer_not_written: Тула"),
        ([], "", "no_answer"),
    ],
)
def test_the_answer_is_exactly_what_is_asked(simple, answers, written, reason):
    simple.qa.update(answers=answers, answer=written)
    assert AnswerCorrectness(lemmas)(simple).reason == reason


def test_a_set_with_an_answer_missing_is_not_correct(case, fact):
    facts = [fact(("«Вектор»", "открыть завод в", town)) for town in ("Тула", "Омск", "Пермь")]
    made = case("set", "Где открыл заводы «Вектор»?", ["Тула", "Омск"], facts, given=["«Вектор»"])
    assert AnswerCorrectness(lemmas)(made).reason == "answer_missing: Пермь"


def test_another_answer_in_the_window_makes_it_not_unique(simple, opened, fact):
    other = fact(("«Вектор»", "открыть завод в", "Омск"), article_id="a2")
    assert unique(simple, [opened]).score == 2
    assert unique(simple, [opened, other]).reason == "another_answer: Омск"


def test_another_subject_with_the_same_answer_leaves_it_unique(simple, opened, fact):
    assert unique(simple, [opened, fact(("«Луч»", "открыть завод в", "Тула"), article_id="a2")]).score == 2


def test_a_replaced_version_is_no_other_answer(simple, opened, fact):
    old = fact(("«Вектор»", "открыть завод в", "Омск"), article_id="a2", held_back="superseded")
    assert unique(simple, [opened, old]).score == 2


def test_a_surname_is_no_other_answer(case, led, fact):
    made = case("simple", "Кто возглавил «Вектор»?", ["Пётр Королёв"], [led])
    short = fact(("Королёв", "возглавить", "«Вектор»"), article_id="a2")
    assert unique(made, [led, short]).score == 2


def test_a_second_bridge_makes_a_multi_hop_not_unique(case, led, opened, fact):
    made = case(
        "multi_hop", "Где открыла завод компания, которую возглавил Пётр Королёв?", ["Тула"], [led, opened], bridge="«Вектор»"
    )
    assert unique(made, [led, opened]).score == 2
    second = fact(("Пётр Королёв", "возглавить", "«Луч»"), article_id="a2")
    assert unique(made, [led, opened, second]).reason == "another_answer: «Луч»"


def test_a_conditional_has_another_answer_only_if_it_fits_both_facts(case, led, opened, fact):
    question = "Какая компания, которую возглавил Пётр Королёв, открыла завод в Туле?"
    made = case("conditional", question, ["«Вектор»"], [led, opened], bridge="«Вектор»")
    one = fact(("Пётр Королёв", "возглавить", "«Луч»"), article_id="a2")
    both = [one, fact(("«Луч»", "открыть завод в", "Тула"), article_id="a3")]
    assert unique(made, [led, opened, one]).score == 2
    assert unique(made, [led, opened, *both]).reason == "another_answer: «Луч»"
