"""Marks: the numbers and the names of a text.

News of one form (weather, exchange rates, match reports, earthquakes) share their words and differ in their marks; a later
article on an event repeats its background and brings new marks; a rewrite has other words and the same marks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from dragon_pipeline.core.corpus.shingles import STEM, WIDTH

FEWEST = 3
"""Numbers, or marks, in the text that has fewer, below which they are not judged."""
HEAD = 15
"""Words from the beginning by which two pages of one outlet are compared."""

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|\w+")
_END = re.compile(r"[.!?…:\n]")
"""What between two words says that the second one begins a sentence."""


@dataclass(frozen=True)
class Agreement:
    """How many of the marks of the text that has fewer of them the other text has too."""

    shared: int
    of: int
    numbers_shared: int
    numbers_of: int

    @property
    def share(self) -> float:
        """1 where there is too little to judge by; 0 if the numbers alone are mostly others."""
        if self.numbers_of >= FEWEST and 2 * self.numbers_shared < self.numbers_of:
            return 0.0
        return self.shared / self.of if self.of >= FEWEST else 1.0


class Marks:
    """Of texts, by index; each is read when it is first asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._read: dict[int, tuple[frozenset[str], frozenset[str]]] = {}

    def compare(self, a: int, b: int) -> Agreement:
        (numbers, names), (other_numbers, other_names) = self._of(a), self._of(b)
        numbers_shared, numbers_of = len(numbers & other_numbers), min(len(numbers), len(other_numbers))
        shared = numbers_shared + len(names & other_names)
        return Agreement(
            shared, min(len(numbers) + len(names), len(other_numbers) + len(other_names)), numbers_shared, numbers_of
        )

    def begin_alike(self, a: int, b: int) -> bool:
        """Whether two texts share a third of the runs of WIDTH stems in their first HEAD words."""
        one, other = (_head(self._texts[index]) for index in (a, b))
        return 3 * len(one & other) >= len(one | other)

    def _of(self, index: int) -> tuple[frozenset[str], frozenset[str]]:
        if index not in self._read:
            self._read[index] = marks(self._texts[index])
        return self._read[index]


def marks(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The numbers, and the stems of words with a capital letter inside a sentence."""
    numbers, names, before = set(), set(), 0
    for match in _WORD.finditer(text):
        word = match[0]
        if word[0].isdigit():
            numbers.add(word)
        elif word[0].isupper() and before and not _END.search(text, before, match.start()):
            names.add(_stem(word))
        before = match.end()
    return frozenset(numbers), frozenset(names)


def _head(text: str) -> set[tuple[str, ...]]:
    stems = [_stem(match[0]) for match in islice(_WORD.finditer(text), HEAD)]
    return {tuple(stems[start : start + WIDTH]) for start in range(max(len(stems) - WIDTH + 1, 1))}


def _stem(word: str) -> str:
    return word.lower().replace("ё", "е")[:STEM]
