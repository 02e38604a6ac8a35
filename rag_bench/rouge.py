"""ROUGE F1 over words that are already cut, so that no tokenizer drops Cyrillic.

Lin 2004; F1 of clipped n-gram counts, and of the longest common subsequence. Two texts without any n-gram score 0.
"""

import itertools
from collections.abc import Iterable, Sequence


def rouge_1(answer: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of the words that both have."""
    return _f1(_shared(answer, gold), len(answer), len(gold))


def rouge_2(answer: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of the pairs of neighbouring words that both have."""
    if len(answer) < 2 or len(gold) < 2:
        return 0.0
    shared = _shared(itertools.pairwise(answer), itertools.pairwise(gold))
    return _f1(shared, len(answer) - 1, len(gold) - 1)


def rouge_l(answer: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of the longest common subsequence."""
    return _f1(common_subsequence(gold, answer), len(answer), len(gold))


def common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004): one big-integer step per shared word of `right`."""
    places: dict[str, int] = {}
    for place, word in enumerate(left):
        places[word] = places.get(word, 0) | 1 << place
    everything = open_places = (1 << len(left)) - 1
    for word in right:
        if word in places:
            taken = open_places & places[word]
            open_places = (open_places + taken | open_places - taken) & everything
    return len(left) - open_places.bit_count()


def _shared(ours: Iterable, theirs: Iterable) -> int:
    """How many both have, each as often as the one that has it less often."""
    left: dict = {}
    for gram in theirs:
        left[gram] = left.get(gram, 0) + 1
    shared = 0
    for gram in ours:
        if left.get(gram):
            left[gram] -= 1
            shared += 1
    return shared


def _f1(common: int, ours: int, theirs: int) -> float:
    return 2 * common / (ours + theirs) if common else 0.0
