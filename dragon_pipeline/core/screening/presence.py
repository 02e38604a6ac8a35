"""How present a name is in a text: the scaled Levenshtein distance to the closest substring (paper §4.3.2)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

import Levenshtein
from rapidfuzz.distance.Levenshtein import normalized_similarity
from rapidfuzz.process import extractOne

from dragon_pipeline.core.screening.lemmas import Lemmas, words_only

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

KEPT_WORDS = 40
"""Of a text with at most so many words all pieces are kept (820 of 40 words); those of a longer one are cut when
needed, and no more of them than may be closer."""


def presence(name: str, text: str) -> float:
    """1 for a name that stands in the text, 0 for one that shares nothing with it.

    The closest substring is searched among those that begin and end at word boundaries: short names are near to some piece of
    almost any text, but seldom to whole words. Exact over all such substrings. Case is folded and ё read as е. The scale is
    1 − distance / length of the longer string. The distance is python-Levenshtein's; the closest piece is searched by
    rapidfuzz, on which it stands, because a call for each costs more than the distance itself.
    """
    return Text(text).closeness(fold(name))


class Text:
    """A text folded and cut once, to be searched for many names."""

    def __init__(self, text: str):
        self.folded = fold(text)
        words = self.folded.split()
        self._stops = list(accumulate((len(word) + 1 for word in words), initial=-1))[1:]
        self._starts = [stop - len(word) for word, stop in zip(words, self._stops, strict=True)]

    def closeness(self, name: str, floor: float = 0.0) -> float:
        """Presence of a folded name, or `floor` if that is not below it."""
        if not name or not self.folded:
            return floor
        if f" {name} " in f" {self.folded} ":
            return 1.0
        if len(self._starts) <= KEPT_WORDS:
            return _closest(name, self._pieces, floor)
        # pieces of as many words first: with a good score the length alone rules most others out
        stops = self._stops[name.count(" ") :]
        best = _closest(name, (self.folded[start:stop] for start, stop in zip(self._starts, stops, strict=False)), floor)
        longest = int(len(name) / best) + 1 if best else len(self.folded)
        return _closest(name, self._cut(int(len(name) * best), longest), best)

    @cached_property
    def _pieces(self) -> list[str]:
        folded, stops = self.folded, self._stops
        return [folded[start:stop] for place, start in enumerate(self._starts) for stop in stops[place:]]

    def _cut(self, shortest: int, longest: int) -> Iterator[str]:
        """The pieces of these lengths."""
        for place, start in enumerate(self._starts):
            first = bisect_left(self._stops, start + shortest, place)
            for stop in self._stops[first : bisect_right(self._stops, start + longest)]:
                yield self.folded[start:stop]


class Presence:
    """Presence by surface or by lemmas, whichever is larger: names are inflected, and lemmatisers err."""

    def __init__(self, lemmas: Lemmas):
        self.lemmas = words_only(lemmas)
        self._text = lru_cache(maxsize=4_096)(Text)
        self._lemmas_of = lru_cache(maxsize=65_536)(self._join)
        self._measured = lru_cache(maxsize=65_536)(self._measure)

    def of(self, name: str, text: str) -> float:
        """0 to 1; a name's numbers must stand in the text digit by digit, else 0: 2019 is not nearly 2018."""
        return self._measured(name, text)

    def _measure(self, name: str, text: str) -> float:
        wanted = numbers(name)
        if wanted and not set(wanted) <= set(numbers(text)):
            return 0.0
        surface = self._text(text).closeness(fold(name))
        return surface if surface == 1 else self._text(self._lemmas_of(text)).closeness(fold(self._lemmas_of(name)), surface)

    def _join(self, text: str) -> str:
        return " ".join(self.lemmas(text))


def numbers(text: str) -> Sequence[str]:
    """In order, with their decimals: the 4 of «1,4» is none. A date of more dots («16.03.2018») is its parts."""
    found = [number.replace(",", ".") for number in _NUMBER.findall(text)]
    return [part for number in found for part in (number.split(".") if number.count(".") > 1 else [number])]


def fold(text: str) -> str:
    """The words alone, in lower case and ё as е, one space between two."""
    return " ".join(_WORD.findall(text.lower().replace("ё", "е")))


def _closest(name: str, pieces: Iterable[str], floor: float) -> float:
    found = extractOne(name, pieces, scorer=normalized_similarity, score_cutoff=floor)
    if not found:
        return floor
    piece = found[0]
    return max(floor, 1 - Levenshtein.distance(name, piece) / max(len(name), len(piece)))
