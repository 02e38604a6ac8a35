"""Real dates: what a page or a file calls its date, as ISO 8601 or nothing."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

MOSCOW = ZoneInfo("Europe/Moscow")
YEARS = range(1990, 2101)
"""No article on the web is older; zero clocks (1970) and overflows are not dates."""


def iso_date(stated: str | None, zone: ZoneInfo = MOSCOW) -> str | None:
    """ISO 8601 with offset, or a bare date; none for what is no real date.

    Understood: ISO 8601 (also compact), `31.12.2023[ 14:05[:06]]`, RFC 2822, and Unix seconds (10 digits) or milliseconds
    (13 digits). A time without an offset is taken as the zone's.
    """
    stated = (stated or "").strip()
    for read in (_iso, _dotted, _unix, _rfc_2822):
        found = read(stated, zone)
        if found is not None:
            return found.isoformat() if found.year in YEARS else None
    return None


def moscow_day(iso: str) -> str:
    """The calendar day in Moscow (`YYYY-MM-DD`) of a date as `iso_date` gives it."""
    return iso if len(iso) == 10 else datetime.fromisoformat(iso).astimezone(MOSCOW).date().isoformat()


def moment(iso: str | None) -> float:
    """Unix seconds for comparing dates; minus infinity for none; a bare date counts from its midnight in Moscow."""
    known = iso_date(iso)
    if known is None:
        return float("-inf")
    stated = datetime.fromisoformat(known)
    return (stated if stated.tzinfo else stated.replace(tzinfo=MOSCOW)).timestamp()


def is_day(text: str) -> bool:
    """Whether it is a calendar day written `YYYY-MM-DD`."""
    return bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text)) and isinstance(_iso(text), date)


def _iso(stated: str, zone: ZoneInfo = MOSCOW) -> date | None:
    if not re.match(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}(?![0-9])", stated):
        return None
    stated = re.sub(r"(?<=[0-9]) (?=[+-][0-9]{2}:?[0-9]{2}$)", "", stated)
    try:
        if re.fullmatch(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}", stated):
            return date.fromisoformat(stated)
        return _placed(datetime.fromisoformat(stated), zone)
    except ValueError:
        return None


def _dotted(stated: str, zone: ZoneInfo = MOSCOW) -> date | None:
    parts = re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?:,?\s+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?))?", stated)
    if not parts:
        return None
    day = f"{parts[3]}-{parts[2]:0>2}-{parts[1]:0>2}"
    clock = f"T{parts[4]:0>{5 if len(parts[4]) < 6 else 8}}" if parts[4] else ""
    return _iso(day + clock, zone)


def _unix(stated: str, zone: ZoneInfo = MOSCOW) -> date | None:
    if not re.fullmatch(r"[0-9]{10}([0-9]{3})?", stated):
        return None
    return datetime.fromtimestamp(int(stated[:10]), UTC).astimezone(zone)


def _rfc_2822(stated: str, zone: ZoneInfo = MOSCOW) -> date | None:
    if not re.match(r"(?:[A-Za-z]{3},\s*)?[0-9]{1,2} [A-Za-z]{3} [0-9]{4} [0-9]", stated):
        return None
    try:
        return _placed(parsedate_to_datetime(stated), zone)
    except ValueError:
        return None


def _placed(stated: datetime, zone: ZoneInfo) -> datetime:
    return stated if stated.tzinfo else stated.replace(tzinfo=zone)
