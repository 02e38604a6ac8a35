import json
from decimal import Decimal

import polars as pl
import pytest

from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.records import FACTS
from dragon_pipeline.core.screening.evidence import AnswerCorrectness, AnswerUniqueness, ContextSufficiency, standing
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
    return AnswerUniqueness(lemmas, FACTS.frame(facts), numbers)(case)


def numbers(kind, text):
    """«3480», «около 3500»: a tenth to either side."""
    number, about = text.split()[-1], text.startswith("около")
    if kind != "NUMBER" or not number.isdigit():
        return None
    return Quantity(*(Decimal(number) * (1 + sign * Decimal("0.1") * about) for sign in (-1, 1)), unit="насос")


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
    old = fact(("«Вектор»", "открыть завод в", "Омск"), article_id="a0")
    versions = [
        {"article_id": id, "url": "https://gazeta.example/1", "version": version, "day": "2024-03-01", "text": ""}
        for id, version in (("a1", 2), ("a0", 1))
    ]
    for rows in (versions, versions[::-1]):
        facts = standing(FACTS.frame([old, opened]), pl.DataFrame(rows))
        assert AnswerUniqueness(lemmas, facts)(simple).score == 2
    assert unique(simple, [opened, old]).score == 0


@pytest.mark.parametrize("changes", [{"head_id": "Q5"}, {"kinds": ("OTHER", "LOC")}])
@pytest.mark.parametrize("name", ["«Вектор»", "Вектор", "ВЕКТОР"])
def test_what_is_said_of_a_namesake_is_another_answer(simple, opened, fact, changes, name):
    other = fact((name, "открыть завод в", "Омск"), article_id="a2", **changes)
    assert unique(simple, [opened, other]).reason == "another_answer: Омск"


def test_a_node_of_the_same_name_is_no_other_answer(simple, opened, fact):
    assert unique(simple, [opened, fact(("«Вектор»", "открыть завод в", "Тула"), article_id="a2", tail_id="Q5")]).score == 2


def test_a_firm_whose_name_is_part_of_another_s_is_another_answer(case, fact):
    bought = fact(("Полярис", "купить", "Газпром нефть"), kinds=("ORG", "ORG"))
    made = case("simple", "Что купил Полярис?", ["Газпром нефть"], [bought])
    other = fact(("Полярис", "купить", "Газпром"), kinds=("ORG", "ORG"), article_id="a2")
    assert unique(made, [bought]).score == 2
    assert unique(made, [bought, other]).reason == "another_answer: Газпром"


def test_a_person_in_another_spelling_is_no_other_answer(case, fact):
    led = fact(("Филип Крейвен", "возглавить", "Маяк"), kinds=("PER", "ORG"))
    made = case("simple", "Кто возглавил «Маяк»?", ["Филип Крейвен"], [led])
    assert unique(made, [led, fact(("Филип Крэйвен", "возглавить", "Маяк"), kinds=("PER", "ORG"))]).score == 2


def test_a_post_under_another_relation_is_another_answer(case, fact):
    kinds = ("PER", "ROLE")
    post = fact(("Анна Белова", "занимаемая должность", "министр"), kinds=kinds, relation_id="P39")
    made = case("simple", "Какую должность занимает Анна Белова?", ["министр"], [post])
    other = fact(("Анна Белова", "род занятий", "врач"), kinds=kinds, relation_id="P106", article_id="a2")
    assert unique(made, [post]).score == 2
    assert unique(made, [post, other]).reason == "another_answer: врач"


def test_one_relation_in_two_cases_and_linked_or_not_is_one(simple, opened, fact):
    other = fact(("«Вектор»", "Открыть завод в", "Омск"), article_id="a2", relation_id="P1")
    assert unique(simple, [opened, other]).reason == "another_answer: Омск"


def test_a_surname_is_no_other_answer(case, led, fact):
    made = case("simple", "Кто возглавил «Вектор»?", ["Пётр Королёв"], [led])
    short = fact(("Королёв", "возглавить", "«Вектор»"), article_id="a2", kinds=("PER", "ORG"))
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
    both[1] |= {"head_id": "Q5"}
    assert unique(made, [led, opened, *both]).reason == "another_answer: «Луч»", "by name, too"


