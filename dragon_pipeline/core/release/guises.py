"""Internal ids in a text, as they are or disguised."""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import cast

import polars as pl

SHORTEST = 16
"""hex digits; internal ids have 16, 32 or 64"""
HEX = re.compile(r"[0-9a-f]{16,}")
_SPACED = r"(?:[0-9A-Fa-f][-_:. ]?){16,}"
_SIXTY_FOUR = r"[0-9A-Za-z+/_-]{11,}"
"""eight bytes are eleven characters of base64"""
_TOKEN = re.compile(_SIXTY_FOUR)
_SEPARATORS = str.maketrans("", "", "-_:. ")
_PARTS = re.compile(r"[/_-]+")


class Ids:
    """What is looked for: runs of 16 or more hex digits in any case, with separators, reversed by digit or byte; the same as
    base64 of the bytes or digits, or as a decimal number. A run may stand inside a longer one."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._known = {run for id in ids for run in HEX.findall(id.lower())}
        self._lengths = sorted({len(id) for id in self._known})

    def in_text(self, text: str) -> set[str]:
        """The ids, as they are known, that the text holds."""
        return self._among({found for pattern in (re.compile(_SPACED), _TOKEN) for found in pattern.findall(text)})

    def in_column(self, values: pl.Series) -> set[str]:
        """The same of a column of strings, of which only what may be an id is looked at here."""
        found: set[str] = set()
        for pattern in (_SPACED, _SIXTY_FOUR):
            hits = values.drop_nulls().str.extract_all(pattern).list.explode(keep_nulls=False, empty_as_null=False)
            found |= set(cast("Iterable[str]", hits.unique()))
        return self._among(found)

    def _among(self, candidates: Iterable[str]) -> set[str]:
        return {id for text in candidates for run in _readings(text) for id in self._in_run(run)}

    def _in_run(self, run: str) -> Iterator[str]:
        for turned in (run, run[::-1], _by_byte(run), _by_byte(run[1:])):
            for length in self._lengths:
                for at in range(len(turned) - length + 1):
                    if turned[at : at + length] in self._known:
                        yield turned[at : at + length]


def _readings(text: str) -> Iterator[str]:
    """Runs of hex digits that a candidate may be read as."""
    plain = text.translate(_SEPARATORS).lower()
    yield from HEX.findall(plain)
    for token in {text, *_PARTS.split(text)}:
        if token.isdecimal() and len(token) <= 39:
            digits = f"{int(token):x}"
            yield digits.zfill(SHORTEST if len(digits) <= SHORTEST else 2 * SHORTEST)
        if _TOKEN.fullmatch(token) and len(token) % 4 != 1:
            decoded = base64.b64decode(token.translate(str.maketrans("-_", "+/")) + "=" * (-len(token) % 4))
            yield decoded.hex()
            yield from HEX.findall(decoded.decode("latin-1").lower())


def _by_byte(run: str) -> str:
    """The bytes of a run in reverse order."""
    return "".join(run[at : at + 2] for at in range(len(run) - 2, -1, -2))
