"""ROUGE F1 over words that are already cut, so that no tokenizer drops Cyrillic.

Lin 2004; F1 of clipped n-gram counts, and of the longest common subsequence. Two texts without any n-gram score 0.
"""

from collections import Counter
from collections.abc import Sequence


def rouge_n(answer: Sequence[str], gold: Sequence[str], n: int) -> float:
    """F1 of the n-grams that both have."""
    ours, theirs = _grams(answer, n), _grams(gold, n)
    return _f1((ours & theirs).total(), ours.total(), theirs.total())


def rouge_l(answer: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of the longest common subsequence."""
    return _f1(common_subsequence(gold, answer), len(answer), len(gold))


def common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004): one big-integer step per word of `right`."""
    places: dict[str, int] = {}
    for place, word in enumerate(left):
        places[word] = places.get(word, 0) | 1 << place
    everything = open_places = (1 << len(left)) - 1
    for word in right:
        taken = open_places & places.get(word, 0)
        open_places = (open_places + taken | open_places - taken) & everything
    return len(left) - open_places.bit_count()


def _grams(words: Sequence[str], n: int) -> Counter:
    return Counter(tuple(words[start : start + n]) for start in range(len(words) - n + 1))


def _f1(common: int, ours: int, theirs: int) -> float:
    return 2 * common / (ours + theirs) if common else 0.0
