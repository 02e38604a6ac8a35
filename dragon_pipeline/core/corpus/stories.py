"""Stories: near-duplicate articles, found by MinHash and LSH over word shingles and verified by exact Jaccard similarity.

A shingle is WIDTH consecutive stems; a stem is a word in lower case, ё as е, cut to STEM letters, so that an ending or a comma
does not break it. Shingles that many pages of one outlet share are its boilerplate and do not count. BANDS bands of ROWS
MinHash values propose pairs; these are compared exactly, so a wrong proposal costs time, never precision.

Measured by benchmarks/stories.py: of 211 labelled pairs of similar articles, 13 reach THRESHOLD, all of the same event (99 are:
an event told anew in other words is not merged); 2,999 real articles hold 35 stories of several, each of one title; time grows
with the number of articles (4 s of processor for these).
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
import polars as pl

from dragon_pipeline.core.records import STORIES

WIDTH = 3
STEM = 6
THRESHOLD = 0.35
"""Exact Jaccard similarity from which two articles tell one story. With 70 % of the sentences in common it is about .5."""
BOILERPLATE = 6
"""Pages of one outlet that share a shingle from which it is the outlet's footer or background, not the story."""
DRIFT = 0.5
"""Clusters join only if their first members are at least this share of THRESHOLD alike: no chains over changing texts."""
ROWS, BANDS = 3, 80
SMALL_BUCKET = 16
BLOCK = 512
"""Shingles hashed at once: what fits the processor's cache."""

_WORD = re.compile(r"\w+")


def cluster(articles: pl.DataFrame) -> pl.DataFrame:
    """ARTICLES of a window → STORIES; every article is in exactly one story, most of them alone.

    All versions of one URL are one story. The result depends on the articles alone, not on the order of their rows.
    """
    articles = articles.unique("article_id").sort("article_id")
    ids, urls = articles["article_id"].to_list(), articles["url"].to_list()
    sets = without_boilerplate(shingle(articles["text"].to_list()), articles["outlet"].to_list(), urls)
    similar = {pair: jaccard(sets[pair[0]], sets[pair[1]]) for pair in candidates(sets)}
    first_of_url: dict[str, int] = {}
    certain: list[tuple[float, int, int]] = []
    for index, url in enumerate(urls):
        first = first_of_url.setdefault(url, index)
        if first != index:
            certain.append((jaccard(sets[first], sets[index]), first, index))
    likely = sorted(((s, a, b) for (a, b), s in similar.items() if s >= THRESHOLD), key=lambda edge: (-edge[0], edge[1:]))
    forest = _Forest(sets)
    for similarity, a, b in certain:
        forest.join(a, b, similarity, always=True)
    for similarity, a, b in likely:
        forest.join(a, b, similarity)
    return STORIES.frame(
        [
            {"story_id": ids[forest.first(index)], "article_id": article_id, "similarity": forest.similarity[index]}
            for index, article_id in enumerate(ids)
        ]
    )


def candidates(sets: list[np.ndarray]) -> list[tuple[int, int]]:
    """Pairs that agree in at least one band of their MinHash signatures, smaller index first."""
    pairs: set[tuple[int, int]] = set()
    signatures = np.stack([signature(shingles) for shingles in sets]) if sets else np.empty((0, ROWS * BANDS), np.uint64)
    for band in range(BANDS):
        rows = np.ascontiguousarray(signatures[:, band * ROWS : (band + 1) * ROWS])
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for index, row in enumerate(rows):
            if len(sets[index]):
                buckets[row.tobytes()].append(index)
        for members in buckets.values():
            pairs.update(_neighbours(members))
    return sorted(pairs)


def _neighbours(members: list[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a small bucket; in a large one each with the first and the next, so that n members give 2n pairs, not n²."""
    if len(members) <= SMALL_BUCKET:
        yield from combinations(members, 2)
        return
    for before, after in pairwise(members):
        yield before, after
        yield members[0], after


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    """Similarity of two sorted arrays of distinct shingles; 1 for two empty ones."""
    common = len(np.intersect1d(a, b, assume_unique=True))
    union = len(a) + len(b) - common
    return common / union if union else 1.0


def shingle(texts: Sequence[str]) -> list[np.ndarray]:
    """Each text as the sorted array of its distinct shingles' hashes."""
    hashes: dict[str, int] = {}
    sets = []
    for text in texts:
        stems = [word[:STEM] for word in _WORD.findall(text.lower().replace("ё", "е"))]
        hashes.update((stem, _hash(stem)) for stem in set(stems) if stem not in hashes)
        values = np.array([hashes[stem] for stem in stems], np.uint64)
        width = min(WIDTH, len(stems))
        count = len(stems) - width + 1 if stems else 0
        shingles = np.zeros(count, np.uint64)
        for offset in range(width):
            shingles = _mix(shingles + values[offset : offset + count])
        sets.append(np.unique(shingles))
    return sets


def without_boilerplate(sets: list[np.ndarray], outlets: list[str], urls: list[str]) -> list[np.ndarray]:
    """The sets without the shingles that BOILERPLATE pages or more of the same outlet share; versions of a page count once."""
    kept = list(sets)
    for outlet in sorted(set(outlets)):
        of_outlet = [index for index, name in enumerate(outlets) if name == outlet]
        pages = {urls[index]: sets[index] for index in of_outlet}
        if len(pages) < BOILERPLATE:
            continue
        values, counts = np.unique(np.concatenate(list(pages.values())), return_counts=True)
        common = values[counts >= BOILERPLATE]
        for index in of_outlet:
            kept[index] = np.setdiff1d(sets[index], common, assume_unique=True)
    return kept


def _hash(stem: str) -> int:
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def signature(shingles: np.ndarray) -> np.ndarray:
    """MinHash: the smallest value of each of ROWS × BANDS fixed hash functions over the set."""
    smallest = np.full(ROWS * BANDS, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(shingles), BLOCK):
        block = shingles[None, start : start + BLOCK] * _FACTORS[:, None] + _TERMS[:, None]
        smallest = np.minimum(smallest, block.min(axis=1))
    return smallest


def _mix(values: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64, a bijection of 64-bit integers that spreads every bit."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_TERMS, _FACTORS = _mix(np.arange(1, 2 * ROWS * BANDS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).reshape(2, -1)
_FACTORS |= np.uint64(1)


class _Forest:
    """Disjoint sets of article indices; the first member is the smallest."""

    def __init__(self, sets: list[np.ndarray]) -> None:
        self._sets = sets
        self._parent = list(range(len(sets)))
        self.similarity = [1.0] * len(sets)

    def first(self, index: int) -> int:
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def join(self, a: int, b: int, similarity: float, always: bool = False) -> None:
        kept, joined = sorted((self.first(a), self.first(b)))
        if kept == joined or not (always or jaccard(self._sets[kept], self._sets[joined]) >= DRIFT * THRESHOLD):
            return
        self._parent[joined] = kept
        self.similarity[joined] = similarity
