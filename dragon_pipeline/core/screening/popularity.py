"""What a reader would guess who has not read the articles: whom everybody talks about, and whom one hears of with the names in
the question.

The embedded member of the closed-book panel. It knows how often the window's other articles name each person, country and
city, and with whom; the gold articles of the question that it is asked, and their reprints, are taken out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.screening.lemmas import Lemmas, words_only

LONGEST = 5
"""Words of a name that is looked for in a question."""
MILLION = 1_000_000


@dataclass(frozen=True)
class Wanted:
    """What a question asks for: a kind of mention, and which names of it."""

    kind: str
    """as in `mentions`"""
    fits: Callable[[str], bool] = lambda name: True
    tries: int = 1
    """how many times as many names are tried as of people, of a kind of which there are few"""


Wants = Callable[[str], Wanted | None]
"""The language's reader of question words: what could be guessed at all; None for years, sums, posts, statements."""


@dataclass(frozen=True)
class Habits:
    """How many names it tries."""

    near: int = 3
    """most often told of together with the names in the question"""
    known: int = 4
    """most often told of at all"""
    least: int = 3
    """articles that must tell of a name before it is guessed"""


class Popularity:
    """Guesses a few names for every question; none for a question whose answer is no name, or of which it knows too little."""

    name = "popularity"

    def __init__(self, mentions: pl.DataFrame, lemmas: Lemmas, wants: Wants, habits: Habits | None = None):
        """`mentions`: of the whole window."""
        self.lemmas, self.wants, self.habits = words_only(lemmas), wants, habits or Habits()
        pairs = mentions.select("article_id", "normal", "kind", "lemmas").unique(["article_id", "normal", "kind"])
        self.articles = pairs["article_id"].unique().sort()
        self.names = pairs.select("normal", "kind", "lemmas").unique(["normal", "kind"]).sort("normal", "kind")
        article = {name: code for code, name in enumerate(self.articles)}
        entity = {key: code for code, key in enumerate(self.names.select("normal", "kind").iter_rows())}
        rows = sorted({(article[one], entity[normal, kind]) for one, normal, kind, _ in pairs.iter_rows()})
        told = np.array(rows, dtype=np.int64).reshape(-1, 2)
        self._article, self._entity = told[:, 0], told[:, 1]
        self._code: Mapping[str, int] = article

    def guess(self, case: Case) -> Sequence[str]:
        """Names, likeliest first: those near the names in the question, then those that are known to all."""
        wanted = self.wants(case.qa["question"])
        if wanted is None or not len(self._article):
            return []
        own = [self._code[name] for name in case.qa["article_ids"] if name in self._code]
        other = ~np.isin(self._article, own)
        everywhere = np.bincount(self._entity[other], minlength=len(self.names))
        asked = self._in_question(case.qa["question"])
        may = self._kinds == wanted.kind
        may[asked] = False
        may &= everywhere >= self.habits.least
        near = self._first(self._together(asked, other, everywhere), everywhere, may, wanted, self.habits.near * wanted.tries)
        may[near] = False
        known = self._first(everywhere, everywhere, may, wanted, self.habits.known * wanted.tries)
        return [self.names["normal"][code] for code in (*near, *known)]

    @cached_property
    def _kinds(self) -> np.ndarray:
        return self.names["kind"].to_numpy()

    @cached_property
    def _by_lemmas(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for code, said in enumerate(self.names["lemmas"]):
            found.setdefault(said, []).append(code)
        return found

    def _in_question(self, question: str) -> list[int]:
        """Names that stand in it, in any case."""
        said = self.lemmas(question)
        spans = {" ".join(said[at : at + size]) for at in range(len(said)) for size in range(1, LONGEST + 1)}
        return sorted({code for span in spans for code in self._by_lemmas.get(span, ())})

    def _together(self, asked: Sequence[int], other: np.ndarray, everywhere: np.ndarray) -> np.ndarray:
        """Of each name in how many articles it is told of with one of those asked; a rare one counts more, in millionths."""
        weights = np.zeros(len(self.articles), dtype=np.int64)
        for code in asked:
            weights[self._article[(self._entity == code) & other]] += MILLION // max(int(everywhere[code]), 1)
        found = np.zeros(len(self.names), dtype=np.int64)
        np.add.at(found, self._entity[other], weights[self._article[other]])
        return found

    def _first(self, worth: np.ndarray, everywhere: np.ndarray, may: np.ndarray, wanted: Wanted, number: int) -> list[int]:
        """Codes of the names that are worth most and fit; equals by how often they are told of, then by name."""
        order = np.lexsort((np.arange(len(worth)), -everywhere, -worth))
        found: list[int] = []
        for code in order[(may & (worth > 0))[order]]:
            if len(found) == number:
                break
            if wanted.fits(self.names["normal"][int(code)]):
                found.append(int(code))
        return found
