import pytest

from dragon_pipeline.languages.ru.faults import fault


@pytest.mark.parametrize(
    "question",
    [
        "Кто дали оценку работе?",
        "Как зовут женщину, которая сообщили о встрече?",
        "Как зовут посла в Туле, который сообщили прессе о встрече?",
        "Что открыл певец, который заявили, что завод закрыт?",
        "Какую должность занимают Валерий Белов?",
        "Кем являются Гвенк Тцоуль?",
        "Какую должность занимают министр, который живёт в Туле?",
        "Чьей целью являются недопущение войны?",
    ],
)
def test_a_plural_verb_of_one_is_named(question):
    found = fault(question)
    assert found is not None and found.startswith("plural_verb: ")


@pytest.mark.parametrize(
    "question",
    [
        "Кто были соперниками Тулы?",
        "В каком городе стоит завод, который построили немцы?",
        "Как зовут дочь Белова?",
        "Какую должность занимают Белов и Орлов?",
        "Какие страны населяют эльфы?",
        "Как называют министра в Туле?",
        "С кем были Белова и её муж?",
        "За что отвечают заводы Тулы?",
        "Какие певцы являются братьями?",
    ],
)
def test_a_plural_verb_of_many_or_of_nobody_is_sound(question):
    assert fault(question) is None


@pytest.mark.parametrize(
    ("question", "fault_"),
    [
        ("Кто ввёл стопроцентного нефтяной запрет в Туле?", "agreement: стопроцентного нефтяной"),
        ("Кто поставил в Тулу небольшого партию томатов?", "agreement: небольшого партию"),
        ("Кто ввёл стопроцентный нефтяной запрет в Туле?", None),
        ("Кто не допустил шага, чреватого большими бедами?", None),
    ],
)
def test_adjectives_in_a_row_agree(question, fault_):
    assert fault(question) == fault_
