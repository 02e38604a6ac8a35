"""Places: where a text speaks of a number or a name.

News of one form (weather, exchange rates, match reports, earthquakes) share their words and differ in numbers and names. A
place is a shingle of WIDTH words that holds one of these, with it left blank. A reprint has the same numbers and names in the
places that it shares with the original; a bulletin of another day does not.
"""

import re
from collections.abc import Sequence

from dragon_pipeline.core.corpus.shingles import STEM, WIDTH

FEWEST = 4
"""Shared places below which two texts are not judged by them."""
AGREED = 0.5
"""Share of the shared places that must hold the same number or name."""
HEAD = 15
"""Words from the beginning by which two pages of one outlet are compared."""
ALIKE = 0.35

_WORD = re.compile(r"(?P<start>(?:^|[.!?…:»\n])[\s«\"„—–-]*)?(?P<word>\d+(?:[.,:]\d+)*|\w+)")


class Places:
    """Of texts, by index; each is read when it is first asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._read: dict[int, dict[tuple, set]] = {}

    def agree(self, a: int, b: int) -> bool:
        """Whether in the places that two texts share most of the numbers and names are the same."""
        one, other = self._of(a), self._of(b)
        shared = one.keys() & other.keys()
        return len(shared) < FEWEST or sum(not one[place].isdisjoint(other[place]) for place in shared) >= AGREED * len(shared)

    def begin_alike(self, a: int, b: int) -> bool:
        """Whether the first HEAD words of two texts are shared as two versions of one text share them."""
        one, other = ({tuple(part) for part in _parts(words(self._texts[index])[:HEAD])} for index in (a, b))
        return len(one & other) >= ALIKE * len(one | other)

    def _of(self, index: int) -> dict[tuple, set]:
        if index not in self._read:
            places: dict[tuple, set] = {}
            for part in _parts(words(self._texts[index])):
                if any(special for _, special in part):
                    place = tuple(special or stem for stem, special in part)
                    places.setdefault(place, set()).add(tuple(stem for stem, _ in part))
            self._read[index] = places
        return self._read[index]


def words(text: str) -> list[tuple[str, str]]:
    """Stems, each with `#` for a number, `@` for a name (a capital letter inside a sentence), else nothing."""
    found = []
    for match in _WORD.finditer(text):
        word = match["word"]
        special = "#" if word[0].isdigit() else "@" if word[0].isupper() and match["start"] is None else ""
        found.append((word.lower().replace("ё", "е")[:STEM], special))
    return found


def _parts(stems: list) -> list[list]:
    return [stems[start : start + WIDTH] for start in range(max(len(stems) - WIDTH + 1, 0))]
