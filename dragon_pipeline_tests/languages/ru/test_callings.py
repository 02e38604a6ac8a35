import json

import pytest

from dragon_pipeline.languages.ru.callings import called, calling, callings
from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.roles import Role, roles
from dragon_pipeline.languages.ru.wordlists import lines, refused


def role(text: str) -> Role:
    (found,) = (role for sentence in parse(text).sentences for role in roles(sentence))
    return found


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Министр обороны Франции Клод Дюваль посетил Казань.", "министр"),
        ("Депутат Госдумы Олег Дымов посетил Казань.", "депутат"),
        ("Президент Франции Клод Дюваль посетил Казань.", "президент"),
        ("Глава Франции Клод Дюваль посетил Казань.", "политик"),
        ("Директор завода «Маяк» Пётр Громов посетил Казань.", "руководитель"),
        ("Посол Франции Клод Дюваль посетил Казань.", "посол"),
        ("Полузащитник «Зенита» Пётр Громов посетил Казань.", "футболист"),
        ("Главный тренер «Зенита» Пётр Громов посетил Казань.", "тренер"),
        ("Французский режиссёр Клод Дюваль посетил Казань.", "режиссер"),
    ],
)
def test_a_person_is_called_by_the_role_that_the_text_states(text, noun):
    assert calling(role(text)) == noun


@pytest.mark.parametrize(
    "text",
    [
        "Эксперт Института рынка Пётр Громов посетил Казань.",
        "Официальный представитель завода «Маяк» Пётр Громов посетил Казань.",
    ],
)
def test_a_role_that_tells_too_little_calls_nobody(text):
    assert calling(role(text)) is None


def test_a_woman_is_called_by_a_noun_of_its_own_gender():
    (found,) = parse("Французская певица Анна Белова посетила Казань.").sentences
    assert set(callings(roles(found)).values()) == {("певица", "femn")}


def test_the_noun_stands_in_the_wording_of_every_clause_of_the_article(read):
    rows = read(
        "Анна Белова открыла в Казани выставку «Север».\nФранцузская певица Анна Белова посетила Самару летом 2016 года."
    )
    words = [json.loads(row["wording"]) for row in rows.of("clause") if row["tail"] == "Север"]
    assert [(word["calling"], word["calling_form"]) for word in words] == [("певица", "femn")]


def test_every_listed_noun_is_called_or_left_out_and_not_both():
    listed = {line.split(" = ")[0] for line in lines("callings") if " = " in line}
    assert listed
    assert not listed & refused("callings")


def test_a_noun_that_the_question_says_already_makes_way_for_a_more_general_one():
    assert called(("министр", "masc"), "встретился в Казани с мэром") == ("министр", "masc")
    assert called(("министр", "masc"), "встретился в Казани с министром") == ("политик", "masc")
    assert called(("президент", "masc"), "президент Франции") == ("политик", "masc")
    assert called(("посол", "masc"), "принял посла и дипломата из Казани") == ("человек", "masc")
    assert called(None, "посетил Казань") == ("человек", "masc")
