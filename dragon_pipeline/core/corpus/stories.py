"""Stories: articles of the same text, in order of time; reprints and rewrites across outlets.

MinHash signatures (rensa) in BANDS bands of ROWS values propose pairs, which are then compared exactly, so a wrong proposal
costs time, never precision. Each article joins the story of the earlier article that it is most like, or starts one, so that
what comes later changes no story's id and moves no article. The same event told anew in other words is another text.
Measured by benchmarks/stories.py; decided in ADR 0048.
"""

from collections.abc import Iterator
from datetime import datetime

import numpy as np
import polars as pl
from rensa import RMinHash  # pyright: ignore[reportAttributeAccessIssue]  # it declares no types

from dragon_pipeline.core.corpus.marks import Marks
from dragon_pipeline.core.corpus.shingles import distinct, mix, shingle, without_boilerplate
from dragon_pipeline.core.records import STORIES
from dragon_pipeline.core.table import DAY

RULES = ((0.5, 0.6), (0.35, 0.75), (0.25, 0.85))
"""From a similarity on, the share of numbers and names that must be the same for two articles to be one text: the less alike
the words, the more. Similarity .5 is two thirds of each in common, .35 half of each or 70 % of the shorter one."""
LEAST = RULES[-1][0]
MANY = 4
"""Numbers and names that must be the same where similarity is below that of the second rule: few prove little."""
OF_ONE_OUTLET = 0.5
"""Similarity that two pages of one outlet need: its series and columns share their standing sentences."""
NEAR_FIRST = 0.175
"""Similarity to the first article of a story without which none joins it: no chains over changing texts."""
LIKELY = 0.1
"""Estimated Jaccard similarity from which a pair is compared exactly; the estimate's standard deviation is .03."""
ROWS, BANDS, SEED = 2, 80, 1
NEIGHBOURS = 16
"""In a crowded bucket an article is compared with this many of the first and of the last ones before it."""


def cluster(articles: pl.DataFrame) -> pl.DataFrame:
    """ARTICLES of a window, with `day` → STORIES; every article is in exactly one story, most of them alone.

    All versions of one URL are one story. The result depends on the articles alone, not on the order of their rows; for the
    articles up to some moment it does not depend on those after it. When the oldest day leaves the window, only stories that
    began on it are formed anew, with the id of the next article of theirs.
    """
    articles = in_order(articles)
    stories = _Stories(articles)
    for index, earlier in _grouped(candidates(stories.sets), articles.height):
        stories.assign(index, earlier)
    return STORIES.frame(stories.rows())


def in_order(articles: pl.DataFrame) -> pl.DataFrame:
    """By day, then by time of publication, those without one last, then by id; an article of two days stands at the first."""
    moments = pl.Series("moment", [_moment(text) for text in articles["published_at"]], pl.Float64)
    ordered = articles.with_columns(moments).sort(DAY, "moment", "article_id", nulls_last=True)
    return ordered.unique("article_id", keep="first", maintain_order=True)


def _moment(published_at: str | None) -> float | None:
    """Seconds since 1970 of a time with a zone; none for a bare date, which says nothing about the order within the day."""
    if published_at is None or len(published_at) <= len("2024-03-01"):
        return None
    moment = datetime.fromisoformat(published_at)
    return moment.timestamp() if moment.tzinfo else None


def similarity(a: np.ndarray, b: np.ndarray) -> float:
    """Of two sorted arrays of distinct shingles: their Jaccard similarity, or half the share of the smaller one that the larger
    one has, if that is more; 0 for an empty one."""
    common = len(np.intersect1d(a, b, assume_unique=True))
    return max(common / (len(a) + len(b) - common), common / min(len(a), len(b)) / 2) if common else 0.0


