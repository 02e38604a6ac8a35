"""Dates in every form that Russian writes them: one day is one date, and two days are two."""

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag_bench.dates import MONTHS
from rag_bench.words import read_words

DAYS = st.dates(date(1000, 1, 1), date(2999, 12, 31))
SHORT = ["янв.", "фев.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек."]
ORDINALS = {1: "первого", 3: "третьего", 5: "пятого", 12: "двенадцатого", 20: "двадцатого", 31: "тридцать первого"}


@st.composite
def written(draw, day: date) -> str:
    """The day in one of its forms."""
    name = draw(st.sampled_from([MONTHS[day.month - 1], SHORT[day.month - 1], MONTHS[day.month - 1].upper()]))
    number = draw(st.sampled_from([str(day.day), f"{day.day:02}", f"{day.day}-го", ORDINALS.get(day.day, str(day.day))]))
    year = draw(st.sampled_from(["", " года", " г.", "-го года", " год"]))
    digits = [
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day:02}/{day.month:02}/{day.year}",
    ]
    return draw(st.sampled_from([f"{number} {name} {day.year}{year}", day.isoformat(), *digits]))


@given(day=DAYS, data=st.data())
def test_every_form_of_a_date_is_that_date(day, data):
    form = data.draw(written(day))
    plain = read_words(f"{day.day} {MONTHS[day.month - 1]} {day.year}").keys
    assert len(plain) == 3 and read_words(form).keys == plain, form
    assert read_words(f"Форум открылся {form}, в среду").keys[2:5] == plain, form


@given(one=DAYS, other=DAYS, data=st.data())
def test_two_days_are_never_one(one, other, data):
    assume(one != other)
    assert read_words(data.draw(written(one))).keys != read_words(data.draw(written(other))).keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 марта", "3 мая"),
        ("05.03.2024", "03.05.2024"),
        ("5 марта 2024", "5 марта 2023"),
        ("март 2024", "май 2024"),
        ("5 марта", "5 мая"),
    ],
)
def test_different_dates_stay_different(one, other):
    assert read_words(one).keys != read_words(other).keys


def test_a_date_without_its_year_is_a_part_of_it():
    whole = read_words("Это было 05.03.2024.")
    assert whole.find(read_words("5 марта")) >= 0 and whole.find(read_words("март 2024 года")) >= 0
    assert whole.find(read_words("2024 год")) >= 0 and whole.find(read_words("15 марта")) < 0


@pytest.mark.parametrize("no", ["31.02.2024", "2024-13-01", "1.2.3", "192.168.10.2024.5", "2024-03-05-17"])
def test_what_the_calendar_does_not_know_is_no_date(no):
    assert not any(month[:3] in " ".join(read_words(no).keys) for month in MONTHS)


def test_a_year_needs_no_word_for_it():
    assert read_words("в 2024 году").keys == read_words("в 2024 г.").keys == read_words("в 2024").keys
    assert read_words("5 лет").keys != read_words("5").keys
