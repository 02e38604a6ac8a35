"""Dates as pages and listings write them."""

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from dragon_pipeline.core.corpus.dates import MOSCOW, iso_date
from dragon_pipeline.core.corpus.dates import moscow_day as day_of

MONTHS = (
    *("янв(ар[яь])?", "фев(рал[яь])?", "мар(та?)?", "апр(ел[яь])?", "ма[йя]", "июн[яь]?"),
    *("июл[яь]?", "авг(уста?)?", "сент?(ябр[яь])?", "окт(ябр[яь])?", "ноя(бр[яь])?", "дек(абр[яь])?"),
)
ENGLISH = (
    *("jan(uary)?", "feb(ruary)?", "mar(ch)?", "apr(il)?", "may", "june?"),
    *("july?", "aug(ust)?", "sept?(ember)?", "oct(ober)?", "nov(ember)?", "dec(ember)?"),
)
DAYS_AGO = {"сегодня": 0, "вчера": 1, "позавчера": 2, "today": 0, "yesterday": 1}
WORDED = re.compile(r"(?<!\d)(\d{1,2})(?:-?(?:го|st|nd|rd|th))?\s+([а-яёa-z]{3,9})\.?,?(?:\s+(\d{4})(?!\d))?", re.IGNORECASE)
MONTH_FIRST = re.compile(r"\b([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)", re.IGNORECASE)
DOTTED = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?![\d.])")
RELATIVE = re.compile(rf"(?<!\w)({'|'.join(DAYS_AGO)})(?!\w)", re.IGNORECASE)
CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
LONGEST = 200
"""characters of what may be a date"""


def parse_date(text: str | None, seen: date | None = None, zone: ZoneInfo = MOSCOW) -> str | None:
    """ISO 8601 with offset, or a bare date when no time is given; None for what is no date.

    Reads what the core's `iso_date` reads, and dates in words or after their time: `17 июля 2025`, `10:30, 4 марта 2026`,
    `10:30 04.03.2026`, `March 4, 2026`. A time without a zone is the zone's. `вчера`, `Сегодня, 10:30` and `17 июля` count
    from the day on which they were `seen`, and are no dates without it; nor is what lies more than a day after it.
    """
    text = " ".join((text or "")[:LONGEST].split())
    found = iso_date(text, zone) or _worded(text, seen, zone)
    if found and seen and day_of(found) > (seen + timedelta(days=1)).isoformat():
        return None
    return found


def moscow_day(stamp: str | None) -> date | None:
    """The Moscow day of what `parse_date` gave."""
    return date.fromisoformat(day_of(stamp)) if stamp else None


def _worded(text: str, seen: date | None, zone: ZoneInfo) -> str | None:
    try:
        day = _day(text, seen)
    except (ValueError, OverflowError):
        return None
    if day is None:
        return None
    clock = CLOCK.search(text)
    return iso_date(f"{day.isoformat()}T{int(clock[1]):02}:{clock[2]}" if clock else day.isoformat(), zone)


def _day(text: str, seen: date | None) -> date | None:
    if found := MONTH_FIRST.search(text):
        if month := _month(found[1]):
            return date(int(found[3]), month, int(found[2]))
    if found := DOTTED.search(text):
        return date(int(found[3]) + (2000 if len(found[3]) == 2 else 0), int(found[2]), int(found[1]))
    for found in WORDED.finditer(text):
        if month := _month(found[2]):
            return date(int(found[3]), month, int(found[1])) if found[3] else _last(int(found[1]), month, seen)
    if seen and (found := RELATIVE.search(text)):
        return seen - timedelta(days=DAYS_AGO[found[1].lower()])
    return None


def _month(word: str) -> int | None:
    names = zip(MONTHS, ENGLISH, strict=True)
    return next((n for n, forms in enumerate(names, start=1) if any(re.fullmatch(form, word.lower()) for form in forms)), None)


def _last(day: int, month: int, seen: date | None) -> date | None:
    """The last such day that was not after the day on which it was read, give or take a day."""
    if seen is None:
        return None
    latest = seen + timedelta(days=1)
    return next((found for year in (latest.year, latest.year - 1) if (found := date(year, month, day)) <= latest), None)
