"""Whole questions, from sentence to question mark."""

import json
import re

import pytest

from dragon_pipeline.core.ports import Sketch
from dragon_pipeline.languages.ru.wording import RuleWriter

YEAR = "Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году."
MARIA = "Инженер Мария Соколова возглавила автомобильный завод «Маяк» в 2019 году."
HOUSE = "Издательство «Восход» выпустило в Казани роман «Белые ночи»."
MEETING = "Инженер Мария Соколова встретилась в Берлине с режиссёром Иваном Петровым."
MINISTER = "Министр культуры Франции Клод Дюваль открыл в Берлине выставку «Северное сияние»."
LEADERS = "Президент Франции встретился в Берлине с лидерами Италии, Испании и Австрии."
PLANTS = "Компания «Полярис» открыла в Казани и Самаре новые заводы электрических автобусов."
WRITERS = "Писатель Иван Петров и режиссёр Анна Белова получили литературную премию «Большая книга»."
HIRED = "Компания «Полярис» наняла для нового завода в Казани 200 инженеров."


@pytest.mark.parametrize(
    ("text", "tail", "asked", "said"),
    [
        (YEAR, "2019", "2019", "В каком году компания «Полярис» купила автомобильный завод «Маяк»?"),
        (YEAR, "2019", "Полярис", "Какая компания купила автомобильный завод «Маяк» в 2019 году?"),
        (MARIA, "2019", "Мария Соколова", "Кто возглавил автомобильный завод «Маяк» в 2019 году?"),
        (MARIA, "2019", "2019", "В каком году Мария Соколова возглавила автомобильный завод «Маяк»?"),
        (HOUSE, "Казань", "Восход", "Какое издательство выпустило в Казани роман «Белые ночи»?"),
        (HOUSE, "Казань", "Казань", "В каком городе издательство «Восход» выпустило роман «Белые ночи»?"),
        (HOUSE, "Белые ночи", "Белые ночи", "Какой роман издательство «Восход» выпустило в Казани?"),
        (MEETING, "Иван Петров", "Иван Петров", "С кем Мария Соколова встретилась в Берлине?"),
        (HIRED, "200 инженеров", "200 инженеров",
         "Сколько инженеров компания «Полярис» наняла для нового завода в Казани?"),
    ],
)  # fmt: skip
def test_the_question_word_the_case_and_the_verb_agree(read, question, text, tail, asked, said):
    assert question("simple", [read(text).tail(tail)], asked) == said


def test_who_takes_a_masculine_verb_also_for_a_woman(read, question):
    row = read(MARIA).tail("Маяк")
    assert question("simple", [row], "Мария Соколова").startswith("Кто возглавил ")


def test_a_role_is_asked_for_both_ways(read, question):
    row = read(MINISTER).tail("министр культуры Франции")
    assert question("simple", [row], "Клод Дюваль") == "Кто занимает должность министра культуры Франции?"
    assert question("simple", [row], "министр культуры Франции") == "Какую должность занимает Клод Дюваль?"


def test_what_is_no_post_is_asked_for_by_what_one_is(read, question):
    text = "Депутат Госдумы Олег Дымов открыл в Берлине выставку «Северное сияние»."
    row = read(text).tail("депутат Госдумы")
    assert question("simple", [row], "Олег Дымов") == "Как зовут депутата Госдумы?"


def test_a_set_of_places_is_asked_for_in_the_plural(read, question):
    rows = [read(LEADERS).tail(name) for name in ("Австрия", "Испания", "Италия")]
    said = question("set", rows, "Австрия", "Испания", "Италия")
    assert said == "С лидерами каких стран президент Франции встретился в Берлине?"
    rows = [read(PLANTS).tail(name) for name in ("Казань", "Самара")]
    said = question("set", rows, "Казань", "Самара")
    assert said == "В каких городах компания «Полярис» открыла новые заводы электрических автобусов?"


def test_a_set_of_people_is_asked_for_by_who(read, question):
    rows = [row for row in read(WRITERS).of("clause") if row["tail"] == "Большая книга"]
    said = question("set", rows, *(row["head"] for row in rows))
    assert said == "Кто получил литературную премию «Большая книга»?"


