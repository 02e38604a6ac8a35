import pytest

from dragon_pipeline.core.corpus.home_addresses import addresses


def found(text: str) -> list[str]:
    return [text[start:stop] for start, stop in addresses(text)]


@pytest.mark.parametrize(
    "home",
    [
        "ул. Садовая, д. 5, кв. 12",
        "г. Тверь, ул. 8 Марта, д. 5а, корп. 2, кв. 12",
        "доме 8 по улице Мира, квартира 31",
        "квартире № 7 дома 3 на Лесной улице",
        "улице 1-я Парковая, 17/2, кв. 4",
        "дер. Малые Вяземы, Большое шоссе, дом 44, кв. 105",
        "наб. Обводного Канала, д. 12, литер А, кв. 3",
    ],
)
def test_a_flat_makes_an_address_a_home(home: str):
    assert found(f"Пакет забрали ночью, {home}; двери вскрыли.") == [home]


@pytest.mark.parametrize("words", ["проживает по адресу", "прописана на", "зарегистрирован по адресу:", "Домашний адрес –"])
def test_words_of_residence_make_a_house_a_home(words: str):
    assert found(f"{words} ул. Садовая, д. 5.") == ["ул. Садовая, д. 5"]


@pytest.mark.parametrize(
    "told",
    [
        "Пожар на улице Ленина, 15, потушили за час.",
        "ООО «Луч» зарегистрировано по адресу: Тверь, ул. Садовая, д. 5.",
        "В квартире 12 этажа нет: дом двухэтажный.",
        "Проживает в Твери. Суд на ул. Садовой, д. 5, откроют завтра.",
        "Он прописан в Твери, на улице Садовой, без номера дома.",
    ],
)
def test_other_addresses_stay(told: str):
    assert found(told) == []


def test_two_homes_of_one_text_are_both_found():
    text = "Он живёт по адресу: ул. Лесная, 5, кв. 1. " + "Слово за словом. " * 40 + "Она прописана на ул. Мира, 7, кв. 2."
    assert found(text) == ["ул. Лесная, 5, кв. 1", "ул. Мира, 7, кв. 2"]
