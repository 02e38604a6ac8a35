"""Numbers, money, measures and dates of Russian texts as quantities; the tables keep the texts."""

import re
from datetime import date
from decimal import Decimal
from functools import cache

from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.languages.ru.dates import IN_MONTH, MONTHS
from dragon_pipeline.languages.ru.lemmas import fold, lemma
from dragon_pipeline.languages.ru.wordlists import lines

KINDS = ("NUMBER", "YEAR", "DATE")
DAY = "day"
"""Unit of dates: ordinals of days."""
ABOUT = Decimal("0.1")
"""How far from what is said «около» may be, as a share."""
ENDLESS = Decimal("Infinity")
SIGNS = "$€£¥₽"

_NAMES = ("январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь")
_MONTH = "|".join((*MONTHS, *IN_MONTH, *_NAMES))
_DATE = re.compile(rf"(?:(?:в|с) )?(?:(?:(\d{{1,2}}) )?({_MONTH}) )?(\d{{3,4}})(?:-?(?:й|м|го|ом))?(?: год(?:|а|у|ом)| г\.?)?")
_GRAMS_OR_YEAR = re.compile(r"\d+ г")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?: года| г\.?)?")
_FIGURE = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_TOKEN = re.compile(rf"(?P<figure>{_FIGURE})(?![\d:])|(?P<word>[^\W\d_][\w/]*|[{SIGNS}%°~][cс]?)|(?P<dash>[-–—])|(?P<other>\S)")
_TURNS = re.compile(r"\d[-–—](?:[а-яё]|\w+[-–—])|\d:\d|№|\d\.\d+\.")
"""«51-й», «160-тысячную», «2:1»: no quantity."""

_AGE = re.compile(r"(\d{1,2})-летн\w{1,3}")
SPREAD = 4
"""Years between the days of two articles that each tell an age: who is so much older, was so on both."""

_NO_UNITS = frozenset((*_NAMES, "назад", "из", "по", "и", "или", "против"))


class _Unread(ValueError):
    """Not one number with its unit."""


def quantity(kind: str, text: str) -> Quantity | None:
    """The value of a node of kind NUMBER, YEAR or DATE; None when it cannot be compared.

    A rounded value is as wide as its rounding («1,4 млрд» from 1.35 to 1.45 billion), «около 100» a tenth to either side,
    «более 100» has no end. Lengths, times, masses, areas and so on are in one unit each, money in its currency, what is
    counted in its lemma; «27-летний» is some years to either side. Ordinals, scores and dates without a year are none.
    """
    if kind not in KINDS:
        return None
    text = " ".join(fold(text).replace("\u2212", "-").split()).strip(" .,;")
    if kind == "NUMBER" and _GRAMS_OR_YEAR.fullmatch(text):
        return None
    day = _date(text, bare=kind != "NUMBER")
    if day is not None or kind != "NUMBER":
        return day
    if age := _AGE.fullmatch(text):
        return Quantity(Decimal(int(age[1]) - SPREAD), Decimal(int(age[1]) + SPREAD), "возраст")
    if _TURNS.search(text):
        return None
    try:
        return _Reader(text).read()
    except _Unread:
        return None


def _date(text: str, bare: bool) -> Quantity | None:
    """A day, a month or a year; four digits alone are a year only where the kind of the node says so."""
    if iso := _ISO.fullmatch(text):
        return _days(int(iso[1]), int(iso[2]), int(iso[3]))
    if dotted := _DOTTED.fullmatch(text):
        return _days(int(dotted[3]), int(dotted[2]), int(dotted[1]))
    found = _DATE.fullmatch(text)
    if found is None or text.startswith("с ") or (not bare and text.isdigit()) or (found[1] and found[2] not in MONTHS):
        return None
    return _days(int(found[3]), _month(found[2]), int(found[1]) if found[1] else None)


def _month(word: str | None) -> int | None:
    return next((names.index(word) + 1 for names in (MONTHS, IN_MONTH, _NAMES) if word in names), None)


def _days(year: int, month: int | None, day: int | None) -> Quantity | None:
    try:
        first = date(year, month or 1, day or 1)
        last = first if day else date(year + (month in (None, 12)), (month or 12) % 12 + 1, 1)
    except ValueError:
        return None
    return Quantity(Decimal(first.toordinal()), Decimal(last.toordinal() - (not day)), DAY)


