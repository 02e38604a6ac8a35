"""Dates as Russian writes them, in one form: `05.03.2024`, `2024-03-05` and `5 марта 2024 г.` are `5 марта 2024`.

A date of digits counts as one when its year has four of them and the calendar knows the day. Day and month without a year, and
month and year without a day, stay what they are: parts of the full date.
"""

import calendar
import re

MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
_ISO = re.compile(r"(?<![\w.-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?![\w-]|\.\d)")
_DOTTED = re.compile(r"(?<![\w./-])(?P<day>\d{1,2})([./])(?P<month>\d{1,2})\2(?P<year>\d{4})(?![\w/-]|[.,]\d)")
_DIGITS_ONLY = re.compile(r"\d[-./]\d{1,2}[-./]\d")
_ZERO = re.compile(r"(?<![\w.,-])0(?=[1-9](?:-?го)?\s+(?:янв|фев|мар|апр|ма[яй]|июн|июл|авг|сен|окт|ноя|дек))", re.IGNORECASE)
YEAR_WORDS = frozenset(("год", "года", "году", "годом", "г", "гг"))
"""say nothing more after a number that can only be a year"""


def with_plain_dates(text: str) -> str:
    """The text with every date of digits as day, month in words, and year, and no zero before a day."""
    if _DIGITS_ONLY.search(text):
        text = _DOTTED.sub(_plain, _ISO.sub(_plain, text))
    return _ZERO.sub("", text)


def _plain(date: re.Match) -> str:
    year, month, day = (int(date[part]) for part in ("year", "month", "day"))
    if not (year and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return date[0]
    return f"{day} {MONTHS[month - 1]} {date['year']}"
