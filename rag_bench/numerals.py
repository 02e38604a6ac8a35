"""Numbers as Russian writes them, in one form: `1,5 млн`, `1.5 миллиона` and `1 500 000` are `1500000`, `пять` is `5`.

Both comma and point are decimal, but before `000`, and where there are several with three digits behind each, they part groups.
An ordinal is its number (`5-й`, `пятый`). A number that begins with a zero, and one of more than eighteen digits, is no number
but a name (`007`): it stays as it is written.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

from rag_bench.wordlists import entries

MOST_DIGITS = 18
AND_HALF = "споловиной"
"""how `с половиной` must be handed over: as one word"""

_EXACT = Context(prec=3 * MOST_DIGITS)
_FIRST = 99
_GROUPED = re.compile(r"\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?")
_PARTED = re.compile(r"\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,}|[.,]000)")
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True)
class Numeral:
    """A word that is a number, or a part of one."""

    kind: str
    """`digits`, `cardinal`, `ordinal`, `half` (of a power), `and_half`, `power` (of ten), `one` (a power, or one of it)"""
    value: Decimal
    """of a power its exponent"""

    @property
    def is_power(self) -> bool:
        return self.kind in ("power", "one")


def read_digits(written: str) -> str | None:
    """The one form of a number written in digits; None for what is no single number (`1.2.3`, `007`)."""
    if _PARTED.fullmatch(written):
        return re.sub(r"\D", "", written)
    if _GROUPED.fullmatch(written):
        written = re.sub("[ ']", "", written)
    whole, _, decimals = written.replace(",", ".").partition(".")
    if not (whole + decimals).isdecimal() or len(whole + decimals) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0"):
        return None
    return _form(Decimal(f"{whole}.{decimals or 0}"))


def read_roman(written: str) -> str | None:
    """A Roman numeral up to 39 in digits; None for anything else."""
    if not _ROMAN.fullmatch(written):
        return None
    values = [_ROMAN_VALUES[letter] for letter in written]
    return str(sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)))


def in_digits(value: str) -> Numeral:
    """What `read_digits` gave, as a part of a number."""
    return Numeral("digits", Decimal(value))


def numeral(word: str) -> Numeral | None:
    """What a folded word is as a number."""
    return _numerals().get(word)


def read_number(parts: Sequence[Numeral | None]) -> tuple[str, int]:
    """The number that begins with the first part, in one form, and how many parts it takes: 0 when none begins there."""
    first = parts[0]
    if first is None or first.kind in ("power", "and_half"):
        return "", 0
    if first.kind == "half":
        return _form(_EXACT.scaleb(Decimal("0.5"), first.value)), 1
    if first.kind == "one":
        total, taken, last = _EXACT.scaleb(Decimal(1), first.value), 1, int(first.value)
    else:
        total, taken, last = _scaled(parts, _FIRST)
    while last and total > 0:  # after thousands come hundreds, and so on
        value, size, last = _scaled(parts[taken : taken + 5], last)
        total, taken = _EXACT.add(total, value), taken + size
    return _form(total), taken


def _scaled(parts: Sequence[Numeral | None], below: int) -> tuple[Decimal, int, int]:
    """A number below a thousand, or in digits, with the power of ten after it, how many parts that is, and the power or 0."""
    value, size, closed = _group(parts)
    after = parts[size] if size < len(parts) else None
    if after is not None and after.kind == "and_half" and not closed:
        value, size = _EXACT.add(value, Decimal("0.5")), size + 1
        after = parts[size] if size < len(parts) else None
    if after is not None and after.is_power and not closed and size and after.value < below:
        return _EXACT.scaleb(value, after.value), size + 1, int(after.value)
    if below < _FIRST and size and parts[0] is not None and parts[0].kind == "digits":
        return Decimal(0), 0, 0  # "2 млн 2024": the year is another number
    return value, size, 0


def _group(parts: Sequence[Numeral | None]) -> tuple[Decimal, int, bool]:
    """A number below a thousand in words, or one in digits: its value, its parts, and whether an ordinal ends it."""
    if parts and parts[0] is not None and parts[0].kind == "digits":
        return parts[0].value, 1, False
    value, size, left = Decimal(0), 0, 1000
    for part in parts:
        if part is None or part.kind not in ("cardinal", "ordinal"):
            break
        alone = part.value != int(part.value) or not part.value
        place = 100 if part.value >= 100 else 10 if part.value >= 10 else 1
        if place >= left or (alone and size):
            break
        value, size, left = value + part.value, size + 1, 1 if (part.value < 20 and place > 1) or alone else place
        if part.kind == "ordinal":
            return value, size, True
    return value, size, False


def _form(value: Decimal) -> str:
    written = format(value, "f")
    return (written.rstrip("0").rstrip(".") if "." in written else written) or "0"


@functools.cache
def _numerals() -> dict[str, Numeral]:
    return {form: Numeral(kind, Decimal(value)) for kind, value, *forms in entries("numerals.txt") for form in forms}
