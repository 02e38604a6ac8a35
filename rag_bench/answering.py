"""How a written answer is compared with the gold answers, word by word.

Two words are the same when they are written alike or have one stem (see `tokens`). A question with several answers wants all
of them, in any order, so its gold is a set.

Rules that keep scores from being bought with long answers:

- `substring` counts only in an answer of at most 30 words, or 5 times the gold's words where that is more;
- in `set_f1` a stretch between separators (comma, semicolon, line, "и") that holds no gold answer is one wrong item for every
  three words it has, and one that does hold one may have two words around it, each further word being a wrong item.
"""

import functools
import math
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from rag_bench.rouge import rouge_l, rouge_n
from rag_bench.tokens import stems, tokens

MOST_WORDS, MOST_TIMES = 30, 5
WORDS_AROUND = 2
WORDS_OF_A_WRONG_ITEM = 3
_SEPARATOR = re.compile(
    r"""
      [;\n\r•|] | (?<!\d), | ,(?!\d)      # not the comma of 1,5
    | (?<=\s)(?:и|а\s+также)(?=\s)
    | (?<=\s)[-–—](?=\s)
    | ^[^\S\n]*(?:\d{1,4}[.)]|[-–—*])\s   # numbers and bullets of a list
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


class Words(NamedTuple):
    """A text's words twice over: as written (folded), and their stems."""

    tokens: tuple[str, ...]
    stems: tuple[str, ...]

    def same_at(self, start: int, other: "Words") -> bool:
        """Whether `other` stands here, word for word."""
        if start + len(other.tokens) > len(self.tokens):
            return False
        return all(
            self.stems[start + place] == other.stems[place] or self.tokens[start + place] == word
            for place, word in enumerate(other.tokens)
        )

    def find(self, other: "Words") -> int:
        """Where `other` first stands, or -1; nothing stands nowhere."""
        return next((start for start in range(len(self.tokens)) if other.tokens and self.same_at(start, other)), -1)


@functools.lru_cache(maxsize=512)
def words(text: str, stemmed: bool = True) -> Words:
    """The words of a text; unstemmed ones are their own stems."""
    written = tokens(text)
    return Words(written, stems(text) if stemmed else written)


def rouge(kind: str, answer: str, gold: Sequence[str], stemmed: bool = True) -> float:
    """ROUGE F1 (`1`, `2` or `l`) against the gold answers as one text, in the order in which the answer gives them."""
    given = words(answer, stemmed)
    places = [(given.find(words(one, stemmed)), words(one, stemmed)) for one in gold]
    places.sort(key=lambda placed: (placed[0] < 0, placed[0]))
    reference = [stem for _, one in places for stem in one.stems]
    return rouge_l(given.stems, reference) if kind == "l" else rouge_n(given.stems, reference, int(kind))


def substring(answer: str, gold: Sequence[str], stemmed: bool = True, any_length: bool = False) -> float:
    """1 when every gold answer stands in the answer, and the answer is no heap of words."""
    given, wanted = words(answer, stemmed), [words(one, stemmed) for one in gold]
    if not any_length and len(given.tokens) > max(MOST_WORDS, MOST_TIMES * sum(len(one.tokens) for one in wanted)):
        return 0.0
    return float(all(given.find(one) >= 0 for one in wanted))


def exact(answer: str, gold: Sequence[str], stemmed: bool = True) -> float:
    """1 when the answer is the gold answer, or the gold answers in any order with nothing else."""
    if len(gold) > 1:
        right, wrong, spare = _items(answer, gold, stemmed)
        return float(right == len(gold) and not wrong and not spare)
    given, wanted = words(answer, stemmed), words(gold[0], stemmed)
    return float(len(given.tokens) == len(wanted.tokens) and given.find(wanted) == 0)


def set_f1(answer: str, gold: Sequence[str], stemmed: bool = True) -> float:
    """F1 of the items that the answer lists and the gold answers."""
    right, wrong, _ = _items(answer, gold, stemmed)
    return 2 * right / (2 * right + wrong + len(gold) - right) if right else 0.0


def _items(answer: str, gold: Sequence[str], stemmed: bool) -> tuple[int, int, int]:
    """Gold answers found, wrong items, and words that stand around found ones."""
    given, borders = _listed(answer, stemmed)
    wanted = [_listed(one, stemmed)[0] for one in gold]  # without their own "и", like the answer
    taken = [False] * len(given.tokens)
    right = sum(_take(one, given, taken) for one in sorted(wanted, key=lambda one: -len(one.tokens)))
    wrong = spare = 0
    for start, stop in zip([0, *borders], [*borders, len(taken)], strict=True):
        rest = taken[start:stop].count(False)
        if any(taken[start:stop]):
            spare += rest
            wrong += max(0, rest - WORDS_AROUND)
        else:
            wrong += math.ceil(rest / WORDS_OF_A_WRONG_ITEM)
    return right, wrong, spare


def _take(wanted: Words, given: Words, taken: list[bool]) -> bool:
    """Marks the first free place where `wanted` stands as taken."""
    for start in range(len(taken) if wanted.tokens else 0):
        stop = start + len(wanted.tokens)
        if not any(taken[start:stop]) and given.same_at(start, wanted):
            taken[start:stop] = [True] * len(wanted.tokens)
            return True
    return False


def _listed(text: str, stemmed: bool) -> tuple[Words, list[int]]:
    """All words of a text without the separators' own, and where a separator stands between them."""
    parts = [words(part, stemmed) for part in _SEPARATOR.split(text) if part.strip()]
    borders = list(accumulate(len(part.tokens) for part in parts))[:-1]
    return Words(tuple(w for part in parts for w in part.tokens), tuple(w for part in parts for w in part.stems)), borders
