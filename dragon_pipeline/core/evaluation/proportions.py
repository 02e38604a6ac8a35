"""Shares of a count, with what they may be in truth: Wilson's interval (E. B. Wilson, JASA 22, 1927)."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
"""of a two-sided interval of 95 %"""


@dataclass(frozen=True)
class Share:
    """`hits` of `n`; of nothing there is no share, and then `reason` says why there was nothing."""

    hits: int
    n: int
    reason: str | None = None

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, 95 %; it holds the value and stays within 0 and 1, however few there are."""
        if not self.n:
            return None
        share, z = self.hits / self.n, Z * Z / self.n
        middle = (share + z / 2) / (1 + z)
        reach = Z * sqrt(share * (1 - share) / self.n + z / (4 * self.n)) / (1 + z)
        return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))
