"""The release tests its own gate: what was judged by nobody leaves the house in no case."""

import json

import pytest

from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.records import ACCEPTED, VERDICTS
from dragon_pipeline.core.release.gate import given_away, refuse_outage, says, told_answer, withhold
from dragon_pipeline.core.settings import Settings


def more_verdicts(day, screen, *told):
    """The day's verdicts with those of another screen, one for each accepted question, in their order."""
    rows = [
        {"qa_id": id, "order": 9, "screen": screen, "outcome": outcome, "score": None, "reason": reason}
        for id, (outcome, reason) in zip(day.accepted["qa_id"], told, strict=True)
    ]
    return VERDICTS.frame([*day.verdicts.iter_rows(named=True), *rows])


PASSED = ("passed", None)


@pytest.mark.parametrize("reason", ["timeout", "no_connection", "http_error: 503", "given_up", "rate_limited: m1"])
def test_an_outage_above_the_share_refuses_the_whole_day(day, reason):
    """A screen that nobody requires, for a question that is not among the accepted: its model was away all the same."""
    verdicts = more_verdicts(day, "closed_book", ("not_run", reason), PASSED, PASSED, PASSED)
    with pytest.raises(Unreachable, match=r"closed_book .* 25\.0% of its 4 questions, allowed are 5\.0% .*again"):
        day.vary(verdicts=verdicts, accepted=day.accepted.tail(3)).build()


def test_an_outage_within_the_share_withholds_what_it_took(day):
    lost = day.accepted["qa_id"][0]
    verdicts = more_verdicts(day, "closed_book", ("not_run", "timeout: m1"), PASSED, PASSED, PASSED)
    refuse_outage(verdicts, 0.25)
    assert withhold(day.accepted, day.articles, verdicts, ["grammar"]).reasons == {lost: "verdict_lost"}
    lenient = Settings.model_validate({**day.settings.model_dump(exclude={"models"}), "models": {"lost_share": 0.25}})
    assert not day.vary(verdicts=verdicts, settings=lenient).build().is_empty()


def test_an_outage_refuses_a_day_without_accepted_questions_too(day):
    """Else it would be told as a day with nothing to publish, and never be run again."""
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "no_connection")] * 4)
    with pytest.raises(Unreachable):
        day.vary(verdicts=verdicts, accepted=ACCEPTED.empty()).build()


def test_garbage_is_no_outage(day):
    """A judge that cannot be read fails its questions: nothing to publish, and nothing to run again."""
    verdicts = more_verdicts(day, "judge_question_clarity", *[("failed", "unreadable_score: invalid_json")] * 4)
    assert day.vary(verdicts=verdicts).build().is_empty()
    assert set(withhold(day.accepted, day.articles, verdicts, []).counts) == {"not_screened"}
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "unreadable_reply: m1")] * 4)
    required = Settings.model_validate({**day.settings.model_dump(), "screens": {"required": ["grammar", "closed_book"]}})
    assert day.vary(verdicts=verdicts, settings=required).build().is_empty()


def test_a_screen_that_is_not_configured_is_no_outage(day):
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "not_configured")] * 4)
    assert not day.vary(verdicts=verdicts).build().is_empty()


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("Кто такой Артём Ёлкин?", "артем елкин", True),
        ("Кто купил «Сталь и Свет»?", "Сталь и Свет", True),
        ("Чей Андреи\u0306 Краи\u0306нов?", "Андрей Крайнов", True),
        ("Кто живёт в Казани?", "Казань", False),
        ("Сколько будет 120?", "12", False),
        ("Кто?", "…", False),
        ("Кто?", "", False),
    ],
)
def test_an_answer_is_said_when_its_words_stand_in_a_row(text, answer, said):
    assert says(text, answer) is said


