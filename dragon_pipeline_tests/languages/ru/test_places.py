import pytest

from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.places import BORDER, CAPITAL, COUNTRY, PART, place_facts


def found(text: str) -> set[tuple[str, str, str]]:
    return {
        (fact.head.normal, fact.relation, fact.tail.normal)
        for sentence in parse(text).sentences
        for fact in place_facts(sentence)
    }


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Берлин — столица Германии.", ("Берлин", CAPITAL, "Германия")),
        ("Встреча прошла в Таллине, столице Эстонии, в прошлую среду.", ("Таллин", CAPITAL, "Эстония")),
        ("Столица Казахстана Астана приняла новый музыкальный фестиваль.", ("Астана", CAPITAL, "Казахстан")),
        ("Бавария входит в состав Германии.", ("Бавария", PART, "Германия")),
        ("Встреча прошла в Таллине (Эстония) в прошлую среду.", ("Таллин", COUNTRY, "Эстония")),
        ("Журналисты приехали в Мценск Орловской области.", ("Мценск", PART, "Орловская область")),
    ],
)
def test_what_is_said_of_a_place_is_a_fact(text, fact):
    assert fact in found(text)


def test_every_neighbour_is_a_fact_of_its_own():
    assert found("Франция граничит с Испанией и Германией.") == {
        ("Франция", BORDER, "Испания"), ("Франция", BORDER, "Германия")
    }  # fmt: skip


def test_a_city_in_a_country_is_a_fact():
    assert any(relation == COUNTRY for _, relation, _ in found("Музыканты выступили в городе Модена в Италии."))


@pytest.mark.parametrize(
    "text",
    [
        "Берлин принял гостей из Германии.",
        "В столице Германии открыли выставку.",
        "Пётр Громов живёт в Берлине.",
        "Компания вошла в состав холдинга.",
    ],
)
def test_places_that_only_stand_together_are_no_fact(text):
    assert not found(text)
