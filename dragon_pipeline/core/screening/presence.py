"""How present a name is in a text: the scaled Levenshtein distance to the closest substring (paper §4.3.2)."""

import re
from collections.abc import Sequence
from functools import lru_cache

import Levenshtein

from dragon_pipeline.core.screening.lemmas import Lemmas, words_only

_WORD = re.compile(r"\w+")


def presence(name: str, text: str) -> float:
    """1 for a name that stands in the text, 0 for one that shares nothing with it.

    The closest substring is searched among those that begin and end at word boundaries: short names are near to some piece of
    almost any text, but seldom to whole words. Exact over all such substrings: those whose length alone rules them out are
    not measured. Case is folded and ё read as е. The scale is 1 − distance / length of the longer string.
    """
    name, text = _fold(name), _fold(text)
    size = len(name)
    if not size:
        return 0.0
    words = [match.span() for match in _WORD.finditer(text)]
    stops = [stop for _, stop in words]
    best = 0.0
    for first, (start, _) in enumerate(words):
        for stop in stops[first:]:
            length = stop - start
            longer = max(size, length)
            if min(size, length) / longer <= best:
                if length > size:
                    break
                continue
            most = int((1 - best) * longer)
            distance = Levenshtein.distance(name, text[start:stop], score_cutoff=most)
            best = max(best, 1 - distance / longer)
        if best == 1:
            break
    return best


class Presence:
    """Presence by surface or by lemmas, whichever is larger: names are inflected, and lemmatisers err."""

    def __init__(self, lemmas: Lemmas):
        self.lemmas = words_only(lemmas)
        self._measured = lru_cache(maxsize=65_536)(self._measure)

    def of(self, name: str, text: str) -> float:
        """0 to 1; a name's numbers must stand in the text digit by digit, else 0: 2019 is not nearly 2018."""
        return self._measured(name, text)

    def _measure(self, name: str, text: str) -> float:
        if not set(numbers(name)) <= set(numbers(text)):
            return 0.0
        surface = presence(name, text)
        if surface == 1:
            return surface
        return max(surface, presence(" ".join(self.lemmas(name)), " ".join(self.lemmas(text))))


def numbers(text: str) -> Sequence[str]:
    return re.findall(r"\d+", text)


def _fold(text: str) -> str:
    return " ".join(_WORD.findall(text.lower().replace("ё", "е")))
