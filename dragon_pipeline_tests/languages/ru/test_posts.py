"""Which roles a question may ask for."""

import pytest

from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.posts import gender_of, is_rare
from dragon_pipeline.languages.ru.roles import roles


def role(text):
    return next(role for sentence in parse(text).sentences for role in roles(sentence))


@pytest.mark.parametrize(
    "text",
    [
        "Об этом рассказал директор Института полярной гидрологии Олег Дымов.",
        "С этим согласилась основательница компании «Полярис» Анна Белова.",
    ],
)
def test_a_post_of_a_little_known_organisation_may_be_asked_for(text):
    assert role(text).asked


@pytest.mark.parametrize(
    "text",
    [
        "Об этом рассказал министр энергетики России Олег Дымов.",
        "Об этом рассказал главный тренер «Волги» Олег Дымов.",
        "Об этом рассказал посол России в Японии Олег Дымов.",
        "Об этом рассказал глава представительства фонда Олег Дымов.",
        "Об этом рассказал вратарь «Волги» Олег Дымов.",
    ],
)
def test_what_changes_and_is_widely_told_is_not_asked_for(text):
    assert not role(text).asked


def test_a_name_with_a_common_surname_points_at_nobody():
    assert is_rare("Владимир Обремчук")
    assert not is_rare("Андрей Третьяков")
    assert not is_rare("Генерал Обремчук"), "a rank and a surname are no name"


def test_the_gender_of_a_holder_is_that_of_the_given_name():
    assert gender_of("Юлия") == "femn"
    assert gender_of("Олег") == "masc"
    assert gender_of("Гхнарх") is None
