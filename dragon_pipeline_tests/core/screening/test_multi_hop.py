"""The proof of two hops by rules, and by a reader that answers from what it is shown."""

import json
from dataclasses import replace

import pytest

from dragon_pipeline.core.ports import Verdict
from dragon_pipeline.core.screening.closed_book import Recall
from dragon_pipeline.core.screening.multi_hop import MARKED, ONE_ARTICLE, PROVEN, UNANSWERABLE, MultiHopScreen
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.parsing import sentences

QUESTION = "Где открыла завод компания, которую возглавил Пётр Королёв?"
LED = "Пётр Королёв возглавил компанию «Вектор». Раньше он жил в Туле."
OPENED = "Компания «Вектор» открыла завод в Туле."


def article(article_id, text, title="Заголовок"):
    return {"article_id": article_id, "title": title, "text": text}


@pytest.fixture
def pair(case, fact):
    """Two facts from two articles, neither of which states the other's."""
    led = fact(("Пётр Королёв", "возглавить", "Вектор"), LED.split(". ")[0] + ".", kinds=("PER", "ORG"))
    opened = fact(("Вектор", "открыть завод в", "Тула"), OPENED, article_id="a2")
    made = case("multi_hop", QUESTION, ["Тула"], [led, opened], bridge="Вектор")
    facts = [{**made.facts[0], "start": 0}, {**made.facts[1], "start": 0, "stop": len(OPENED)}]
    qa = {**made.qa, "one_article": False, "article_ids": ["a1", "a2"]}
    return replace(made, qa=qa, facts=facts, articles=[article("a1", LED), article("a2", OPENED)])


class Reader:
    """Answers by the set of articles that it is shown."""

    name = "r"

    def __init__(self, **replies):
        self.replies, self.shown = replies, []

    def read(self, cases):
        self.shown += ["".join(one["article_id"] for one in case.articles) for case in cases]
        found = [self.replies.get("".join(one["article_id"] for one in case.articles), UNANSWERABLE) for case in cases]
        return [one if isinstance(one, Recall) else Recall(one) for one in found]


def judged(case, reader=None):
    (found,) = MultiHopScreen(lemmas, sentences, reader).judge([case])
    return found


def with_articles(case, *articles):
    return replace(case, articles=list(articles))


def test_a_pair_across_articles_that_no_article_states_alone_passes(pair):
    assert judged(pair) == Verdict("passed", PROVEN)


def test_an_article_that_was_read_for_both_facts_is_enough(pair):
    same = replace(pair, facts=[pair.facts[0], {**pair.facts[1], "article_id": "a1"}])
    assert judged(same).reason == "one_article_is_enough: a1"


@pytest.mark.parametrize(
    "text",
    [
        "Пётр Королёв возглавил «Вектор». Завод «Вектора» в Туле уже работает.",
        "О Королёве из «Вектора». «Вектор» пришёл в Тулу.",
    ],
)
def test_an_article_whose_sentence_names_both_ends_of_the_other_fact_states_it(pair, text):
    found = judged(with_articles(pair, article("a1", text), article("a2", OPENED)))
    assert (found.outcome, found.score, found.reason) == ("failed", 0.0, "one_article_is_enough: a1")
    shown = json.loads(found.evidence)
    assert shown["article_id"] == "a1" and len(shown["sentences"]) == 2


def test_ends_in_two_sentences_state_nothing(pair):
    apart = "Пётр Королёв возглавил «Вектор». В Туле прошёл дождь."
    assert judged(with_articles(pair, article("a1", apart), article("a2", OPENED))).outcome == "passed"


def test_a_sentence_is_not_cut_at_initials(pair):
    text = "Пётр Королёв возглавил «Вектор». Завод «Вектора» имени А. С. Попова стоит в Туле."
    assert judged(with_articles(pair, article("a1", text), article("a2", OPENED))).outcome == "failed"


def test_a_headline_states_too(pair):
    assert judged(with_articles(pair, article("a1", LED, "«Вектор» пришёл в Тулу"), article("a2", OPENED))).outcome == "failed"


def test_a_person_is_found_by_the_surname(pair):
    other = f"{OPENED} Возглавляет «Вектор» Королёв."
    assert judged(with_articles(pair, article("a1", LED), article("a2", other))).reason == "one_article_is_enough: a2"


