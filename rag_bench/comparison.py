"""Whether the difference between two runs is real: a paired test over the same questions."""

from dataclasses import dataclass

import numpy as np

from rag_bench.evaluation import ALL, Scores

DRAWS = 10_000
SEED = 0


@dataclass(frozen=True)
class Difference:
    """How much the first run scores above the second."""

    measure: str
    mean: float
    low: float
    """lower bound of the 95 % interval of the mean (bootstrap over questions)"""
    high: float
    p: float
    """two-sided, by swapping the runs question by question at random (Fisher–Pitman)"""
    n: int


def compare(first: Scores, second: Scores, measure: str, type: str = ALL) -> Difference:
    """The difference between two runs on one release; equal inputs give equal numbers.

    Raises:
        ValueError: the scores are of different questions, or there are none.
    """
    ours, theirs = ({one.public_id: one for one in scores.questions if type in (ALL, one.type)} for scores in (first, second))
    pairs = [(ours[i].values.get(measure), theirs[i].values.get(measure)) for i in sorted(ours) if i in theirs]
    if ours.keys() != theirs.keys() or not pairs or any(None in pair for pair in pairs):
        raise ValueError(f"{measure} is not there for the same questions in both runs")
    gaps = np.array([left - right for left, right in pairs if left is not None and right is not None])
    draw = np.random.default_rng(SEED)
    swapped = np.array([np.mean(gaps * draw.choice((-1.0, 1.0), gaps.size)) for _ in range(DRAWS)])
    resampled = np.array([np.mean(draw.choice(gaps, gaps.size)) for _ in range(DRAWS)])
    mean = float(np.mean(gaps))
    as_large = int(np.sum(np.abs(swapped) >= abs(mean) - 1e-12))
    low, high = np.quantile(resampled, [0.025, 0.975])
    return Difference(measure, mean, float(low), float(high), (as_large + 1) / (DRAWS + 1), gaps.size)
