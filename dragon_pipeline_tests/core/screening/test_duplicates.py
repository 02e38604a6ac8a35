import dataclasses
import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline.core.screening.duplicates import DuplicateScreen
from dragon_pipeline.core.screening.screens import run_screens
from dragon_pipeline.core.screening.standalone import StandaloneScreen
from dragon_pipeline.core.table import DAY
from dragon_pipeline.languages.ru.lemmas import lemmas


def judged(cases, earlier=None):
    """qa_id → reason, None for what passes."""
    screen = DuplicateScreen(QA.empty() if earlier is None else earlier, lemmas)
    found = list(screen.judge(cases))
    assert all(one.outcome == ("failed" if one.reason else "passed") and one.score is None for one in found)
    return {case.qa["qa_id"]: one.reason for case, one in zip(cases, found, strict=True)}


def of_day(day, *cases, **changes):
    return QA.frame([{**case.qa, **changes} for case in cases]).with_columns(pl.lit(day).alias(DAY))


def said(case, **changes):
    return replace(case, qa={**case.qa, **changes})


@pytest.fixture
def one(case, fact):
    return case("simple", "Где открыл завод «Вектор»?", ["Тула"], [fact(("«Вектор»", "открыть завод в", "Тула"))])


@pytest.mark.parametrize(
    "question",
    ["Где открыл завод «Вектор»?", "где открыл завод Вектор", "Где «Вектор» открыл завод?", "Где открыл заводы «Вектор» ?"],
)
def test_the_same_question_on_other_facts_is_asked_once(one, case, fact, question):
    other = case("simple", question, ["Тула"], [fact(("Вектор", "строить в", "Тула"))])
    assert judged([said(one, qa_id="1"), said(other, qa_id="2")]) == {"1": None, "2": "same_question: 1"}


def test_the_order_of_a_conjunction_makes_no_other_question(case, fact):
    facts = [fact(("«Вектор»", "открыть завод в", town)) for town in ("Тула", "Омск")]
    here = said(case("conditional", "Кто открыл завод в Туле и в Омске?", ["«Вектор»"], facts, bridge="«Вектор»"), qa_id="1")
    there = [fact(("«Вектор»", "открыть", "завод")), fact(("«Вектор»", "быть в", "Омск"))]
    turned = case("conditional", "Кто открыл завод в Омске и в Туле?", ["«Вектор»"], there, bridge="«Вектор»")
    assert judged([here, said(turned, qa_id="2")]) == {"1": None, "2": "same_question: 1"}


@pytest.mark.parametrize("question", ["Где открыл завод «Вектор»?", "где открыл завод Вектор"])
def test_the_same_words_with_another_answer_fail_both_questions(one, case, fact, question):
    """Which of the two is right, nobody could tell."""
    other = case("simple", question, ["Омск"], [fact(("«Вектор»", "открыть завод в", "Омск"))])
    both = [said(one, qa_id="1"), said(other, qa_id="2")]
    assert judged(both) == {"1": "two_answers: 2", "2": "two_answers: 1"}
    again = said(one, qa_id="3", cross_story=True)
    assert judged([*both, again]) == {"1": "two_answers: 2", "2": "two_answers: 3", "3": "two_answers: 2"}
    assert judged([said(one, qa_id="1"), again]) == {"1": "same_question: 3", "3": None}


def test_the_mirrored_question_is_no_duplicate(case, fact):
    """Fault 5 of the reference: one fact asked from both ends, in nearly the same lemmas."""
    beaten = fact(("Пётр Королёв", "победить", "Иван Орлов"), kinds=("PER", "PER"))
    who = case("simple", "Кто победил Ивана Орлова?", ["Пётр Королёв"], [beaten])
    whom = case("simple", "Кого победил Пётр Королёв?", ["Иван Орлов"], [beaten])
    led = fact(("Анна Белова", "возглавить", "«Вектор»"), kinds=("PER", "ORG"))
    opened = fact(("«Вектор»", "открыть завод в", "Тула"))
    where = case("multi_hop", "Где открыла завод фирма Анны Беловой?", ["Тула"], [led, opened], bridge="«Вектор»")
    led_by = case("multi_hop", "Кто возглавил фирму из Тулы?", ["Анна Белова"], [led, opened], bridge="«Вектор»")
    assert set(judged([where, led_by]).values()) == {None}
    told = judged([who, whom])
    first, second = sorted([who.qa["qa_id"], whom.qa["qa_id"]])
    assert told == {first: None, second: f"same_sentence: {first}"}, "one sentence is one piece of news"


def test_two_simple_questions_in_much_the_same_words_with_one_answer_are_alike(one):
    again = said(one, qa_id="2", question="Где «Вектор» открыл новый завод?", subgraph="[]")
    assert judged([said(one, qa_id="1"), moved(again)]) == {"1": None, "2": "alike: 1"}
    other = said(one, qa_id="2", question="Где инженеры «Вектора» строят корабли для рыбаков?", subgraph="[]")
    assert set(judged([said(one, qa_id="1"), moved(other)]).values()) == {None}


def moved(case):
    """The same, told by another sentence."""
    return dataclasses.replace(case, facts=[fact | {"start": fact["start"] + 100} for fact in case.facts])


