"""Dates that an address carries, by the named groups of a pattern."""

import calendar
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from dragon_pipeline.core.corpus.dates import MOSCOW, YEARS

GROUPS = frozenset({"year", "month", "day", "date", "start", "end"})
Span = tuple[date, date]
"""First and last day, both included."""


def dated_groups(pattern: str) -> frozenset[str]:
    """The named groups of a pattern that carry dates."""
    return GROUPS & re.compile(pattern).groupindex.keys()


def span(groups: Mapping[str, str | None]) -> Span | None:
    """The days that an address is about; None when it names none, or no real ones.

    `year`, `month`, `day` (a year or a month alone is all of its days; two digits are years of this century), `date` as
    YYYYMMDD, or `start` and `end`, each YYYYMMDD or Unix seconds.
    """
    try:
        found = _span({name: value for name, value in groups.items() if value})
    except (ValueError, OverflowError, OSError):
        return None
    return found if found and found[0].year in YEARS and found[1].year in YEARS else None


def _span(groups: Mapping[str, str]) -> Span | None:
    if "start" in groups:
        return _day(groups["start"]), _day(groups.get("end", groups["start"]), end=True)
    if "date" in groups:
        return _day(groups["date"]), _day(groups["date"])
    if "year" not in groups:
        return None
    year = int(groups["year"]) + (2000 if len(groups["year"]) == 2 else 0)
    if "month" not in groups:
        return date(year, 1, 1), date(year, 12, 31)
    month = int(groups["month"])
    if "day" in groups:
        return (day := date(year, month, int(groups["day"]))), day
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _day(text: str, end: bool = False) -> date:
    """A midnight that ends a span is the end of the day before."""
    if len(text) == 8:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    moment = datetime.fromtimestamp(int(text), UTC).astimezone(MOSCOW)
    return (moment - timedelta(seconds=1) if end else moment).date()
