from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rag_bench.comparison import DRAWS, compare, compare_all, holm
from rag_bench.scores import Scores

VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def scores(values: list[float], types: str = "") -> Scores:
    n = len(values)
    return Scores(
        ("Exact",), tuple(range(n)), tuple(types or "s" * n), (True,) * n, np.array(values, dtype=float).reshape(n, 1)
    )


def test_equal_runs_do_not_differ():
    found = compare(scores([0.0, 1.0, 1.0]), scores([0.0, 1.0, 1.0]), "Exact")
    assert (found.mean, found.low, found.high, found.p, found.n) == (0.0, 0.0, 0.0, 1.0, 3)


def test_a_steady_difference_is_real_and_a_shaky_one_is_not():
    steady = compare(scores([1.0] * 20 + [0.0] * 20), scores([0.0] * 40), "Exact")
    shaky = compare(scores([1.0, 0.0] * 20), scores([0.0, 1.0] * 19 + [0.0, 0.0]), "Exact")
    assert steady.mean == 0.5 and 0 < steady.p < 0.001 and steady.low > 0.3
    assert shaky.p > 0.5 and shaky.low < 0 < shaky.high


def test_few_questions_are_tested_exactly():
    # Five questions, all won: of 32 ways to swap, the two extreme ones are as large.
    found = compare(scores([1.0] * 5), scores([0.0] * 5), "Exact")
    assert found.exact and found.p == 2 / 32


@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=8))
def test_the_exact_p_counts_every_swap(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    gaps = np.subtract(first, second)
    swapped = [abs(float(np.dot(signs, gaps))) for signs in product((1, -1), repeat=len(gaps))]
    share = sum(value >= abs(gaps.sum()) - 1e-12 for value in swapped) / len(swapped)
    found = compare(scores(first), scores(second), "Exact")
    assert found.exact and found.p == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_p_and_interval_are_those_of_scipy(seed):
    draw = np.random.default_rng(seed)
    first, second = draw.random(9), draw.random(9)
    exact = stats.permutation_test((first, second), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=10**6)
    assert compare(scores(first), scores(second), "Exact").p == pytest.approx(exact.pvalue, abs=1e-12)

    first, second = draw.random(60) + 0.05, draw.random(60)
    ours = compare(scores(first), scores(second), "Exact")
    theirs = stats.permutation_test(
        (first, second), lambda a, b, axis: np.mean(a - b, axis), permutation_type="samples", n_resamples=100_000, rng=seed
    )
    error = np.sqrt(theirs.pvalue * (1 - theirs.pvalue) / DRAWS)  # of our draws; theirs are ten times as many
    assert not ours.exact and ours.p == pytest.approx(theirs.pvalue, abs=5 * error + 1 / DRAWS)
    interval = stats.bootstrap(
        (first - second,), np.mean, method="percentile", n_resamples=100_000, rng=seed
    ).confidence_interval
    width = interval.high - interval.low  # a 2.5 % quantile of 10,000 draws errs by about 1 % of the width
    assert (ours.low, ours.high) == pytest.approx(tuple(interval), abs=0.04 * width)


def test_drawn_and_counted_p_agree():
    draw = np.random.default_rng(5)
    first, second = draw.random(14), draw.random(14)
    drawn = compare(scores(first), scores(second), "Exact")
    signs = np.array(list(product((1, -1), repeat=14)))
    counted = np.mean(np.abs(signs @ (first - second)) >= abs((first - second).sum()) - 1e-12)
    assert not drawn.exact and drawn.p == pytest.approx(counted, abs=5 * np.sqrt(counted * (1 - counted) / DRAWS) + 1 / DRAWS)


def test_swapping_the_runs_swaps_the_sign():
    one, other = scores([1.0, 0.5, 0.0, 1.0]), scores([0.0, 0.5, 0.5, 0.0])
    assert compare(one, other, "Exact").mean == -compare(other, one, "Exact").mean
    assert compare(one, other, "Exact") == compare(one, other, "Exact")


def test_runs_on_different_questions_are_not_compared():
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0]), scores([1.0, 0.0]), "Exact")
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0]), scores([1.0]), "MRR@5")
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0, np.nan]), scores([1.0, 0.0]), "Exact")
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0]), scores([1.0]), "Exact", type="set")


def test_a_type_is_compared_by_its_own_questions():
    first, second = scores([1.0] * 6 + [0.0] * 6, "s" * 6 + "m" * 6), scores([0.0] * 12, "s" * 6 + "m" * 6)
    assert (compare(first, second, "exact", "s").mean, compare(first, second, "exact", "s").n) == (1.0, 6)
    assert compare(first, second, "exact", "m").p == 1.0


def test_holm_by_hand():
    # Sorted 0.01 0.02 0.03 0.04, times 4 3 2 1: 0.04 0.06 0.06 0.04; never below the one before.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == [] and holm([0.2]) == [0.2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_and_keeps_the_order(p):
    adjusted = holm(p)
    assert all(before <= after <= 1 for before, after in zip(p, adjusted, strict=True))
    order = sorted(range(len(p)), key=lambda place: p[place])
    assert [adjusted[place] for place in order] == sorted(adjusted)


def test_all_systems_are_compared_with_all_and_adjusted():
    runs = {"weak": scores([0.0] * 10), "strong": scores([1.0] * 10), "middle": scores([1.0] * 5 + [0.0] * 5)}
    found = compare_all(runs, "Exact")
    assert found.systems == ("strong", "middle", "weak") and found.means == (1.0, 0.5, 0.0)
    plain = {pair: compare(runs[pair[0]], runs[pair[1]], "Exact").p for pair in found.differences}
    assert plain == {("strong", "middle"): 2 / 32, ("strong", "weak"): 2 / 1024, ("middle", "weak"): 2 / 32}
    assert found.differences["strong", "weak"].p_holm == 3 * 2 / 1024
    assert found.differences["strong", "middle"].p_holm == found.differences["middle", "weak"].p_holm == 2 * 2 / 32
    matrix = found.matrix()
    assert matrix[0] == [None, 4 / 32, 6 / 1024] and [row[0] for row in matrix] == matrix[0]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(VALUES, min_size=6, max_size=6), min_size=2, max_size=4))
def test_together_or_two_by_two_the_numbers_are_the_same(values):
    runs = {f"system {place}": scores(row) for place, row in enumerate(values)}
    for (better, worse), found in compare_all(runs, "Exact").differences.items():
        alone = compare(runs[better], runs[worse], "Exact")
        assert (found.mean, found.p, found.low, found.high) == pytest.approx(
            (alone.mean, alone.p, alone.low, alone.high), abs=1e-12
        )


def test_without_systems_there_is_nothing_to_compare():
    assert compare_all({}, "Exact").systems == ()
    assert compare_all({"one": scores([1.0])}, "Exact").differences == {}
