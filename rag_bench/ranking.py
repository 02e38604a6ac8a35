"""Measures of a ranking: the texts that a system found, best first, against the gold texts.

`found_ids` are cut to the first k entries; then repeats count once. For rankings without repeats the measures equal trec_eval's
`success_k`, `recall_k`, `P_k`, `recip_rank` (of the first k) and `ndcg_cut_k`.
"""

from collections.abc import Collection, Hashable, Sequence
from itertools import accumulate
from math import log2

LARGEST_CUTOFF = 1000
_GAINS = [1 / log2(rank + 1) for rank in range(1, LARGEST_CUTOFF + 1)]
_IDEAL = [0.0, *accumulate(_GAINS)]


def gold_ranks(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> list[int]:
    """The ranks, from 1, of the gold texts among the first k entries, repeats left out."""
    return [rank for rank, text in enumerate(dict.fromkeys(found[:k]), 1) if text in gold]


def hit(ranks: Sequence[int], n: int, k: int) -> float:
    """Whether any of the n gold texts was found."""
    return float(bool(ranks))


def recall(ranks: Sequence[int], n: int, k: int) -> float:
    """The share of the n gold texts that was found."""
    return len(ranks) / n


def precision(ranks: Sequence[int], n: int, k: int) -> float:
    """Gold texts among the k places; an empty place is a miss."""
    return len(ranks) / k


def mrr(ranks: Sequence[int], n: int, k: int) -> float:
    """One over the rank of the first gold text."""
    return 1 / ranks[0] if ranks else 0.0


def ndcg(ranks: Sequence[int], n: int, k: int) -> float:
    """Discounted gain (log2, binary) over that of the best ranking of k texts."""
    return min(1.0, sum(_GAINS[rank - 1] for rank in ranks) / _IDEAL[min(k, n)]) if ranks else 0.0