def test_a_relation_both_ways_is_two_questions(case, fact):
    """The lemmas are the same; who won is not."""
    there = fact(("Пётр Королёв", "победить", "Иван Орлов"), kinds=("PER", "PER"))
    back = fact(("Олег Громов", "победить", "Пётр Королёв"), kinds=("PER", "PER"))
    whom = case("simple", "Кого победил Пётр Королёв?", ["Иван Орлов"], [there])
    who = case("simple", "Кто победил Петра Королёва?", ["Олег Громов"], [back])
    assert sorted(lemmas(whom.qa["question"])) == sorted(lemmas(who.qa["question"]))
    assert set(judged([whom, moved(who)]).values()) == {None}


def test_the_same_facts_with_the_same_answer_are_asked_once_whatever_the_type(case, fact):
    led = fact(("Анна Белова", "возглавить", "«Вектор»"), kinds=("PER", "ORG"))
    born = fact(("Анна Белова", "родиться в", "Тула"), kinds=("PER", "LOC"))
    both = case("conditional", "Кто родился в Туле и возглавил «Вектор»?", ["Анна Белова"], [led, born], bridge="Анна Белова")
    other = case("set", "Какая уроженка Тулы возглавила «Вектор»?", ["Анна Белова"], [born, led])
    assert judged([said(both, qa_id="1"), said(other, qa_id="2")]) == {"1": None, "2": "same_subgraph: 1"}


def test_a_reprint_of_the_facts_is_the_same_subgraph(one, case, fact):
    """Other ids of facts, for they come from another article; the same ends and relation."""
    reprint = case("simple", "Куда пришёл «Вектор»?", ["Тула"], [fact(("«Вектор»", "открыть завод в", "Тула"), "Ещё раз.")])
    assert reprint.qa["fact_ids"] != one.qa["fact_ids"]
    assert judged([said(one, qa_id="1"), said(reprint, qa_id="2")])["2"] == "same_subgraph: 1"


def test_the_first_stays_and_cross_story_comes_first(one):
    assert judged([said(one, qa_id="1"), said(one, qa_id="2", cross_story=True)]) == {"1": "same_question: 2", "2": None}
    assert judged([said(one, qa_id="1"), said(one, qa_id="2", one_article=False)]) == {"1": "same_question: 2", "2": None}


@given(st.permutations(range(6)))
def test_the_order_of_the_questions_changes_nothing(case, fact, order):
    facts = [fact(("«Вектор»", "открыть завод в", town)) for town in ("Тула", "Омск", "Тула")]
    pool = [
        said(case("simple", question, [one["tail"]], [one]), qa_id=f"{number}", cross_story=number == 4)
        for number, (question, one) in enumerate(
            (q, f) for q in ("Где завод «Вектора»?", "Где «Вектора» завод?") for f in facts
        )
    ]
    assert judged([pool[place] for place in order]) == judged(pool)


def test_what_an_earlier_day_asked_is_not_asked_again(one, case, fact):
    again = case("simple", "Куда пришёл «Вектор»?", ["Тула"], [fact(("«Вектор»", "открыть завод в", "Тула"))])
    earlier = pl.concat([of_day("2024-03-02", said(one, qa_id="b")), of_day("2024-03-01", said(again, qa_id="a"))])
    assert judged([one], earlier) == {one.qa["qa_id"]: "asked_before: 2024-03-02 b"}
    assert judged([again], earlier) == {again.qa["qa_id"]: "asked_before: 2024-03-01 a"}
    other = case("simple", "Где открыл склад «Вектор»?", ["Омск"], [fact(("«Вектор»", "открыть склад в", "Омск"))])
    assert set(judged([other], earlier).values()) == {None}


def test_the_earliest_day_that_asked_is_named(one):
    earlier = pl.concat([of_day("2024-03-02", one), of_day("2024-03-01", said(one, qa_id="a"))])
    assert set(judged([one], earlier).values()) == {"asked_before: 2024-03-01 a"}


def test_what_could_not_be_written_was_not_asked(one):
    unwritten = of_day("2024-03-01", one, question=None, answer=None, reason="no_template")
    assert set(judged([one], unwritten).values()) == {None}


def test_a_question_that_failed_takes_no_good_one_with_it(one):
    """Two of one subgraph: the first cannot be read alone, so the second is the one that is asked."""
    vague, clear = said(one, qa_id="1", question="Где там открыл завод «Вектор»?"), said(one, qa_id="2")
    tables = QA.frame([vague.qa, clear.qa]), FACTS.frame(one.facts), ARTICLES.frame(one.articles), MENTIONS.frame(one.mentions)
    screens = [StandaloneScreen(lambda question: "no_referent: там" if "там" in question else None)]
    verdicts = run_screens(*tables, [*screens, DuplicateScreen(QA.empty(), lemmas)])
    assert verdicts.filter(screen="duplicates").sort("qa_id")["outcome"].to_list() == ["not_run", "passed"]


def test_relations_are_told_apart_by_property_where_they_are_linked(one, fact, case):
    linked = json.loads(one.qa["subgraph"])
    linked[0] |= {"relation_id": "P159", "relation": "находиться в"}
    other = said(one, qa_id="2", question="В каком городе «Вектор»?", subgraph=json.dumps(linked))
    assert set(judged([said(one, qa_id="1"), moved(other)]).values()) == {None}
