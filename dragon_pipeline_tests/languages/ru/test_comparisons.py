"""Questions that compare two values, from the sentences that state them."""

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.ports import Sketch
from dragon_pipeline.languages.ru.comparisons import comparison
from dragon_pipeline.languages.ru.quantities import quantity
from dragon_pipeline.languages.ru.wording import RuleWriter


def facts(read, *texts: str) -> list[dict]:
    """The one comparable fact of each text."""
    found = []
    for number, text in enumerate(texts):
        rows = [row for row in read(text, article_id=f"a{number}").asked if row["words"].get("compare")]
        assert len(rows) == 1, (text, rows)
        found += rows
    return found


def asked(rows: Iterable[dict], direction: str):
    rows = list(rows)
    names = sorted(row["head"] for row in rows)
    (written,) = RuleWriter().write([Sketch("comparison", rows, [rows[0]["head"]], names, direction=direction)])
    return written


BORN = ("Скрипач Олег Дымов родился в 1954 году в Твери.", "Скрипачка Анна Ковалёва родилась 5 мая 1970 года.")
FOUNDED = ("Компания «Полярис» была основана в 1998 году в Твери.", "Компания «Аврора» основана в 2004 году и торгует чаем.")
BUILT = ("Завод «Маяк» был построен в 1931 году под Тверью.", "Завод «Вымпел» был основан в 1947 году.")


@pytest.mark.parametrize(
    ("texts", "more", "less"),
    [
        (
            BORN,
            "Кто родился позже: скрипачка Анна Ковалёва или скрипач Олег Дымов?",
            "Кто родился раньше: скрипачка Анна Ковалёва или скрипач Олег Дымов?",
        ),
        (
            FOUNDED,
            "Какая компания была основана позже: «Аврора» или «Полярис»?",
            "Какая компания была основана раньше: «Аврора» или «Полярис»?",
        ),
        (
            BUILT,
            "Какой завод появился позже: «Вымпел» или «Маяк»?",
            "Какой завод появился раньше: «Вымпел» или «Маяк»?",
        ),
        (
            (FOUNDED[0], BUILT[1]),
            "Что было основано позже: завод «Вымпел» или компания «Полярис»?",
            "Что было основано раньше: завод «Вымпел» или компания «Полярис»?",
        ),
        (
            (FOUNDED[0], BUILT[0]),
            "Что появилось позже: завод «Маяк» или компания «Полярис»?",
            "Что появилось раньше: завод «Маяк» или компания «Полярис»?",
        ),
        (
            ("Скрипач Олег Дымов умер в 1996 году.", "Поэт Пётр Носов погиб 28 января 1945 года под Будапештом."),
            "Кто позже ушёл из жизни: скрипач Олег Дымов или поэт Пётр Носов?",
            "Кто раньше ушёл из жизни: скрипач Олег Дымов или поэт Пётр Носов?",
        ),
        (
            ("Олег Дымов был приговорён к 12 годам заключения.", "Суд приговорил Петра Носова к трём годам колонии."),
            "Кто был приговорён к более долгому сроку: Олег Дымов или Пётр Носов?",
            "Кто был приговорён к более короткому сроку: Олег Дымов или Пётр Носов?",
        ),
        (
            ("Стадион «Волга» вмещает 45 тысяч зрителей.", "Стадион «Динамо» вмещает 21 тысячу зрителей."),
            "Какой стадион вмещает больше зрителей: «Волга» или «Динамо»?",
            "Какой стадион вмещает меньше зрителей: «Волга» или «Динамо»?",
        ),
        (
            ("В 2004 году Словения вступила в НАТО.", "В 1999 году Чехия вступила в НАТО."),
            "Какая страна позже вступила в НАТО: Словения или Чехия?",
            "Какая страна раньше вступила в НАТО: Словения или Чехия?",
        ),
    ],
)
def test_two_values_make_a_question_either_way(read, texts, more, less):
    rows = facts(read, *texts)
    assert (asked(rows, "more").question, asked(rows, "less").question) == (more, less)
    assert asked(reversed(rows), "more").question == more


def test_the_order_of_the_names_never_tells_the_answer(read):
    rows = facts(read, *BORN)
    for direction in ("more", "less"):
        assert asked(rows, direction).question == asked(rows[::-1], direction).question


