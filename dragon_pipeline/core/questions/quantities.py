"""Values that can be compared: a number or a date with its unit, as an interval."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Quantity:
    """From `low` to `high`, both included: «2004 год» is a year long, and «1,4 млрд» is rounded. Dates are day ordinals, unit
    `day`."""

    low: Decimal
    high: Decimal
    unit: str

    def exceeds(self, other: "Quantity") -> bool:
        """Whether it is surely larger, or later: the same unit, and the intervals do not touch."""
        return self.unit == other.unit and self.low > other.high
