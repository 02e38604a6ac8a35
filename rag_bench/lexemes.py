"""Words one by one, with what each is compared by; numbers, dates and units in one form."""

import functools
import re
from collections.abc import Callable, Sequence
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
      ((?<![\w.,:/%)»-])[-−–])?                                              # sign
      ( \d{{1,3}}(?:[ ']\d{{3}})++(?!\d)(?:[.,]\d++)? | \d++(?:[.,]\d++)*+ )  # digits
      (?: (?i:({_DECADE})) | (?i:{_ENDING}) )?
      (?= (?i:{_UNIT_LETTERS}|{_POWER})(?![^\W_]) | (?![^\W_]) )
    | ([^\W_]+)                                                             # word
    | ([%₽$€£°])                                                            # unit
    | (_|[^\w\s])                                                           # mark
    """,
    re.VERBOSE,
)
_SIGN_BEFORE = re.compile(rf"([$€£₽])\s?(\d[\d .,]*(?<=\d)(?:\s?(?:{_POWER})\b\.?)?)", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^[^\S\n]*(\d{1,3})[.)][^\S\n]+(?=\S)", re.MULTILINE)
_HALF = re.compile(r"\bс\s+половиной\b", re.IGNORECASE)
_CENTURY = re.compile(r"(?<![^\W_])[IVXХ]+(?=(?:-?\w{1,2})?\s+(?:век|столети|тысячелети|квартал|съезд))")
_YEAR = re.compile(r"[12]\d{3}")
_MOST_PARTS = 24

_ROMAN = re.compile(r"[IVXХ]")
_SIGN = re.compile(r"[$€£₽]")

_NEEDS_WORK = re.compile(r"\n|\d[-./]\d|\b0\d|[IVXХ]|оловиной|[$€£₽]")

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


def lexemes_with_numbers(text: str, make: Callable[[str], Lexeme]) -> list[Lexeme]:
    """The lexemes of a clean text; `make` gives that of a word."""
    found, read = _found(_prepared(text) if _NEEDS_WORK.search(text) else text, make), []
    place, after_number = 0, False
    while place < len(found):
        lexeme = found[place]
        value, size = _number_at(found, place) if lexeme is not None and lexeme.numeral else (None, 0)
        place += size or 1
        if lexeme is None:
            continue
        if value is not None:
            minus = bool(read) and read[-1].token == "минус" and found[place - size - 1] is read[-1]
            read[len(read) - minus :] = [_number(f"-{value.token}") if minus else value]
        elif not after_number:
            read.append(lexeme)
        elif not (lexeme.token in YEAR_WORDS and _YEAR.fullmatch(read[-1].key)):
            read.append(make(_UNITS[lexeme.token]) if lexeme.token in _UNITS else lexeme)
        after_number = value is not None
    return read


def _number_at(found: Sequence["Lexeme | None"], place: int) -> "tuple[Lexeme | None, int]":
    """The number that begins here, and how many lexemes it takes; none where a part of one stands alone."""
    run: list[Numeral | None] = []
    for lexeme in found[place : place + _MOST_PARTS]:
        if lexeme is None or lexeme.numeral is None:
            break
        run.append(lexeme.numeral)
    if len(run) == 1 and run[0] is not None and run[0].kind == "digits":
        return found[place], 1
    value, size = read_number(run)
    return (_number(value), size) if size else (None, 0)


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


def _found(text: str, make: Callable[[str], Lexeme]) -> list[Lexeme | None]:
    """The lexemes of a text before numbers are put together; None for a mark that keeps them apart."""
    found: list[Lexeme | None] = []
    for sign, digits, decade, word, unit, _ in _LEXEME.findall(text):
        if word:
            roman = read_roman(word) if word[0] in "IVX" and (len(word) > 1 or _named(found)) else None
            found.append(_number(roman) if roman else make(word))
        elif digits:
            found += _of_digits(digits, bool(sign), bool(decade))
        else:
            found.append(make(_UNITS[unit]) if unit else None)
    return found


def _named(found: Sequence[Lexeme | None]) -> bool:
    """Whether the word before is capitalised."""
    return bool(found) and found[-1] is not None and found[-1].name


@functools.lru_cache(maxsize=100_000)
def _of_digits(written: str, negative: bool, decade: bool) -> tuple[Lexeme, ...]:
    value = read_digits(written)
    if value is None:
        return tuple(Lexeme(digits, digits, False) for digits in re.findall(r"\d+", written))
    if decade:
        return (_number(f"{value}-е"),)
    signed = f"-{value}" if negative and value != "0" else value
    return (Lexeme(signed, signed, False, in_digits(signed)),)


def _number(value: str) -> Lexeme:
    return Lexeme(value, value, False)
