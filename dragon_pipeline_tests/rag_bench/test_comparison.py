import pytest

from rag_bench.comparison import compare
from rag_bench.evaluation import QuestionScores, Scores


def scores(values: list[float]) -> Scores:
    return Scores(
        ("exact",), tuple(QuestionScores(place, "simple", True, {"exact": value}) for place, value in enumerate(values))
    )


def test_equal_runs_do_not_differ():
    found = compare(scores([0.0, 1.0, 1.0]), scores([0.0, 1.0, 1.0]), "exact")
    assert (found.mean, found.low, found.high, found.p, found.n) == (0.0, 0.0, 0.0, 1.0, 3)


def test_a_steady_difference_is_real_and_a_shaky_one_is_not():
    steady = compare(scores([1.0] * 20 + [0.0] * 20), scores([0.0] * 40), "exact")
    shaky = compare(scores([1.0, 0.0] * 20), scores([0.0, 1.0] * 19 + [0.0, 0.0]), "exact")
    assert steady.mean == 0.5 and 0 < steady.p < 0.001 and steady.low > 0.3
    assert shaky.p > 0.5 and shaky.low < 0 < shaky.high


def test_the_p_value_is_that_of_the_exact_test():
    # Five questions, all won: of 32 ways to swap, the two extreme ones are as large.
    assert compare(scores([1.0] * 5), scores([0.0] * 5), "exact").p == pytest.approx(2 / 32, abs=0.01)


def test_swapping_the_runs_swaps_the_sign():
    one, other = scores([1.0, 0.5, 0.0, 1.0]), scores([0.0, 0.5, 0.5, 0.0])
    assert compare(one, other, "exact").mean == -compare(other, one, "exact").mean
    assert compare(one, other, "exact") == compare(one, other, "exact")


def test_runs_on_different_questions_are_not_compared():
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0]), scores([1.0, 0.0]), "exact")
    with pytest.raises(ValueError, match="same questions"):
        compare(scores([1.0]), scores([1.0]), "mrr@5")
