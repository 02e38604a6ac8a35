"""How an outlet's day compares with its own habit: gone silent, halved, on the fallback, failing, texts cut short.

A habit is the median over the outlet's last days that were crawled. A warning is for people: nothing waits for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from math import sqrt
from statistics import median

import polars as pl

from dragon_pipeline.core.corpus.health import LISTING, NETWORK_REASONS, reasons_of
from dragon_pipeline.core.table import DAY

DAYS = 14
"""crawled days that form a habit, the last ones"""
WITHIN = 28
"""calendar days; what is older is no habit"""
FEW_DAYS = 3
"""with fewer there is no habit, nor one of week-ends"""
FEW_PAGES = 8
"""an outlet that usually gives fewer a day may well give half of them"""
FEW = 3
"""pages by fallback, failed pages or texts that are worth a word"""
RISE = 0.1
"""least rise of a share that is worth a word"""
SILENT, HALVED, FALLBACK, FAILING, SHRUNKEN = (
    "silent_outlets", "halved_outlets", "outlets_on_fallback", "failing_outlets", "shrunken_texts",
)  # fmt: skip
REFUSED = ("http_401", "http_402", "http_403", "http_429", "http_451", "challenge", "robots", "paywall")
UNREAD = ("no_body", "unreadable", "not_html", "not_article")
DOCTOR = "`dragon doctor --outlets` shows what it answers now"


@dataclass(frozen=True)
class Symptom:
    """One thing that is not as usual with one outlet."""

    check: str
    outlet: str
    number: float
    habit: float | None
    """None: it has none yet"""
    told: str
    """a sentence: outlet, number, habit, what to do"""


@dataclass(frozen=True)
class Habit:
    """An outlet's OUTLETS rows of earlier days, oldest first."""

    rows: Sequence[Mapping]
    """of the last WITHIN days; the last DAYS of them give the numbers, all of them the pauses that an outlet makes"""
    weekend: bool
    """whether the day that is compared is a Saturday or Sunday"""

    def of(self, measure: Callable[[Mapping], float | None], like_today: bool = False) -> float | None:
        """The median over the days that have the measure; None when they are too few. `like_today`: on such days only."""
        rows = [row for row in self.rows[-DAYS:] if not like_today or _weekend(row[DAY]) == self.weekend]
        values = [value for row in rows if (value := measure(row)) is not None]
        return float(median(values)) if len(values) >= FEW_DAYS else None

    def longest_silence(self) -> int:
        """Days in a row without an article as it is wont to have: the second longest, as one outage is no habit."""
        runs = [len(list(run)) for heard, run in groupby(self.rows, lambda row: row["extracted"] > 0) if not heard]
        if self.rows and not self.rows[-1]["extracted"]:
            runs.pop()  # that silence is still on
        return sorted(runs, reverse=True)[1] if len(runs) > 1 else 0

    def silence(self) -> int:
        """Days without an article up to the day before."""
        heard = [number for number, row in enumerate(reversed(self.rows)) if row["extracted"]]
        return heard[0] if heard else len(self.rows)


def unusual(today: pl.DataFrame, before: pl.DataFrame, day: str, configured: Sequence[str]) -> list[Symptom]:
    """What is unusual about the day's OUTLETS, by check and outlet.

    `before`: OUTLETS of any other days with `day`; only those of the outlet's last DAYS days before `day` count. An outlet
    that is neither configured nor in today's table is not spoken of: it was taken out, or nothing was imported.
    """
    found = []
    for row in today.sort("outlet").iter_rows(named=True):
        habit = habit_of(before.filter(outlet=row["outlet"]), day)
        for look in (_silent, _halved, _fallback, _failing, _shrunken):
            if look is _silent and row["outlet"] not in configured:
                continue
            symptom = look(row, habit)
            found += [symptom] if symptom else []
    order = (SILENT, HALVED, FALLBACK, FAILING, SHRUNKEN)
    return sorted(found, key=lambda symptom: (order.index(symptom.check), symptom.outlet))


def habit_of(rows: pl.DataFrame, day: str) -> Habit:
    """The habit that counts on a day, of one outlet's OUTLETS rows with `day`."""
    since = (date.fromisoformat(day) - timedelta(days=WITHIN)).isoformat()
    counted = rows.filter((pl.col(DAY) < day) & (pl.col(DAY) >= since)).sort(DAY)
    return Habit(counted.to_dicts(), _weekend(day))


