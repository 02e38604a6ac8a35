import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.tokens import fold, stems, tokens


def test_cyrillic_words_are_kept():
    assert tokens("В Казани открылся форум, 3-й по счёту!") == ("в", "казани", "открылся", "форум", "3", "й", "по", "счету")


@pytest.mark.parametrize(
    "variant", ["Ёлкин", "елкин", "ЁЛКИН", unicodedata.normalize("NFD", "Ёлкин"), "Ёл\u00adкин", "Ё\u0301лкин"]
)
def test_spellings_a_reader_cannot_tell_apart_are_one_word(variant):
    assert tokens(variant) == ("елкин",)


@pytest.mark.parametrize("number", ["15000", "15 000", "15\u00a0000", "15\u202f000"])
def test_groups_of_a_number_are_one_word(number):
    assert tokens(f"выделили {number} рублей") == ("выделили", "15000", "рублей")


def test_neighbouring_numbers_stay_apart():
    assert tokens("в 2024 300 человек, 1,5 и 007") == ("в", "2024", "300", "человек", "1", "5", "и", "007")


@pytest.mark.parametrize("form", ["Иванов", "Иванова", "Иванову", "Ивановым", "Иванове", "ИВАНОВ"])
def test_a_surname_has_one_stem_in_every_case(form):
    assert stems(form) == ("иванов",)


def test_a_surname_is_not_the_first_name_inside_it():
    assert stems("Иванов") != stems("Иван")


@given(st.text())
def test_folding_is_idempotent_and_each_word_has_one_stem(text):
    assert fold(fold(text)) == fold(text)
    assert len(stems(text)) == len(tokens(text))
