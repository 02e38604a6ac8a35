"""How far annotators agree: Krippendorff's alpha for nominal values, with values missing at will.

Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), sections A to C, and Content Analysis, chapter 12.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 2000
LEAST_DEFINED = 0.9
"""An interval is given when alpha is defined in at least this share of the draws: with one or two deviating units it is not."""


@dataclass(frozen=True)
class Alpha:
    value: float | None
    """−1 to 1: 1 is full agreement, 0 what chance would give; None where it is not defined"""
    low: float | None = None
    high: float | None = None
    units: int = 0
    """with two values or more; the others say nothing of agreement"""
    reason: str | None = None
    """why it is not defined: `no_item_with_two_annotators`, or `no_variation`: all values are equal, and what chance would give
    is then full agreement too, so that 0 is divided by 0"""
    undefined_draws: int = 0
    """of the bootstrap, left out of the interval for having no variation; no interval is given when they are many"""


def alpha(units: Sequence[Sequence[Hashable]], seed: int = 0, draws: int = DRAWS) -> Alpha:
    """Alpha over units, each with the values that annotators gave it, in any order.

    The 95 % interval is a bootstrap over the units. It depends on the values and the seed, not on the order of units or of
    annotators.
    """
    counts = _counts(units)
    if not len(counts):
        return Alpha(None, reason="no_item_with_two_annotators")
    value = _alphas(counts, np.ones((1, len(counts)), dtype=np.int64))[0]
    if np.isnan(value):
        return Alpha(None, units=len(counts), reason="no_variation")
    chosen = np.random.default_rng(seed).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=draws)
    drawn = _alphas(counts, chosen)
    defined = drawn[~np.isnan(drawn)]
    low = high = None
    if len(defined) >= draws * LEAST_DEFINED:
        low, high = (float(bound) for bound in np.quantile(defined, [0.025, 0.975]))
    return Alpha(float(value), low, high, len(counts), undefined_draws=draws - len(defined))


def _counts(units: Sequence[Sequence[Hashable]]) -> np.ndarray:
    """Unit × value: how many annotators gave the unit that value; only units with two values or more, in an order of their
    own, so that equal content gives equal draws."""
    compared = [unit for unit in units if len(unit) > 1]
    found = sorted({value for unit in compared for value in unit}, key=repr)
    values = {value: place for place, value in enumerate(found)}
    counts = np.zeros((len(compared), len(values)), dtype=np.int64)
    for row, unit in enumerate(compared):
        for value in unit:
            counts[row, values[value]] += 1
    return counts[np.lexsort(counts.T)] if len(counts) else counts


def _alphas(counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Alpha of each draw; `chosen` says how often a draw holds each unit. NaN where there is no variation.

    With m values in a unit, n in all and n_c of them c: the coincidences off the diagonal are D = Σ (m² − Σ c²) / (m − 1), and
    alpha = 1 − (n − 1) · D / (n² − Σ n_c²).
    """
    sizes = counts.sum(axis=1)
    apart = (sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1)
    total = chosen @ sizes
    by_chance = total**2 - ((chosen @ counts) ** 2).sum(axis=1)
    defined = by_chance > 0
    observed = (total - 1) * (chosen @ apart)
    return np.where(defined, 1 - observed / np.where(defined, by_chance, 1), np.nan)
