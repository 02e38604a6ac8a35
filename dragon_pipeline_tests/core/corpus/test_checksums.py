import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.checksums import is_card, is_iban


@pytest.mark.parametrize("number", ["4276945807302158", "3714 024817 39158", "2202-2621-2997-2202"])
def test_a_card_number_passes_luhn(number: str):
    assert is_card(number)


@given(st.sampled_from(["4276945807302158", "371402481739158"]), st.integers(0, 14), st.integers(1, 9))
def test_one_wrong_digit_makes_no_card(number: str, place: int, more: int):
    wrong = str((int(number[place]) + more) % 10)
    assert not is_card(number[:place] + wrong + number[place + 1 :])


@given(st.sampled_from(["DE89370400440532013000", "CY17002001280000001200527600"]), st.integers(4, 21), st.integers(1, 9))
def test_one_wrong_digit_makes_no_iban(number: str, place: int, more: int):
    assert is_iban(number)
    wrong = str((int(number[place]) + more) % 10)
    assert not is_iban(number[:place] + wrong + number[place + 1 :])
