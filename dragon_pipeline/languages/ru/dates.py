"""Dates relative to the article made absolute: «в четверг» becomes «14 декабря 2017 года»."""

import re
from calendar import monthrange
from datetime import date, timedelta

MONTHS = ("января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря")
IN_MONTH = (
    "январе",
    "феврале",
    "марте",
    "апреле",
    "мае",
    "июне",
    "июле",
    "августе",
    "сентябре",
    "октябре",
    "ноябре",
    "декабре",
)
WEEKDAYS = ("понедельник", "вторник", "среду", "четверг", "пятницу", "субботу", "воскресенье")

_YEAR = r"(?: (\d{4}) (?:года?\b|г\.))"
_DAY = re.compile(rf"\b(?:(?:в|во) (?:{'|'.join(WEEKDAYS)}), )?(\d{{1,2}}) ({'|'.join(MONTHS)}){_YEAR}?", re.I)
_WEEKDAY = re.compile(rf"\b(?:в|во) ({'|'.join(WEEKDAYS)})\b(?: (?:утром|днём|днем|вечером|ночью))?", re.I)
_SHIFT = re.compile(r"\b(сегодня|вчера|завтра|позавчера|послезавтра)\b(?: (?:утром|днём|днем|вечером|ночью))?", re.I)
_MONTH = re.compile(rf"\bв ({'|'.join(IN_MONTH)})\b(?! \d{{4}})", re.I)
_THIS_YEAR = re.compile(r"\bв (?:этом|текущем|нынешнем) году\b", re.I)
_THIS_MONTH = re.compile(r"\bв (?:этом|текущем|нынешнем) месяце\b", re.I)
_LAST_MONTH = re.compile(r"\bв (?:прошлом|минувшем|прошедшем) месяце\b", re.I)
_LAST_YEAR = re.compile(r"\bв (?:прошлом|минувшем|прошедшем) году\b", re.I)
_BARE_MONTH = re.compile(rf"(?<!\d )\b({'|'.join(MONTHS)})\b(?! \d{{4}})", re.I)
_SPAN = r"(?:год\w*|месяц\w*|недел\w+|сезон\w*|выходн\w+|лет\w+|зим\w+|весн\w+|осен\w+)"
_VAGUE = re.compile(
    rf"\b(?:прошл\w+|минувш\w+|прошедш\w+|текущ\w+|нынешн\w+|эт\w+) {_SPAN}"
    r"|\b(?:понедельник|вторник|четверг|пятниц|суббот|воскресень)\w*"
    r"|\bнакануне\b|\bна днях\b|\bназад\b|\bв (?:прошлом|этом)\b",
    re.I,
)
SHIFTS = {"сегодня": 0, "вчера": -1, "завтра": 1, "позавчера": -2, "послезавтра": 2}


class Relative(ValueError):
    """A date that cannot be made absolute: `undated` (no date of the article) or `vague_date`."""


def absolute(phrase: str, published: date | None, past: bool = True) -> str:
    """The phrase with its relative dates made absolute; a phrase without any is returned as it is.

    Args:
        phrase: part of a sentence.
        published: the article's real date in its time zone, or None.
        past: the verb is in the past, so a weekday or month is the last one; else the next.

    Raises:
        Relative: the phrase is relative and `published` is None, or it names no certain date.
    """
    counted = (_WEEKDAY, _SHIFT, _MONTH, _THIS_MONTH, _LAST_MONTH, _THIS_YEAR, _LAST_YEAR)
    relative = any(p.search(phrase) for p in counted) or any(m[3] is None for m in _DAY.finditer(phrase))
    if relative and published is None:
        raise Relative("undated")
    if published is not None:
        phrase = _DAY.sub(lambda m: _day(m, published, past), phrase)
        phrase = _WEEKDAY.sub(lambda m: say(_weekday(m[1], published, past)), phrase)
        phrase = _SHIFT.sub(lambda m: say(published + timedelta(days=SHIFTS[m[1].lower()])), phrase)
        phrase = _MONTH.sub(lambda m: f"{m[0]} {_month_year(m[1], published, past)} года", phrase)
        phrase = _THIS_MONTH.sub(in_month(published), phrase)
        phrase = _LAST_MONTH.sub(in_month(published.replace(day=1) - timedelta(days=1)), phrase)
        phrase = _THIS_YEAR.sub(f"в {published.year} году", phrase)
        phrase = _LAST_YEAR.sub(f"в {published.year - 1} году", phrase)
    if _VAGUE.search(phrase) or _BARE_MONTH.search(phrase):
        raise Relative("vague_date")
    return phrase


def fault(phrase: str, dated: bool) -> str | None:
    """Why a phrase cannot stand for a date by itself: it is relative, and the article has no date to count from (`undated`), or
    it has one but only its readers of that day know what is meant (`relative_date`: «вчера», «в среду»; not «12 марта»)."""
    try:
        absolute(phrase, None)
    except Relative:
        if not dated:
            return "undated"
        relative = (_WEEKDAY, _SHIFT, _THIS_MONTH, _LAST_MONTH, _THIS_YEAR, _LAST_YEAR, _VAGUE)
        return "relative_date" if any(one.search(phrase) for one in relative) else None
    return None


def say(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year} года"


def in_month(day: date) -> str:
    return f"в {IN_MONTH[day.month - 1]} {day.year} года"


def _day(match: re.Match[str], published: date, past: bool) -> str:
    if match[3]:
        return match[0] if match[0][0].isdigit() else f"{match[1]} {match[2]} {match[3]} года"
    month = MONTHS.index(match[2].lower()) + 1
    year = published.year
    ahead = (month, int(match[1])) > (published.month, published.day)
    if past and ahead:
        year -= 1
    elif not past and not ahead and month < published.month:
        year += 1
    if int(match[1]) > monthrange(year, month)[1]:  # 29 February of a common year
        raise Relative("vague_date")
    return f"{match[1]} {match[2]} {year} года"


def _weekday(word: str, published: date, past: bool) -> date:
    wanted = WEEKDAYS.index(word.lower())
    back = (published.weekday() - wanted) % 7
    return published - timedelta(days=back) if past else published + timedelta(days=(7 - back) % 7)


def _month_year(word: str, published: date, past: bool) -> int:
    month = IN_MONTH.index(word.lower()) + 1
    if past:
        return published.year if month <= published.month else published.year - 1
    return published.year if month >= published.month else published.year + 1