def test_a_multi_hop_describes_the_bridge_and_does_not_name_it(read, question):
    rows = [read(MINISTER).tail("министр культуры Франции"), read(MINISTER).tail("Берлин")]
    said = question("multi_hop", rows, "Берлин")
    assert said == "В каком городе министр культуры Франции открыл выставку «Северное сияние»?"
    described = question("multi_hop", [read(YEAR).tail("2019"), read(PLANTS).tail("Казань")], "Казань")
    assert "Полярис" not in described
    assert "компания, которая купила автомобильный завод «Маяк» в 2019 году" in described


def test_a_conditional_says_both_facts_of_the_one_it_asks_for(read, question):
    rows = [read(YEAR).tail("2019"), read(PLANTS).tail("Казань")]
    said = question("conditional", rows, "Полярис")
    assert said.startswith("Какая компания ")
    assert said.count("?") == 1
    assert " и открыла " in said or " и купила " in said
    assert "Полярис" not in said
    rows = [read(MINISTER).tail("министр культуры Франции"), read(MINISTER).tail("Северное сияние")]
    said = question("conditional", rows, "Клод Дюваль")
    assert said == "Как зовут министра культуры Франции, который открыл в Берлине выставку «Северное сияние»?"


@pytest.mark.parametrize(
    "text", [YEAR, MARIA, HOUSE, MEETING, MINISTER, LEADERS, PLANTS, WRITERS, HIRED]
)  # fmt: skip
def test_every_simple_question_is_one_clean_sentence_without_its_answer(read, written, text):
    clean = 0
    for row in read(text).asked:
        for end in row["words"]["asks"]:
            if "simple" not in row["words"].get("shapes", ["simple"]):
                continue
            told = written("simple", [row], row[end])
            if told.question is None:
                assert told.reason.isidentifier()
                continue
            clean += 1
            said = told.question
            assert said[0].isupper()
            assert said.endswith("?")
            assert said.count("?") == 1
            assert "  " not in said
            assert "{" not in said
            assert said.count("«") == said.count("»")
            assert row[end] not in said
    assert clean or text == LEADERS


def test_a_fact_without_wording_cannot_be_said(read, written):
    row = {**read(YEAR).tail("2019"), "wording": None}
    assert written("simple", [row], "2019").reason == "no_wording"


def test_an_end_without_a_question_word_cannot_be_asked_for(read, written):
    row = read(YEAR).tail("2019")
    row = {**row, "wording": json.dumps({**row["words"], "ask": None, "ask_many": None})}
    assert re.fullmatch(r"[a-z_]+", written("simple", [row], "2019").reason)
    assert re.fullmatch(r"[a-z_]+", written("set", [row, {**row, "tail": "2020"}], "2019", "2020").reason)


@pytest.mark.parametrize("type_", ["multi_hop", "conditional"])
def test_facts_that_meet_at_no_subject_are_refused(read, written, type_):
    rows = [read(YEAR).tail("2019"), read(HOUSE).tail("Казань")]
    assert written(type_, rows, "Казань").reason == "bridge_is_no_subject"


def test_two_roles_make_no_question(read, written):
    row = read(MINISTER).tail("министр культуры Франции")
    assert written("conditional", [row, row], "Клод Дюваль").reason == "two_roles"


def test_an_unknown_type_is_refused(read, written):
    assert written("riddle", [read(YEAR).tail("2019")], "2019").reason == "unknown_type"


def test_every_sketch_has_its_answer_in_its_place(read):
    row = read(YEAR).tail("2019")
    sketches = [Sketch("simple", [row], ["2019"]), Sketch("riddle", [row], ["2019"]), Sketch("simple", [row], ["Полярис"])]
    year, riddle, buyer = RuleWriter().write(sketches)
    assert (year.question or "").startswith("В каком году")
    assert (riddle.question, riddle.reason) == (None, "unknown_type")
    assert (buyer.question or "").startswith("Какая компания")


def test_two_ends_of_one_statement_make_no_conditional(read, written):
    rows = [read(YEAR).tail("2019"), read(YEAR).tail("Маяк")]
    assert written("conditional", rows, "Полярис").reason == "one_phrase_twice"