SOLD = "выпустить насосов"


@pytest.fixture
def compared(case, fact):
    def make(answer="3480", rival="2900", direction="more", **changes):
        facts = [
            fact((name, SOLD, number), kinds=("ORG", "NUMBER"), article_id=article, **changes)
            for name, number, article in (("Исток", answer, "a1"), ("Гидромаш", rival, "a2"))
        ]
        made = case("comparison", "Кто выпустил больше: «Гидромаш» или «Исток»?", ["Исток"], facts, given=["Гидромаш", "Исток"])
        made.qa["direction"] = direction
        return made

    return make


def value(fact, head, number, relation=SOLD, **changes):
    return fact((head, relation, number), kinds=("ORG", "NUMBER"), article_id="a3", **changes)


@pytest.mark.parametrize(
    ("answer", "rival", "direction", "reason"),
    [
        ("3480", "2900", "more", None),
        ("2900", "3480", "less", None),
        ("2900", "3480", "more", "not_more: 2900 / 3480"),
        ("3480", "2900", "less", "not_less: 3480 / 2900"),
        ("3480", "около 3500", "more", "not_more: 3480 / около 3500"),
        ("3480", "3480", "more", "not_more: 3480 / 3480"),
        ("3480", "много", "more", "not_comparable: 3480 / много"),
    ],
)
def test_the_answer_of_a_comparison_has_the_value_that_is_asked_for(compared, answer, rival, direction, reason):
    assert AnswerCorrectness(lemmas, numbers)(compared(answer, rival, direction)).reason == reason


def test_the_other_subject_is_no_answer_to_a_comparison(compared):
    made = compared()
    made.qa.update(answers=["Гидромаш"], answer="Гидромаш")
    assert AnswerCorrectness(lemmas, numbers)(made).reason == "not_asked: Гидромаш"


def test_without_a_reader_of_values_no_comparison_is_judged(compared):
    made = compared()
    assert AnswerCorrectness(lemmas)(made).reason == "rules_cannot_judge"
    assert AnswerUniqueness(lemmas, FACTS.frame(made.facts))(made).reason == "rules_cannot_judge"


def test_a_comparison_is_unique_while_each_subject_has_one_value(compared, fact):
    made = compared()
    assert unique(made, made.facts).score == 2
    assert unique(made, [*made.facts, value(fact, "Луч", "5000")]).score == 2
    assert unique(made, [*made.facts, value(fact, "Исток", "2100")]).reason == "another_value: Исток 2100"
    assert unique(made, [*made.facts, value(fact, "Гидромаш", "9000")]).reason == "another_value: Гидромаш 9000"
    assert unique(made, [*made.facts, value(fact, "завод Гидромаш", "9000")]).reason == "another_value: завод Гидромаш 9000"


def test_the_same_value_in_other_words_turns_nothing_round(compared, fact):
    made = compared()
    assert unique(made, [*made.facts, value(fact, "Исток", "около 3500")]).score == 2
    assert unique(made, [*made.facts, value(fact, "Исток", "много")]).reason == "another_value: Исток много"


def test_values_of_another_relation_do_not_count(compared, fact):
    made = compared()
    assert unique(made, [*made.facts, value(fact, "Исток", "12", "нанять")]).score == 2


def test_values_under_one_key_of_comparing_count_whatever_their_relation(compared, fact):
    """The rules may say «выпустил» and «произвёл» of one thing."""
    key = json.dumps({"compare": {"key": "выпуск насосов", "more": "Кто выпустил больше насосов"}})
    made = compared(wording=key)
    other = value(fact, "Исток", "12", "произвести насосов", wording=key)
    assert unique(made, made.facts).score == 2
    assert unique(made, [*made.facts, other]).reason == "another_value: Исток 12"
    assert unique(made, [*made.facts, value(fact, "Исток", "12")]).reason == "another_value: Исток 12"
