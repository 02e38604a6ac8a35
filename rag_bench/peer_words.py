"""The words of the published client: the tokens of razdel, most of them found without it.

razdel joins what stands together without a space, and looks at most one piece beyond a space: where a piece begins or ends with
a mark that can join two others. A text without such pieces is cut piece by piece, and a piece is cut once.
"""

import functools
import re
from collections.abc import Sequence

from rag_bench.installation import require
from rag_bench.words import SHORT

_RUN = r"(?:[а-яёА-ЯЁ]+|[a-zA-Z]+|[0-9]+)"
_PLAIN = re.compile(rf"([«(\"]?)({_RUN}(?:-{_RUN})*)([»)\"]?)([:;?]|(?<![0-9])[.,])?")
"""a word, a number, or several joined by hyphens, with the commonest marks around it"""
_JOINING = frozenset("‑–—−-_")
_JOINING_NUMBERS = frozenset(".,/\\")


def peer_words(text: str) -> Sequence[str]:
    """The tokens that `razdel.tokenize` gives. Needs the extra `peer`."""
    return _read_short(text) if len(text) <= SHORT else _read(text)


@functools.lru_cache(maxsize=20_000)
def _read_short(text: str) -> Sequence[str]:
    return _read(text)


def _read(text: str) -> Sequence[str]:
    found: list[str] = []
    for piece in text.split():
        cut = _cut(piece)
        if not cut:
            return _razdel(text)
        found += cut
    return found


@functools.lru_cache(maxsize=200_000)
def _cut(piece: str) -> tuple[str, ...]:
    """The tokens of a piece without spaces; none when they depend on what stands beside it."""
    if match := _PLAIN.fullmatch(piece):
        return tuple(filter(None, match.groups()))
    if len(piece) > 1 and (_joins(piece[0], piece[1]) or _joins(piece[-1], piece[-2])):
        return ()
    return tuple(_razdel(piece))


def _joins(mark: str, beside: str) -> bool:
    return mark in _JOINING or (mark in _JOINING_NUMBERS and beside.isdecimal())


def _razdel(text: str) -> list[str]:
    return [token.text for token in require("razdel", "peer").tokenize(text)]
