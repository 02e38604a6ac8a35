import pytest

from dragon_pipeline.languages.ru.entities import resolve
from dragon_pipeline.languages.ru.lists import name_lists
from dragon_pipeline.languages.ru.parsing import parse


def lists(text: str) -> list[tuple[str, ...]]:
    parsed = parse(text)
    forms = resolve(parsed)
    return [tuple(m.text for m in found.members) for sentence in parsed.sentences for found in name_lists(sentence, forms)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Италия, Дания и Канада подписали в Вене договор о дорогах.", ("Италия", "Дания", "Канада")),
        ("Директор завода «Маяк» Иван Петров и мэр Казани Олег Дымов открыли выставку.", ("Иван Петров", "Олег Дымов")),
        ("Анна Белова (Россия) и Мария Соколова (Дания) выиграли турнир.", ("Анна Белова", "Мария Соколова")),
        ("Журналы «Маяк» и «Вестник» напечатали письмо мэра Казани.", ("Маяк", "Вестник")),
        ("Выставку увидели в Вене, Берлине и Праге.", ("Вена", "Берлин", "Прага")),
        ("Министр заказал карту двух стран — Чада и Мали.", ("Чад", "Мали")),
    ],
)
def test_a_list_has_all_its_names_in_the_nominative(text, names):
    assert names in lists(text)


@pytest.mark.parametrize(
    "text",
    [
        "Италия, Дания и другие страны подписали в Вене договор о дорогах.",
        "Договор подписали многие страны, в том числе Италия и Дания.",
        "Италия или Дания подпишет в Вене договор о дорогах.",
        "Иван Петров, его брат и Олег Дымов открыли выставку.",
        "Италия подписала в Вене договор о дорогах.",
        "Президенты Италии и Дании Марко Росси и Ларс Хансен приехали в Вену, Иван Петров и ряд гостей — в Прагу.",
    ],
)
def test_what_is_not_whole_is_no_list(text):
    assert not {("Италия", "Дания"), ("Иван Петров", "Олег Дымов")} & set(lists(text))


def test_a_mans_form_of_a_womans_name_is_no_member():
    assert ("Александр Степанова", "Олег Дымов") not in lists("Медали достались Александре Степановой и Олегу Дымову.")
