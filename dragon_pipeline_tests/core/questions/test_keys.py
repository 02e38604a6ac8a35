from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.questions.keys import key, keys, mixed, ordered, places


def test_a_key_is_the_same_on_every_machine():
    assert [int(key("Полярис")), *map(int, keys(pl.Series(["Полярис"])))] == [0x6EA3FEFD300E4425] * 2


def test_the_order_of_the_parts_counts_and_each_part_does():
    one, other = keys(pl.Series(["а", "б"]))
    found = {
        int(mixed(*parts)[0]) for parts in [(one, other), (other, one), (one, one), (one,), (one, other, 0), (one, other, 1)]
    }
    assert len(found) == 6


CODES = st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 2**64 - 1)), min_size=1, max_size=30)


@given(CODES)
def test_rows_are_ordered_by_their_codes_and_then_by_their_key(rows):
    codes, flags, by = zip(*rows, strict=True)
    order = ordered(np.array(codes), np.array(flags), by=np.array(by, np.uint64))
    assert [rows[at][:2] for at in order] == sorted(row[:2] for row in rows)
    for one, other in pairwise(order):
        assert rows[one][:2] != rows[other][:2] or rows[one][2] >> 24 <= rows[other][2] >> 24


def test_codes_that_leave_nothing_of_the_key_are_refused():
    with pytest.raises(ValueError, match="bits"):
        ordered(np.array([2**41]), by=np.zeros(1, np.uint64))


@given(CODES)
def test_a_place_counts_equal_rows(rows):
    rows = sorted(row[:2] for row in rows)
    found = places(*(np.array(column) for column in zip(*rows, strict=True)))
    assert found.tolist() == [rows[:at].count(row) for at, row in enumerate(rows)]
