import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.cleaning import MOST_MARKS, clean, tidy


def test_lead_opens_the_text():
    assert clean("Мост", "Мост открыт.", "Движение начнётся завтра.").text == "Мост открыт.\nДвижение начнётся завтра."


@pytest.mark.parametrize("lead", [None, "", "Мост открыт", "мост открыт…", "«Мост» открыт"])
def test_lead_is_not_said_twice(lead):
    assert clean("Событие", lead, "Мост открыт. Движение начнётся завтра.").text == "Мост открыт. Движение начнётся завтра."


def test_lead_that_repeats_the_title_is_left_out():
    assert clean("Мост открыт", "Мост открыт.", "Движение начнётся завтра.").text == "Движение начнётся завтра."


@pytest.mark.parametrize(
    ("raw", "tidied"),
    [
        ("и\u0306од", "йод"),
        ("за\u0301мок", "замок"),
        ("10\u00a0000\u202fруб\u00adлей", "10 000 рублей"),
        ("\ufeffнуль\u200bевой\u2060", "нульевой"),
        ("а\r\nб\r\r\n\n \t\nв\u2028г", "а\nб\nв\nг"),
        ("R&amp;D &laquo;Луч&raquo; &#8212; &amp;nbsp;да", "R&D «Луч» — да"),
        ("AT&T и Q&A; знак & один", "AT&T и Q&A; знак & один"),
        ("нуль\x00 и звонок\x07", "нуль и звонок"),
        ("  два   пробела  ", "два пробела"),
        ("одинокий \ud800суррогат", "одинокий суррогат"),
    ],
)
def test_text_is_put_in_order(raw, tidied):
    assert tidy(raw) == tidied


def test_masked_contacts_are_counted_over_title_and_text():
    cleaned = clean("Пишите a@b.example", "Звоните +7 495 123-45-67", "Текст новости без контактов.")
    assert (cleaned.title, cleaned.masked) == ("Пишите [почта]", 2)
    assert cleaned.text.startswith("Звоните [телефон]\n")


@given(
    st.text(max_size=40) | st.none(),
    st.text(max_size=40) | st.none(),
    st.text() | st.text("&amp;#x20nbsp\u00ad\u0301аё\n\t 0123456789+()-@.[]телпаскр", max_size=200),
)
def test_cleaning_what_is_clean_changes_nothing(title, lead, text):
    once = clean(title, lead, text)
    again = clean(once.title, None, once.text)
    assert (again.title, again.text, again.masked) == (once.title, once.text, 0)
    once.text.encode()


@pytest.mark.parametrize("escape", ["amp;", "#38;", "#x26;", "AMP;#0038;"])
def test_an_ampersand_escaped_a_million_times_is_one_ampersand(escape):
    assert tidy(f"Хлеб &{escape * 1_000_000} соль") == "Хлеб & соль"


@pytest.mark.parametrize("marks", ["\u0301\u0316" * 500_000, "\u0344" * 500_000, "\u0301" * 500_000])
def test_of_marks_heaped_on_a_letter_some_stay(marks):
    tidied = tidy(f"Мост{marks} открыт")
    assert len(tidied) <= len("Мост открыт") + MOST_MARKS
    assert tidy(tidied) == tidied
