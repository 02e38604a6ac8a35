import pytest

from dragon_pipeline.languages.ru.offices import Office
from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.roles import roles


def office(text: str) -> Office | None:
    (found,) = (role for sentence in parse(text).sentences for role in roles(sentence))
    return found.office


@pytest.mark.parametrize(
    ("text", "instrumental", "which"),
    [
        ("Министр обороны Франции Клод Дюваль посетил Казань.", "министром обороны", "какой страны"),
        ("Министр экономики и торговли Анголы Пётр Громов посетил Казань.", "министром экономики и торговли", "какой страны"),
        ("Мэр Казани Пётр Громов открыл выставку.", "мэром", "какого города"),
        ("Лидер группы «Гвозди» Пётр Громов посетил Казань.", "лидером", "какой группы"),
        ("Вратарь «Зенита» Пётр Громов посетил Казань.", "вратарём", "какого клуба"),
    ],
)
def test_an_office_stands_without_its_seat(text, instrumental, which):
    found = office(text)
    assert found is not None
    assert (found.instrumental.replace("ё", "е"), found.which) == (instrumental.replace("ё", "е"), which)


@pytest.mark.parametrize(
    "text",
    [
        "Министр обороны России Пётр Громов посетил Казань.",
        "Канцлер Германии Анна Белова посетила Казань.",
        "Военный эксперт Пётр Громов посетил Казань.",
        "Директор «Маяка» Пётр Громов посетил Казань.",
    ],
)
def test_what_tells_its_seat_or_has_none_is_no_office(text):
    assert office(text) is None
