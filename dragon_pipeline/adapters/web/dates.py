"""Dates as pages and listings write them."""

import re
from datetime import date

from dragon_pipeline.core.corpus.dates import iso_date
from dragon_pipeline.core.corpus.dates import moscow_day as day_of

MONTHS = (
    *("янв(ар[яь])?", "фев(рал[яь])?", "мар(та?)?", "апр(ел[яь])?", "ма[йя]", "июн[яь]?"),
    *("июл[яь]?", "авг(уста?)?", "сен(тябр[яь])?", "окт(ябр[яь])?", "ноя(бр[яь])?", "дек(абр[яь])?"),
)
WORDED = re.compile(r"(?<!\d)(\d{1,2})\s+([а-я]+)\s+(\d{4})(?!\d)", re.IGNORECASE)
DOTTED = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")


def parse_date(text: str | None) -> str | None:
    """ISO 8601 with offset, or a bare date when no time is given; None for what is no date.

    Reads what the core's `iso_date` reads, and dates in Russian words or after their time: `17 июля 2025`,
    `10:30, 4 марта 2026`, `10:30 04.03.2026`. A time without a zone is Moscow's.
    """
    text = " ".join((text or "").split())
    return iso_date(text) or _russian(text)


def moscow_day(stamp: str | None) -> date | None:
    """The Moscow day of what `parse_date` gave."""
    return date.fromisoformat(day_of(stamp)) if stamp else None


def _russian(text: str) -> str | None:
    found = WORDED.search(text) or DOTTED.search(text)
    if found is None:
        return None
    day, month, year = found.groups()
    if not month.isdigit():
        month = next((str(number) for number, name in enumerate(MONTHS, start=1) if re.fullmatch(name, month.lower())), "0")
    clock = CLOCK.search(text)
    time = f"T{int(clock[1]):02}:{clock[2]}" if clock else ""
    return iso_date(f"{year}-{int(month):02}-{int(day):02}{time}")