def qa(question: str, *answers: str, type: str = "simple", heads: tuple[str, ...] = ()) -> dict:
    subgraph = json.dumps([{"head": head, "tail": "1941"} for head in heads])
    return {"type": type, "question": question, "answer": ", ".join(answers), "answers": list(answers), "subgraph": subgraph}


@pytest.mark.parametrize(
    ("question", "answers", "told"),
    [
        ("Кто живёт в Казани?", ["Казань"], "Казань"),
        ("Кого назначили вместо Анны Лещинской?", ["Анна Лещинская"], "Анна Лещинская"),
        ("Какие города, кроме Твери, принял форум?", ["Казань", "Тверь"], "Тверь"),
        ("Сколько стоит билет за 15 000 рублей?", ["15000"], "15000"),
        ("Кто открыл сад в Ярославле?", ["Анна Лещинская"], None),
        ("Кто сменил Анну Сомову?", ["Анна Лещинская"], None),
        ("Сколько домов построили в 2024 году?", ["20"], None),
    ],
)
def test_a_question_tells_its_answer_in_another_case_too(question, answers, told):
    assert told_answer(qa(question, *answers)) == told


BOTH = ("Генерал Дуглас", "Дмитрий Овчаренко")


def test_a_comparison_may_name_what_it_compares():
    """It names both, so the answer's being there says nothing; all 89 of ten real days were withheld before."""
    asked = qa("Кто погиб раньше: Дмитрий Овчаренко или Генерал Дуглас?", BOTH[0], type="comparison", heads=BOTH)
    assert told_answer(asked) is None
    assert told_answer({**asked, "type": "simple"}) == BOTH[0]


def test_a_comparison_that_names_only_its_answer_tells_it():
    asked = qa("Кто погиб раньше: Генерал Дуглас или его солдат?", BOTH[0], type="comparison", heads=BOTH)
    assert told_answer(asked) == BOTH[0]


def test_a_comparison_must_not_say_another_answer():
    asked = qa("Кто погиб в 1941 году: Генерал Дуглас или Дмитрий Овчаренко?", "1941", type="comparison", heads=BOTH)
    assert told_answer(asked) == "1941"


@pytest.mark.parametrize("subgraph", ["", "{", "[]", "[1]", '{"head": 1}', "[{}]", "null"])
def test_a_comparison_without_its_subjects_must_not_say_its_answer(subgraph):
    asked = qa("Кто погиб раньше: Генерал Дуглас или Дмитрий Овчаренко?", BOTH[0], type="comparison")
    assert told_answer({**asked, "subgraph": subgraph}) == BOTH[0]


def about(fact: str, number: int, asked: dict) -> dict:
    return {**asked, "qa_id": f"{fact}-{number}", "fact_ids": [fact], "rank": number}


def test_of_two_questions_about_one_fact_none_tells_the_answer_of_the_other():
    when = about("a", 1, qa("В каком году Анна Лещинская открыла сад?", "2024"))
    who = about("a", 2, qa("Кто открыл сад в 2024 году?", "Анна Лещинская"))
    where = about("a", 3, qa("Где открыла сад его директор?", "Ярославль"))
    assert given_away([who, where, when]) == ["a-2"]
    assert given_away([{**who, "type": "conditional"}, when]) == ["a-1"], "the rarer type stays"
    assert given_away([{**when, "qa_id": "b-1", "fact_ids": ["b"]}, who]) == [], "another fact, another year"


def test_an_answer_in_another_case_is_told_too():
    whom = about("a", 1, qa("Кто сменил директора?", "Пётр Сомов"))
    what = about("a", 2, qa("Когда назначили Петра Сомова?", "в мае"))
    assert given_away([whom, what]) == ["a-2"]


def test_a_comparison_is_not_answered_by_who_names_its_candidates():
    both = qa("Что открыто раньше: сад или мост?", "сад", type="comparison", heads=("сад", "мост"))
    assert given_away([about("a", 1, both), about("a", 2, qa("В каком году открыли сад?", "1941"))]) == []
