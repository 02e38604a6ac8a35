import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.evaluation.reliability import alpha

PUBLISHED = [
    # Krippendorff 2011, section A: binary, two observers, nothing missing
    (["0100000010", "1110010000"], 0.095),
    # section B: nominal, two observers, nothing missing
    (["aabbdcccedda", "babbbccceddd"], 0.692),
    # section C: nominal, four observers, twelve units, values missing
    (["123321412...", "1233224125.3", ".3332342251.", "12332441251."], 0.743),
    # the worked example of Wikipedia's article: three coders, fifteen units, values missing
    ([".....34121133.3", "1.213343.......", "..21344.21133.4"], 0.691),
]


def units(observers: list[str]) -> list[list[str]]:
    return [[value for value in unit if value != "."] for unit in zip(*observers, strict=True)]


@pytest.mark.parametrize(("observers", "published"), PUBLISHED)
def test_published_examples_give_the_published_alpha(observers: list[str], published: float):
    assert round(alpha(units(observers)).value or 0, 3) == published


def test_units_with_one_value_say_nothing():
    told = alpha([["a", "a"], ["b", "b"], ["a"], [], ["b"]])
    assert (told.value, told.units) == (1.0, 2)


def test_without_variation_alpha_is_not_defined():
    told = alpha([[True, True], [True, True, True]])
    assert (told.value, told.low, told.high, told.reason, told.units) == (None, None, None, "no_variation", 2)


@pytest.mark.parametrize("values", [[], [[]], [[True], [False]]])
def test_without_a_unit_of_two_there_is_no_alpha(values: list[list[bool]]):
    told = alpha(values)
    assert (told.value, told.reason, told.units) == (None, "no_item_with_two_annotators", 0)


@pytest.mark.parametrize(("doubts", "given"), [(1, False), (2, False), (5, True)])
def test_values_that_hardly_vary_give_no_interval(doubts: int, given: bool):
    told = alpha([[True, True]] * 200 + [[True, False]] * doubts)
    without = (200 / (200 + doubts)) ** (200 + doubts)
    assert told.undefined_draws == pytest.approx(2000 * without, rel=0.5)
    assert (told.low is not None) == (told.high is not None) == given


def test_the_interval_narrows_with_more_units_and_holds_alpha():
    few = units(PUBLISHED[2][0])
    once, tenfold = alpha(few), alpha(few * 10)
    for told in (once, tenfold):
        assert told.low is not None
        assert told.high is not None
        assert told.value is not None
        assert told.low < told.value < told.high
    assert (tenfold.high or 0) - (tenfold.low or 0) < ((once.high or 0) - (once.low or 0)) / 2


def test_the_seed_decides_the_interval():
    values = units(PUBLISHED[2][0])
    assert alpha(values, seed=1) == alpha(values, seed=1)
    assert alpha(values, seed=1).low != alpha(values, seed=2).low


def by_hand(values: list[list[int]]) -> float | None:
    """Alpha from the pairs themselves, one by one."""
    compared = [unit for unit in values if len(unit) > 1]
    everything = [value for unit in compared for value in unit]
    pairs = [
        (one != other, 1 / (len(unit) - 1))
        for unit in compared
        for i, one in enumerate(unit)
        for j, other in enumerate(unit)
        if i != j
    ]
    n = len(everything)
    by_chance = sum(one != other for i, one in enumerate(everything) for j, other in enumerate(everything) if i != j)
    return 1 - sum(apart * weight for apart, weight in pairs) / n / (by_chance / (n * (n - 1))) if by_chance else None


some_units = st.lists(st.lists(st.integers(0, 3), max_size=5), max_size=12)


@given(some_units)
def test_alpha_is_what_pairs_counted_one_by_one_give(values: list[list[int]]):
    told, expected = alpha(values, draws=50).value, by_hand(values)
    assert (told is None) == (expected is None)
    assert told is None or math.isclose(told, expected or 0, abs_tol=1e-9)


@given(some_units)
def test_alpha_and_its_interval_stay_within_their_bounds(values: list[list[int]]):
    told = alpha(values, draws=50)
    for number in (told.value, told.low, told.high):
        assert number is None or -1 <= number <= 1 + 1e-12
    assert (told.low is None) == (told.high is None)


@given(some_units, st.randoms(use_true_random=False))
def test_names_and_order_of_items_annotators_and_values_change_nothing(values: list[list[int]], random):
    names = dict(zip(range(4), random.sample("abcdefgh", 4), strict=True))
    other = [[names[value] for value in random.sample(unit, len(unit))] for unit in random.sample(values, len(values))]
    first, second = alpha(values, draws=50), alpha(other, draws=50)
    assert first.value == pytest.approx(second.value)
    assert first.units == second.units


@given(st.lists(st.tuples(st.booleans(), st.integers(2, 5)), min_size=1), st.randoms(use_true_random=False))
def test_of_the_same_values_in_another_order_the_interval_is_the_same(told: list[tuple[bool, int]], random):
    values = [[good] * (size - 1) + [True] for good, size in told]
    assert alpha(values, draws=50) == alpha(random.sample(values, len(values)), draws=50)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(2, 5)), min_size=2))
def test_full_agreement_with_variation_is_one(told: list[tuple[int, int]]):
    value = alpha([[value] * size for value, size in told], draws=50).value
    assert value == (1.0 if len({value for value, _ in told}) > 1 else None)