@pytest.mark.parametrize(
    ("texts", "direction", "reason"),
    [
        ((BORN[0], FOUNDED[0]), "more", "two_relations"),
        (BORN, None, "no_comparison"),
        ((BORN[0], BORN[0]), "less", "one_name_twice"),
        ((BORN[0], "Поэт Пётр Носов родился в 1854 году в Твери."), "less", "two_relations"),  # another century
        ((BORN[0], "Пётр Носов родился в 1964 году в Твери."), "less", "arbitrary_pair"),  # and who is Носов?
        ((BORN[0], "Министр Пётр Носов родился в 1964 году в Твери."), "less", "arbitrary_pair"),  # a fiddler and a minister
        (("Стадион «Волга» построен в 2014 году.", "Сайт «Маяк» основан в 2001 году."), "less", "arbitrary_pair"),
        (("В 2004 году Словения вступила в НАТО.", "В 1999 году Чехия вступила в Евросоюз."), "more", "two_relations"),
    ],
)
def test_what_cannot_be_compared_has_a_reason(read, texts, direction, reason):
    assert asked(facts(read, *texts), direction).reason == reason


def test_a_fact_without_a_comparison_is_no_wording(read):
    (plain,) = read("Министр Олег Дымов посетил завод «Вымпел» в Твери.").of("clause")[:1]
    (born,) = facts(read, BORN[0])
    assert asked([plain, born], "more").reason == "no_wording"


@pytest.mark.parametrize(
    "text",
    [
        "В 2004 году Словения и Чехия вступили в НАТО.",
        "Пётр Носов забил гол «Спартаку» на 51-й минуте.",
        "Олег Дымов набрал 213 баллов.",
        "Нападающий Олег Дымов забьёт «Спартаку» 5 голов.",
    ],
)
def test_values_that_mean_nothing_elsewhere_do_not_compare(read, text):
    assert not [row for row in read(text).kept if row["words"].get("compare")]


def test_counts_compare_when_all_else_is_the_same(read):
    one, other, third = facts(
        read,
        "Компания «Полярис» купила в Казани 54 автобуса.",
        "Компания «Маяк» купила в Казани 17 автобусов.",
        "В 2017 году компания «Маяк» купила 300 тракторов.",
    )
    rows = [one, other]
    assert asked(rows, "more").question == "Какая компания купила в Казани больше автобусов: «Маяк» или «Полярис»?"
    assert third["words"]["compare"]["less"] == "Какая компания купила меньше тракторов в 2017 году"
    assert asked([one, third], "more").reason == "two_relations"
    larger, smaller = (quantity("NUMBER", row["tail"]) for row in rows)
    assert larger and smaller and larger.exceeds(smaller)


@given(
    st.sampled_from(["more", "less"]), st.lists(st.text("абвг", min_size=1, max_size=5), min_size=2, max_size=2, unique=True)
)
def test_both_names_stand_behind_the_opening_in_alphabetical_order(direction, names):
    compare = {"key": "рождение", "more": "Кто родился позже", "less": "Кто родился раньше"}
    rows = [{"head": name, "wording": json.dumps({"compare": compare})} for name in names]
    one, other = sorted(names)
    assert comparison(rows, direction) == f"{compare[direction]}: {one} или {other}"


def test_what_lies_ages_apart_is_history_unless_both_say_what_they_are():
    rows = [
        {"head": name, "head_kind": "PER", "tail": year, "article_id": "a1", "wording": json.dumps({"compare": compare})}
        for name, year in (("Олег Дымов", "1606"), ("Пётр Носов", "2012"))
        for compare in [{"key": "прийти к власти", "more": "Кто позже пришёл", "less": "Кто раньше пришёл", "said": name}]
    ]
    assert asked(rows, "more").reason == "history"
    rows[0]["tail"] = "1990"
    assert asked(rows, "more").question == "Кто позже пришёл: Олег Дымов или Пётр Носов?"


@pytest.mark.parametrize(("name", "fit"), [("ЦЦП", False), ("CCP", False), ("Северная комиссия", False), ("Novabank", True)])
def test_things_of_no_kind_compare_when_their_names_tell_something(name, fit):
    compare = {"key": "появление: 20", "more": "Что было создано позже", "less": "Что было создано раньше", "noun": ""}
    rows = [
        {"head": head, "head_kind": "ORG", "tail": "1998", "article_id": head, "wording": json.dumps({"compare": compare})}
        for head in ("Telinor", name)
    ]
    assert (asked(rows, "more").question is not None) is fit