def test_a_reprint_that_states_both_is_enough(pair):
    both = article("a3", "«Вектор» строит в Туле. Так решил Пётр Королёв, глава «Вектора».")
    assert judged(with_articles(pair, *pair.articles, both)).reason == "one_article_is_enough: a3"


def test_a_pair_inside_one_article_is_kept_and_marked(pair):
    inside = replace(pair, qa={**pair.qa, "one_article": True})
    assert judged(inside) == Verdict("passed", MARKED, ONE_ARTICLE)
    assert MARKED < PROVEN


def test_questions_of_other_types_are_none_of_its_business(pair, case, fact):
    simple = case("simple", "Где открыл завод «Вектор»?", ["Тула"], [fact(("«Вектор»", "открыть завод в", "Тула"))])
    reader = Reader(a1a2="Тула")
    found = list(MultiHopScreen(lemmas, sentences, reader).judge([simple, pair, simple]))
    assert [one.reason for one in found] == ["not_applicable", None, "not_applicable"]
    assert [one.score for one in found] == [None, PROVEN, None]
    assert reader.shown == ["a1a2", "a1", "a2"]


def test_rules_cost_nothing_and_a_reader_does():
    assert MultiHopScreen(lemmas, sentences).cheap
    assert not MultiHopScreen(lemmas, sentences, Reader()).cheap


def test_what_both_articles_answer_and_neither_alone_is_proven(pair):
    found = judged(pair, Reader(a1a2="В Туле"))
    assert (found.outcome, found.score, found.reason) == ("passed", PROVEN, None)
    assert json.loads(found.evidence) == [
        {"shown": "both", "model": "r", "reply": "В Туле", "answered": True},
        {"shown": "first", "model": "r", "reply": "unanswerable", "answered": False},
        {"shown": "second", "model": "r", "reply": "unanswerable", "answered": False},
    ]


@pytest.mark.parametrize(("alone", "article_id"), [("a1", "a1"), ("a2", "a2")])
def test_what_one_article_answers_is_one_hop(pair, alone, article_id):
    found = judged(pair, Reader(a1a2="Тула", **{alone: "Тула"}))
    assert (found.outcome, found.score, found.reason) == ("failed", 0.0, f"one_article_is_enough: {article_id}")


@pytest.mark.parametrize("reply", [UNANSWERABLE, "Омск", ""])
def test_what_both_articles_do_not_answer_is_out(pair, reply):
    assert judged(pair, Reader(a1a2=reply)).reason == "not_answered_with_both"


def test_another_answer_from_one_article_proves_nothing_against_it(pair):
    assert judged(pair, Reader(a1a2="Тула", a1="Омск")).outcome == "passed"


def test_a_lost_reply_judges_nothing_and_says_why(pair):
    found = judged(pair, Reader(a1a2="Тула", a1=Recall(None, "http_error: 503")))
    assert (found.outcome, found.reason) == ("not_run", "http_error: r")
    assert json.loads(found.evidence)[1]["reply"] == "http_error: 503"


@pytest.mark.parametrize("reply", [Recall("{", "invalid_json"), Recall(None, "window_exceeded"), Recall("", "empty")])
def test_a_reply_that_cannot_be_read_fails_the_question(pair, reply):
    assert judged(pair, Reader(a1a2="Тула", a2=reply)).reason == "unreadable_reply: second"
    assert judged(pair, Reader(a1a2="Тула", a2=reply)).outcome == "failed"


def test_what_is_sure_needs_no_lost_reply(pair):
    away = Recall(None, "timeout")
    assert judged(pair, Reader(a1a2=away, a1="Тула")).reason == "one_article_is_enough: a1"
    assert judged(pair, Reader(a1a2="Омск", a1=away)).reason == "not_answered_with_both"


def test_what_rules_refuse_no_reader_is_asked(pair):
    reader = Reader(a1a2="Тула")
    same = replace(pair, facts=[pair.facts[0], {**pair.facts[1], "article_id": "a1"}])
    assert judged(same, reader).outcome == "failed"
    assert reader.shown == []


def test_a_pair_inside_one_article_is_read_once_and_stays_marked(pair):
    inside = replace(pair, qa={**pair.qa, "one_article": True}, facts=[{**one, "article_id": "a1"} for one in pair.facts])
    reader = Reader(a1="Тула")
    found = judged(inside, reader)
    assert (found.outcome, found.score, found.reason, reader.shown) == ("passed", MARKED, ONE_ARTICLE, ["a1"])
    assert judged(inside, Reader(a1="Омск")).reason == "not_answered_with_both"