def _silent(row: Mapping, habit: Habit) -> Symptom | None:
    if row["extracted"]:
        return None
    usual = habit.of(lambda other: other["extracted"])
    quiet, ever = habit.silence(), any(other["extracted"] for other in habit.rows)
    if ever and quiet + 1 <= habit.longest_silence():
        return None
    if ever:
        since = f"for {quiet + 1} days in a row" if quiet else "that day"
        last = next(other["extracted"] for other in reversed(habit.rows) if other["extracted"])
        told = f"no article {since}, {f'usually {usual:.0f} a day' if usual else f'{last} when it last had some'}"
    else:
        told = f"no article yet in {_many(len(habit.rows) + 1, 'day')}"
    return _symptom(SILENT, row, 0, usual, told)


def _halved(row: Mapping, habit: Habit) -> Symptom | None:
    number = row["extracted"]
    usual, alike = (habit.of(lambda other: other["extracted"], like) for like in (False, True))
    if not number or usual is None or usual < FEW_PAGES:
        return None
    least = usual / 2
    if alike is not None:
        least = min(least, alike / 2)
    elif habit.weekend:  # how it is at week-ends is not known yet; less than on other days, for sure
        least /= 2
    if number >= least:
        return None
    kind = "week-end days" if habit.weekend else "weekdays"
    told = f"{_many(number, 'article')}, usually {usual:.0f} a day" + (f" ({alike:.0f} on {kind})" if alike is not None else "")
    return _symptom(HALVED, row, number, usual if alike is None else alike, told)


def _fallback(row: Mapping, habit: Habit) -> Symptom | None:
    usual = habit.of(lambda other: _share(other["fallback"], other["extracted"]))
    if not _rises(row["fallback"], row["extracted"], usual):
        return None
    share = row["fallback"] / row["extracted"]
    told = (
        f"{share:.0%} of its articles ({row['fallback']} of {row['extracted']}) by the fallback, usually {usual:.0%}; "
        "its pages have changed: mend its selectors and add a fixture of the new layout"
    )
    return Symptom(FALLBACK, row["outlet"], share, usual, f"{row['outlet']}: {told}")


def _failing(row: Mapping, habit: Habit) -> Symptom | None:
    usual = habit.of(lambda other: _share(other["failed"], other["failed"] + other["extracted"]))
    tried = row["failed"] + row["extracted"]
    listings = habit.of(lambda other: other["listings_failed"])
    more_listings = listings is not None and row["listings_failed"] > listings
    if not _rises(row["failed"], tried, usual) and not more_listings:
        return None
    share = _share(row["failed"], tried) or 0.0
    told = [f"{share:.0%} of its pages failed ({row['failed']} of {tried}), usually {usual or 0:.0%}"] if tried else []
    if more_listings:
        told.append(f"{_many(row['listings_failed'], 'listing')} failed, usually {listings:.0f}")
    return _symptom(FAILING, row, share, usual, "; ".join(told))


def _shrunken(row: Mapping, habit: Habit) -> Symptom | None:
    usual, length = habit.of(lambda other: other["median_length"]), row["median_length"]
    if usual is None or length is None or row["extracted"] < FEW or length >= usual / 2:
        return None
    told = (
        f"half of its texts have {length:.0f} characters or fewer, usually {usual:.0f}; a paywall, or a selector that takes a "
        "part of the body: read some in the `articles` table, then mend its declaration"
    )
    return Symptom(SHRUNKEN, row["outlet"], length, usual, f"{row['outlet']}: {told}")


def _symptom(check: str, row: Mapping, number: float, habit: float | None, told: str) -> Symptom:
    """With the failures behind it, most first, and what to do about the first of them."""
    failures = {reason: count for reason, count in reasons_of(row).items() if reason not in ("other_day", "unchanged")}
    why = "; " + ", ".join(f"{reason} {count}" for reason, count in failures.items()) if failures else ""
    return Symptom(check, row["outlet"], number, habit, f"{row['outlet']}: {told}{why}; {_advice(row, list(failures))}")


def _advice(row: Mapping, reasons: Sequence[str]) -> str:
    listings = [reason for reason in reasons if reason.startswith(LISTING)]
    first = (listings or list(reasons) or [""])[0]
    plain = first.removeprefix(LISTING)
    if plain in REFUSED:
        return f"it refuses the crawler: keep to its robots.txt, ask more slowly (newsroom.delay), write to it; {DOCTOR}"
    if NETWORK_REASONS.fullmatch(plain):
        return "it does not answer: run the day again when it does"
    if listings or not row["found"]:
        return f"its listings name no page of the day: it had none, or their addresses or their form have changed; {DOCTOR}"
    if plain in UNREAD and not row["extracted"]:
        return "its pages have changed: mend its selectors and add a fixture of the new layout"
    return DOCTOR


def _rises(part: int, whole: int, usual: float | None) -> bool:
    """Whether a share has risen by more than chance does among so few (two standard errors at most)."""
    return usual is not None and part >= FEW and part / whole - usual >= max(RISE, 1 / sqrt(whole))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _weekend(day: str) -> bool:
    return date.fromisoformat(day).weekday() >= 5


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