class _Reader:
    """Reads bound, number, multiplier, unit, in this order; a sign of money may stand first."""

    def __init__(self, text: str) -> None:
        self.tokens = [match for match in _TOKEN.finditer(text) if match["other"] != "."]
        self.at = 0

    def read(self) -> Quantity:
        if any(token["other"] for token in self.tokens):
            raise _Unread
        self._skip("в", "на", "за")
        bound = self._bound()
        sign = self._skip(*SIGNS)
        low, low_step = self._number()
        low_factor = self._factor()
        high, step, factor = low, low_step, low_factor
        if till := self._till(bound):  # «4–5 тысяч», «от 4 до 5 тысяч», «от 1 тысячи до 5 миллионов»
            high, step = self._number()
            factor = self._factor()
            if low_factor == 1:
                low_step, low_factor = step, factor
        if till == "до":
            bound = ""
        if high * factor < low * low_factor:
            raise _Unread
        unit, scale = self._unit(sign)
        below = self._half(low, low_step, low_factor, unit in _measured())
        above = self._half(high, step, factor, unit in _measured())
        return _bounded(bound, (low * low_factor - below) * scale, (high * factor + above) * scale, unit)

    @staticmethod
    def _half(value: Decimal, step: Decimal, factor: Decimal, measured: bool) -> Decimal:
        """Half of what the value is rounded to; a plain count is exact, unless it ends with three noughts."""
        if factor != 1 or step != 1 or measured:
            return step * factor / 2
        return Decimal(500) if value and value % 1000 == 0 else Decimal(0)

    def _word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place]["word"] or "" if place < len(self.tokens) else ""

    def _skip(self, *these: str) -> str:
        word = self._word()
        if word and word in these:
            self.at += 1
            return word
        return ""

    def _dash(self) -> bool:
        there = self.at < len(self.tokens) and bool(self.tokens[self.at]["dash"])
        self.at += there
        return there

    def _till(self, bound: str) -> str:
        """What joins two ends of a range."""
        if self._dash():
            return "–"
        return self._skip("до") if bound == "above" else ""

    def _bound(self) -> str:
        for length in (3, 2, 1):
            words = " ".join(self._word(i) for i in range(length))
            if words in _pairs("bounds"):
                self.at += length
                return _pairs("bounds")[words]
        return ""

    def _number(self) -> tuple[Decimal, Decimal]:
        """The number and what it is rounded to before any multiplier: 1, or one of its last decimal place."""
        if self.at < len(self.tokens) and (figure := self.tokens[self.at]["figure"]):
            self.at += 1
            if figure.startswith("0") and figure[1:2].isdigit():  # «007» is a name
                raise _Unread
            value = Decimal(figure.replace(" ", "").replace(",", "."))
            return value, Decimal(1).scaleb(int(value.as_tuple().exponent))
        if self._lemma() == "полтора":
            self.at += 1
            return Decimal("1.5"), Decimal("0.5")
        value, limit = 0, 1000
        while (part := int(_pairs("numerals").get(self._lemma(), limit))) < limit:
            value, limit, self.at = value + part, 100 if part >= 100 else 10 if part >= 20 else 0, self.at + 1
        if limit == 1000:
            if self._lemma() in _pairs("multipliers") and not self._word().endswith(("ы", "и", "ов")):
                return Decimal(1), Decimal(1)  # «миллион рублей»
            raise _Unread
        if self._word() == "с" and self._word(1) == "половиной":
            self.at += 2
            return value + Decimal("0.5"), Decimal("0.5")
        return Decimal(value), Decimal(1)

    def _lemma(self) -> str:
        word = self._word()
        return lemma(word) if word else ""

    def _factor(self) -> Decimal:
        factor = Decimal(1)
        while (one := _pairs("multipliers").get(self._lemma())) is not None:
            factor *= Decimal(one)
            self.at += 1
        return factor

    def _unit(self, sign: str) -> tuple[str, Decimal]:
        rest = self.tokens[self.at :]
        if any(not token["word"] for token in rest):
            raise _Unread
        words = [token["word"] for token in rest]
        if any(lemma(word) in _NO_UNITS or lemma(word) in _pairs("numerals") for word in words):
            raise _Unread
        if sign:
            return _units()[sign] if not words else _refuse()
        for said in (" ".join(words), " ".join(map(lemma, words))):
            if said in _units():
                return _units()[said]
        return " ".join(map(lemma, words)), Decimal(1)


def _refuse() -> tuple[str, Decimal]:
    raise _Unread


def _bounded(bound: str, low: Decimal, high: Decimal, unit: str) -> Quantity:
    if bound == "above":
        return Quantity(low, ENDLESS, unit)
    if bound == "below":
        return Quantity(-ENDLESS, high, unit)
    wide = high * ABOUT if bound == "about" else Decimal(0)
    return Quantity(low - wide, high + wide, unit)


@cache
def _pairs(name: str) -> dict[str, str]:
    """Of a word list with lines of `this = that`."""
    return {fold(this.strip()): that.strip() for this, _, that in (line.partition("=") for line in lines(name))}


@cache
def _units() -> dict[str, tuple[str, Decimal]]:
    found = {}
    for written, said in _pairs("units").items():
        unit, _, factor = said.rpartition(" ")
        found |= {one.strip(): (unit, Decimal(factor)) for one in written.split(",")}
    return found


@cache
def _measured() -> frozenset[str]:
    """Units that are measured or paid, and so rounded, as against what is counted."""
    return frozenset(unit for unit, _ in _units().values()) - {"человек", "экземпляр"}
