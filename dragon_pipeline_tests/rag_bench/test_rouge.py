import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.rouge import common_subsequence, rouge_1, rouge_2, rouge_l

WORDS = st.lists(st.sampled_from("абвг"), max_size=12)


def plain_common_subsequence(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, one in enumerate(left, 1):
        for j, other in enumerate(right, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if one == other else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


@pytest.mark.parametrize(
    ("answer", "gold", "one", "two", "longest"),
    [
        # answer 4 words, gold 3; all 3 shared in order: P 3/4, R 3/3; bigrams: "в казани" of 3 and 2
        ("форум прошел в казани", "форум в казани", 6 / 7, 2 / 5, 6 / 7),
        # reversed: the same words, longest common subsequence 1 of 2
        ("казань москва", "москва казань", 1.0, 0.0, 0.5),
        # a repeated word counts as often as the gold has it: 1 of 3 and 1 of 1
        ("да да да", "да", 0.5, 0.0, 0.5),
        ("", "да", 0.0, 0.0, 0.0),
        ("нет", "да", 0.0, 0.0, 0.0),
    ],
)
def test_hand_computed_cases(answer, gold, one, two, longest):
    answer, gold = answer.split(), gold.split()
    assert rouge_1(answer, gold) == pytest.approx(one)
    assert rouge_2(answer, gold) == pytest.approx(two)
    assert rouge_l(answer, gold) == pytest.approx(longest)


def test_two_identical_russian_sentences_score_one():
    words = "два одинаковых предложения".split()
    assert rouge_1(words, words) == rouge_2(words, words) == rouge_l(words, words) == 1.0


@given(WORDS, WORDS)
def test_the_common_subsequence_is_that_of_the_plain_table(left, right):
    assert common_subsequence(left, right) == plain_common_subsequence(left, right)


@given(WORDS, WORDS)
def test_f1_is_symmetric_and_within_bounds(left, right):
    for score in (rouge_1, rouge_2, rouge_l):
        assert 0 <= score(left, right) == score(right, left) <= 1
