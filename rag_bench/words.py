"""The words of a text as answers are compared: by their stems, as they are written, or by their lemmas.

Compared by stems or lemmas, numbers and dates are brought to one form first (see `numerals`, `dates`), signs and short forms of
units after a number are words (`5 %` is `5 процентов`), and the numbering of a list is not read.
"""

import functools
import operator
import re
from collections.abc import Iterator
from typing import NamedTuple

from rag_bench.lemmas import lemma
from rag_bench.lexemes import MAY_HOLD_NUMBERS, Lexeme, lexemes_with_numbers
from rag_bench.numerals import Numeral, numeral
from rag_bench.spelling import clean
from rag_bench.tokens import stem, written_words

STEMS, TOKENS, LEMMAS = WAYS = ("stems", "tokens", "lemmas")
"""ways to compare words"""

_WORD = re.compile(r"[^\W_]+")
_NUMERAL_OF = operator.itemgetter(3)
SHORT = 200
"""characters of a text that is worth to be remembered"""


class Words(NamedTuple):
    """A text's words in order, three times over."""

    tokens: tuple[str, ...]
    """folded, numbers in one form"""
    keys: tuple[str, ...]
    """what is compared: stems, lemmas or the tokens"""
    names: tuple[bool, ...]
    """which are capitalised"""

    def same_at(self, start: int, other: "Words") -> bool:
        """Whether `other` stands here: each word with one key, or written alike."""
        stop = start + len(other.keys)
        if self.keys[start:stop] == other.keys:
            return True
        return stop <= len(self.keys) and all(
            ours in (theirs, token) or self.tokens[start + place] == token
            for place, (ours, theirs, token) in enumerate(zip(self.keys[start:stop], other.keys, other.tokens, strict=True))
        )

    def places(self, other: "Words") -> Iterator[int]:
        """Where `other` stands, in order; nothing stands nowhere."""
        if not other.keys:
            return
        if self.keys == other.keys:
            yield 0
            return
        begin = _all_of(self.keys, other.keys[0])
        alike = _all_of(self.tokens, other.tokens[0])
        for place in begin if alike == begin or not alike else sorted({*begin, *alike}):
            if self.same_at(place, other):
                yield place

    def find(self, other: "Words") -> int:
        """Where `other` first stands, or -1."""
        return next(self.places(other), -1)


def _all_of(words: tuple[str, ...], word: str) -> list[int]:
    """Where a word stands."""
    return [place for place, one in enumerate(words) if one == word] if word in words else []


NONE = Words((), (), ())


def read_words(text: str, way: str = STEMS) -> Words:
    """The words of a text, compared in one of the `WAYS`.

    Raises:
        MissingExtra: for lemmas, when no lemmatiser is installed.
    """
    return _read_short(text, way) if len(text) <= SHORT else _read(text, way)


def _read(text: str, way: str) -> Words:
    if way == TOKENS:
        found = written_words(text)
        folded = tuple(word.lower() for word in found)
        return Words(folded, folded, tuple(word[0].isupper() for word in found))
    text, make = clean(text), _by_stem if way == STEMS else _by_lemma
    if MAY_HOLD_NUMBERS.search(text):
        found = lexemes_with_numbers(text, make)
    else:
        found = list(map(make, _WORD.findall(text)))
        if any(map(_NUMERAL_OF, found)):
            found = lexemes_with_numbers(text, make)
    if not found:
        return NONE
    written, keys, names, _ = zip(*found, strict=True)
    return Words(written, keys, names)


@functools.lru_cache(maxsize=20_000)
def _read_short(text: str, way: str) -> Words:
    """Right answers are short, and given by many systems."""
    return _read(text, way)


@functools.lru_cache(maxsize=200_000)
def _by_stem(written: str) -> Lexeme:
    token, name = written.lower(), written[0].isupper()
    return Lexeme(token, stem(token, name=name), name, _numeral(written))


@functools.lru_cache(maxsize=200_000)
def _by_lemma(written: str) -> Lexeme:
    return Lexeme(written.lower(), lemma(written), written[0].isupper(), _numeral(written))


def _numeral(written: str) -> Numeral | None:
    return None if written == "Сорока" else numeral(written.lower())  # a surname, and a bird
