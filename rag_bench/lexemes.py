"""Words one by one, with what each is compared by; numbers, dates and units in one form."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from rag_bench.dates import YEAR_WORDS, with_plain_dates
from rag_bench.numerals import AND_HALF, Numeral, in_digits, read_digits, read_number, read_roman
from rag_bench.wordlists import entries

_UNITS = {form: words[0] for words in entries("units.txt") for form in words}
_UNIT_LETTERS = "|".join(sorted(filter(str.isalpha, _UNITS), key=len, reverse=True))
_POWER = r"млн|млрд|трлн|тыс(?:яч[а-я]{0,3})?|(?:миллион|миллиард|триллион)[а-я]{0,3}"
_DECADE = r"-(?:х|е|ые|м|ми)(?=\s+год(?:ы|ов|ам|ами|ах)\b)|(?<=\d\d\d0)-е(?!\w)"
_ENDING = r"-(?:[ыи]?й|[ая]?я|[оеы]?е|о?го|о?му|[оы]?м|у?ю|ти)(?!\w)"
_LEXEME = re.compile(
    rf"""
      (?P<sign>(?<![\w.,:/%)»-])[-−–])?
      (?P<number> \d{{1,3}}(?:[ ']\d{{3}})++(?!\d)(?:[.,]\d++)? | \d++(?:[.,]\d++)*+ )
      (?: (?P<decade>{_DECADE}) | {_ENDING} )?
      (?= (?:{_UNIT_LETTERS}|{_POWER})(?![^\W_]) | (?![^\W_]) )
    | (?P<word>[^\W_]+)
    | (?P<unit>[%₽$€£°])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGN_BEFORE = re.compile(rf"([$€£₽])\s?(\d[\d .,]*(?<=\d)(?:\s?(?:{_POWER})\b\.?)?)", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^[^\S\n]*(\d{1,3})[.)][^\S\n]+(?=\S)", re.MULTILINE)
_HALF = re.compile(r"\bс\s+половиной\b", re.IGNORECASE)
_CENTURY = re.compile(r"(?<![^\W_])[IVXХ]+(?=(?:-?\w{1,2})?\s+(?:век|столети|тысячелети|квартал|съезд))")
_YEAR = re.compile(r"[12]\d{3}")
_MOST_PARTS = 24

_ROMAN = re.compile(r"[IVXХ]")
_SIGN = re.compile(r"[$€£₽]")

MAY_HOLD_NUMBERS = re.compile(r"[\d%₽$€£°]|(?<![^\W_])[IVXХ]+(?![^\W_])")
"""of a text in which no word is a numeral: whether it may still hold a number"""


class Lexeme(NamedTuple):
    token: str
    """folded"""
    key: str
    """what it is compared by: the stem, the lemma"""
    name: bool
    """capitalised"""
    numeral: Numeral | None = None


class Part(NamedTuple):
    lexeme: Lexeme
    joined: bool
    """whether nothing but space stands between it and the part before"""


def lexemes_with_numbers(text: str, make: Callable[[str], Lexeme]) -> list[Lexeme]:
    """The lexemes of a clean text; `make` gives that of a word."""
    parts, read = list(_parts(_prepared(text), make)), []
    place, after_number = 0, False
    while place < len(parts):
        lexeme = parts[place].lexeme
        value, size = read_number(_run(parts, place)) if lexeme.numeral else ("", 0)
        place += size or 1
        if size:
            minus = bool(read) and read[-1].token == "минус" and parts[place - size].joined
            read[len(read) - minus :] = [_number(f"-{value}" if minus else value)]
        elif not after_number:
            read.append(lexeme)
        elif not (lexeme.token in YEAR_WORDS and _YEAR.fullmatch(read[-1].key)):
            read.append(make(_UNITS[lexeme.token]) if lexeme.token in _UNITS else lexeme)
        after_number = bool(size)
    return read


def is_number(key: str) -> bool:
    """Whether this is the key of a number."""
    return key[0].isdecimal() or key[0] == "-"


def list_numbers(text: str) -> list[re.Match]:
    """The numbers of a list's lines, when they are 1, 2, 3, …"""
    found = list(_LIST_NUMBER.finditer(text))
    counted = len(found) > 1 and all(int(after[1]) == int(before[1]) + 1 for before, after in pairwise(found))
    return found if counted and int(found[0][1]) == 1 else []


def _prepared(text: str) -> str:
    if "\n" in text:
        for number in reversed(list_numbers(text)):
            text = text[: number.start()] + text[number.end() :]
    text = with_plain_dates(text)
    if _ROMAN.search(text):
        text = _CENTURY.sub(lambda roman: read_roman(roman[0].replace("Х", "X")) or roman[0], text)
    if "оловиной" in text:
        text = _HALF.sub(AND_HALF, text)
    return _SIGN_BEFORE.sub(r"\2 \1", text) if _SIGN.search(text) else text


def _parts(text: str, make: Callable[[str], Lexeme]) -> Iterator[Part]:
    stop, named = 0, False
    for match in _LEXEME.finditer(text):
        start, joined = match.start(), True
        if start != stop:
            joined = text[stop:start].isspace()
        stop = match.end()
        kind = match.lastgroup
        written = match[0]
        if kind == "word":
            roman = read_roman(written) if written[0] in "IVX" and (len(written) > 1 or named) else None
            yield Part(_number(roman) if roman else make(written), joined)
            named = written[0].isupper()
            continue
        named = False
        if kind == "unit":
            yield Part(make(_UNITS[written]), joined)
        else:
            for lexeme in _of_digits(match):
                yield Part(lexeme, joined)


def _of_digits(match: re.Match) -> list[Lexeme]:
    value = read_digits(match["number"])
    if value is None:
        return [Lexeme(digits, digits, False) for digits in re.findall(r"\d+", match["number"])]
    if match["decade"]:
        return [_number(f"{value}-е")]
    signed = f"-{value}" if match["sign"] and value != "0" else value
    return [Lexeme(signed, signed, False, in_digits(signed))]


def _run(parts: list[Part], place: int) -> list[Numeral | None]:
    """What may be one number: a part and those joined to it."""
    run = [parts[place].lexeme.numeral]
    for part in parts[place + 1 : place + _MOST_PARTS]:
        if not part.joined or part.lexeme.numeral is None:
            break
        run.append(part.lexeme.numeral)
    return run


def _number(value: str) -> Lexeme:
    return Lexeme(value, value, False)
