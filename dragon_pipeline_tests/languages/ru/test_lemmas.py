import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.lemmas import fold, forms, key, lemmas

TEXTS = st.text("абвгдежзиклмнопрстуфхцчшщъыьэюяё -.,«»0123456789", max_size=40)


@pytest.mark.parametrize(
    "forms",
    [
        ("новый завод", "нового завода", "НОВЫМ ЗАВОДОМ", "Новые заводы"),
        ("Казань", "Казани", "Казанью"),
        ("Северный ветер", "«Северного ветра»"),
        ("ёлка", "елки", "ЁЛКОЙ"),
    ],
)
def test_a_name_has_one_key_in_every_case_and_number(forms):
    """Fault 7 of the reference: a third of multi-word entities never matched."""
    assert len({key(form) for form in forms}) == 1


def test_numbers_are_words_and_keep_every_digit():
    """Fault 3 of the reference: 007 became 7.0."""
    assert lemmas("2139 машин серии 007") == ["2139", "машина", "серия", "007"]


def test_a_hyphenated_word_is_one_word():
    assert len(lemmas("Салтыков-Щедрин и вице-премьер")) == 3


@given(TEXTS)
def test_capitals_and_ё_make_no_difference(text):
    assert lemmas(text.upper()) == lemmas(text)
    assert key(text) == fold(key(text)) == " ".join(lemmas(text))


@given(TEXTS, TEXTS)
def test_lemmas_of_two_texts_are_those_of_each(one, other):
    assert lemmas(f"{one} {other}") == lemmas(one) + lemmas(other)


@pytest.mark.parametrize("text", ["", " ", "—", "«»", "…!?"])
def test_punctuation_has_no_lemmas(text):
    assert lemmas(text) == []


@pytest.mark.parametrize("one, other", [("главный", "главного"), ("учёный", "учёному"), ("Невский", "Невского")])
def test_an_adjective_and_its_noun_have_one_lemma(one, other):
    assert lemmas(one) == lemmas(other)


@pytest.mark.parametrize(
    "cases",
    [
        ("Седова", "Седовой", "Седову"),
        ("Безос", "Безоса", "Безосу", "Безосом", "Безосе"),
        ("Маск", "Маска", "Маском"),
        ("Хабенский", "Хабенского", "Хабенским"),
        ("Порошенко",),
        ("Анна", "Анны", "Анной", "АННУ"),
    ],
)
def test_all_cases_of_a_name_have_a_form_in_common_with_the_nominative(cases):
    assert all(forms(cases[0]) & forms(case) for case in cases)


def test_other_names_have_no_form_in_common():
    assert forms("Седова").isdisjoint(forms("Серова"))
