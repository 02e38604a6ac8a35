"""Who is told by a question, and who may be anybody."""

import pytest

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.records import FACTS
from dragon_pipeline.languages.ru.strangers import Strangers


def judged(question, name, articles=()):
    facts = FACTS.empty().select("head", "head_kind", "tail", "tail_kind", "article_id")
    rows = [{"head": name, "head_kind": "PER", "tail": "Вектор", "tail_kind": "ORG", "article_id": one} for one in articles]
    told = facts.clear().vstack(type(facts)(rows, schema=facts.schema)) if rows else facts
    fact = {"head": name, "head_id": "h", "head_kind": "PER", "tail": "1980", "tail_id": "t", "tail_kind": "YEAR"}
    return Strangers(told)(Case({"question": question, "given": [name], "type": "simple", "bridge": None}, [fact], [], []))


@pytest.mark.parametrize("question", ["В каком году родился Андрей Петров?", "Кто поддержал Андрея Петрова?"])
def test_a_common_name_alone_is_a_stranger(question):
    assert judged(question, "Андрей Петров") == "stranger: Андрей Петров"


@pytest.mark.parametrize(
    "question",
    [
        "В каком году родился шахматист Андрей Петров?",
        "Кто поддержал режиссёра Андрея Петрова?",
        "В каком году родился директор завода «Вектор» Андрей Петров?",
        "Кто был президентом страны, министром обороны которой был Андрей Петров?",
    ],
)
def test_a_role_tells_who_is_meant(question):
    assert judged(question, "Андрей Петров") is None


def test_a_rare_name_and_one_that_is_often_told_need_no_role():
    assert judged("Кто поддержал Андрея Обремчука?", "Андрей Обремчук") is None
    assert judged("Кто поддержал Андрея Петрова?", "Андрей Петров", ["a1", "a2", "a3"]) is None


def test_of_whom_the_birth_is_asked_needs_a_role_however_rare_the_name():
    assert judged("В каком году родился Андрей Обремчук?", "Андрей Обремчук") == "stranger: Андрей Обремчук"
    assert judged("В каком году родился пилот Андрей Обремчук?", "Андрей Обремчук") is None
