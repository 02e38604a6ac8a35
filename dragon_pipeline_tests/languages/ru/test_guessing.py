"""What a question asks for that could be guessed."""

import pytest

from dragon_pipeline.languages.ru.guessing import wanted


@pytest.mark.parametrize("question", ["Кто открыл завод?", "С кем встретилась Анна Белова?", "Как зовут директора «Вектора»?"])
def test_a_person_is_asked_for_by_who(question):
    found = wanted(question)
    assert found is not None and found.kind == "PER" and found.fits("Анна Белова")


def test_a_place_is_asked_for_by_its_noun():
    found = wanted("Послы каких стран посетили Тулу?")
    assert found is not None and found.kind == "LOC"
    assert found.fits("Франция") and not found.fits("Тула")


@pytest.mark.parametrize(
    "question", ["В каком году открыт завод?", "Какую должность занимала Анна Белова?", "Что купил «Вектор»?"]
)
def test_years_posts_and_things_are_not_guessed(question):
    assert wanted(question) is None


def test_more_countries_are_tried_than_people_or_cities():
    assert wanted("Какая страна закрыла границу с Тувой?").tries > 1
    assert wanted("В каком городе закрыли завод?").tries == wanted("Кто закрыл завод?").tries == 1