def candidates(sets: list[np.ndarray]) -> np.ndarray:
    """Pairs (earlier, later) that agree in a band and whose estimated similarity is LIKELY, sorted by the later one."""
    filled = np.array([index for index, shingles in enumerate(sets) if len(shingles)], np.int64)
    if len(filled) < 2:
        return np.empty((0, 2), np.int64)
    signatures = sign([sets[index] for index in filled])
    count = np.int64(len(filled))
    pairs = np.empty(0, np.int64)
    for band in range(BANDS):
        keys = np.zeros(len(filled), np.uint64)
        for column in range(band * ROWS, (band + 1) * ROWS):
            keys = mix(keys + signatures[:, column])
        pairs = distinct(np.concatenate([pairs, *(later * count + earlier for earlier, later in _neighbours(keys))]))
    later, earlier = np.divmod(pairs, count)
    likely = np.concatenate(
        [
            (signatures[later[start : start + 10_000]] == signatures[earlier[start : start + 10_000]]).mean(axis=1) >= LIKELY
            for start in range(0, max(len(pairs), 1), 10_000)
        ]
    )
    return np.stack([filled[earlier[likely]], filled[later[likely]]], axis=1)


def sign(sets: list[np.ndarray]) -> np.ndarray:
    """MinHash signatures, one row of ROWS × BANDS values for each set; the share of equal values estimates Jaccard."""
    rows = np.empty((len(sets), ROWS * BANDS), np.uint32)
    for start in range(0, len(sets), 1000):
        some = sets[start : start + 1000]
        offsets = np.cumsum([0, *map(len, some)], dtype=np.uint64)
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(np.concatenate(some), offsets, ROWS * BANDS, SEED)
        rows[start : start + 1000] = matrix.to_rows()
    return rows


def _neighbours(keys: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs (earlier, later) of equal keys: each with the NEIGHBOURS first ones of its bucket and with the last before it."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    bucket = np.searchsorted(sorted_keys, sorted_keys)
    rank = np.arange(len(keys)) - bucket
    for distance in range(1, NEIGHBOURS + 1):
        near = np.flatnonzero(rank >= distance)
        yield order[near - distance], order[near]
        far = np.flatnonzero(rank >= distance + NEIGHBOURS)
        yield order[bucket[far] + distance - 1], order[far]


def _grouped(pairs: np.ndarray, count: int) -> Iterator[tuple[int, np.ndarray]]:
    """Each index of `count` with the earlier ones it is paired with."""
    bounds = np.searchsorted(pairs[:, 1], np.arange(count + 1))
    for index in range(count):
        yield index, pairs[bounds[index] : bounds[index + 1], 0]


class _Stories:
    """Articles, by index in order of time, and the story of each that was assigned."""

    def __init__(self, articles: pl.DataFrame) -> None:
        self._ids, self._urls = articles["article_id"].to_list(), articles["url"].to_list()
        self._outlets, texts = articles["outlet"].to_list(), articles["text"].to_list()
        self.sets = without_boilerplate(shingle(texts), self._outlets, self._urls)
        self._marks = Marks(texts)
        self._of_url: dict[str, int] = {}
        self._first: list[int] = []
        self._similarity: list[float] = []

    def assign(self, index: int, earlier: np.ndarray) -> None:
        """Articles are assigned in order; `earlier` are those that this one may be like."""
        page = self._of_url.setdefault(self._urls[index], index)
        if page != index:
            self._join(self._first[page], similarity(self.sets[page], self.sets[index]))
            return
        like = sorted((-similarity(self.sets[other], self.sets[index]), int(other)) for other in earlier)
        for negative, other in like:
            if self._one_text(other, index, -negative) and self._near_first(self._first[other], index):
                self._join(self._first[other], -negative)
                return
        self._join(index, 1.0)

    def _join(self, first: int, alike: float) -> None:
        self._first.append(first)
        self._similarity.append(alike)

    def _one_text(self, other: int, index: int, alike: float) -> bool:
        if alike < LEAST:
            return False
        if self._outlets[other] == self._outlets[index] and (
            alike < OF_ONE_OUTLET or not self._marks.begin_alike(other, index)
        ):
            return False
        agreement = self._marks.compare(other, index)
        if alike < RULES[1][0] and agreement.shared < MANY:
            return False
        return agreement.share >= next(share for similar, share in RULES if alike >= similar)

    def _near_first(self, first: int, index: int) -> bool:
        return similarity(self.sets[first], self.sets[index]) >= NEAR_FIRST

    def rows(self) -> list[dict]:
        return [
            {"story_id": self._ids[first], "article_id": article_id, "similarity": alike}
            for article_id, first, alike in zip(self._ids, self._first, self._similarity, strict=True)
        ]
