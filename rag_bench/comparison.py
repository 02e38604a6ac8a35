"""Whether a difference between runs is real: paired tests over the same questions, two runs or many.

The test is Fisher's and Pitman's: if two systems were alike, swapping their scores of any question would change nothing. All
swaps are counted where there are no more of them than draws, else 10,000 are drawn. The interval is the percentile bootstrap
over questions. Of many comparisons some come out small by chance: `compare_all` adjusts them by Holm's method.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rag_bench.measures import Measure, parse
from rag_bench.scores import ALL, Scores

DRAWS = 10_000
SEED = 0
LEVEL = 0.95
_ROWS = 1_000
"""draws held at a time"""
_PAIRS = 500
"""differences held at a time"""
_EQUAL = 1e-12
"""sums of the same scores in another order differ by less"""


@dataclass(frozen=True)
class Difference:
    """How much the first run scores above the second."""

    measure: str
    mean: float
    low: float
    """lower bound of the 95 % interval of the mean"""
    high: float
    p: float
    """two-sided: how often systems that are alike would differ as much"""
    n: int
    """questions"""
    p_holm: float
    """p adjusted for all comparisons that were made with it; p when it was the only one"""
    exact: bool
    """whether every swap was counted"""


@dataclass(frozen=True)
class Comparisons:
    """Every system against every other one."""

    systems: tuple[str, ...]
    """the best mean first; equal ones by name"""
    means: tuple[float, ...]
    differences: dict[tuple[str, str], Difference]
    """(better, worse) → how much better"""

    def matrix(self) -> list[list[float | None]]:
        """Adjusted p of row against column, in the order of `systems`; None on the diagonal."""
        pairs = self.differences | {(worse, better): found for (better, worse), found in self.differences.items()}
        return [[None if one == other else pairs[one, other].p_holm for other in self.systems] for one in self.systems]


def compare(first: Scores, second: Scores, measure: str | Measure, type: str = ALL) -> Difference:
    """The difference between two runs on one release; equal inputs give equal numbers.

    Raises:
        ValueError: the scores are of different questions, a measure is missing for some, or there are none.
    """
    left, right = _paired([first, second], measure, type)
    return _differences((left - right)[:, None], str(parse(measure)))[0]


def compare_all(scores: Mapping[str, Scores], measure: str | Measure, type: str = ALL) -> Comparisons:
    """All pairs of these systems' runs on one release, with Holm's adjustment over all of them.

    Raises:
        ValueError: as `compare` does.
    """
    values = dict(zip(scores, _paired(list(scores.values()), measure, type), strict=True)) if scores else {}
    means = {name: float(np.mean(column)) for name, column in values.items()}
    systems = sorted(means, key=lambda name: (-means[name], name))
    pairs = list(combinations(systems, 2))
    found: list[Difference] = []
    for start in range(0, len(pairs), _PAIRS):
        gaps = np.stack([values[better] - values[worse] for better, worse in pairs[start : start + _PAIRS]], axis=1)
        found += _differences(gaps, str(parse(measure)))
    adjusted = holm([one.p for one in found])
    differences = [Difference(**{**vars(one), "p_holm": p}) for one, p in zip(found, adjusted, strict=True)]
    return Comparisons(tuple(systems), tuple(means[name] for name in systems), dict(zip(pairs, differences, strict=True)))


def holm(p: Sequence[float]) -> list[float]:
    """The p values of several tests, adjusted so that the chance of any false finding stays the level (Holm 1979)."""
    adjusted, largest = [1.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        largest = max(largest, min(1.0, (len(p) - rank) * p[place]))
        adjusted[place] = largest
    return adjusted


def _paired(scores: Sequence[Scores], measure: str | Measure, type: str) -> list[np.ndarray]:
    """One column of values per run, of the same questions."""
    columns = []
    for one in scores:
        asked = np.array([type in (ALL, kind) for kind in one.question_types], dtype=bool)
        ids = np.array(one.public_ids)[asked] if asked.size else np.array([], dtype=int)
        column = one.column(measure)[asked] if str(parse(measure)) in one.measures else np.full(ids.size, np.nan)
        columns.append((ids.tolist(), column))
    if (
        any(ids != columns[0][0] for ids, _ in columns)
        or not columns[0][0]
        or any(np.isnan(column).any() for _, column in columns)
    ):
        raise ValueError(f"{parse(measure)} is not there for the same questions in all runs")
    return [column for _, column in columns]


def _differences(gaps: np.ndarray, measure: str) -> list[Difference]:
    """One for each column of gaps, questions × pairs."""
    n, means = len(gaps), gaps.mean(axis=0)
    resampled = np.concatenate([counts @ gaps for counts in _resamples(n)]) / n
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    as_large = np.zeros(gaps.shape[1], dtype=int)
    for signs in _swaps(n):
        as_large += (np.abs(signs @ gaps) / n >= np.abs(means) - _EQUAL).sum(axis=0)
    found = []
    for place, mean in enumerate(means.tolist()):
        uneven = gaps[gaps[:, place] != 0, place]
        exact = 2**uneven.size <= DRAWS
        p = _exact_p(uneven) if exact else (int(as_large[place]) + 1) / (DRAWS + 1)
        found.append(Difference(measure, mean, float(low[place]), float(high[place]), p, n, p, exact))
    return found


def _exact_p(gaps: np.ndarray) -> float:
    """Over all swaps; questions without a gap are the same either way."""
    places = np.arange(gaps.size)
    signs = 1.0 - 2.0 * ((np.arange(2**gaps.size)[:, None] >> places) & 1)
    return float(np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - _EQUAL * max(gaps.size, 1)))


def _swaps(n: int) -> Iterator[np.ndarray]:
    """Draws × questions of 1 and −1."""
    draw = np.random.default_rng([SEED, 0])
    for start in range(0, DRAWS, _ROWS):
        rows = min(_ROWS, DRAWS - start)
        bits = np.unpackbits(draw.integers(0, 256, (rows, -(-n // 8)), dtype=np.uint8), axis=1, count=n)
        yield 1.0 - 2.0 * bits


def _resamples(n: int) -> Iterator[np.ndarray]:
    """Draws × questions of how often each is drawn."""
    draw = np.random.default_rng([SEED, 1])
    for start in range(0, DRAWS, _ROWS):
        rows = min(_ROWS, DRAWS - start)
        drawn = draw.integers(0, n, (rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(float)
