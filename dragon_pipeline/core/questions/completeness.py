"""Whether a set's answers are all that the window's texts give, not only all that was extracted."""

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property

import polars as pl

from dragon_pipeline.core.knowledge.occurrence import STEM, same_word
from dragon_pipeline.core.questions.candidates import Shape
from dragon_pipeline.core.questions.graph import latest

NAME = re.compile(r"(?<!^)\b[A-ZА-ЯЁ][\w-]+ [A-ZА-ЯЁ][\w-]+|«[A-ZА-ЯЁ][^»]*»")
SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


class Window:
    """The window's texts.

    Only a sentence that can add an answer is lemmatised: one with something like a name, in which every word of the set's
    given end stands in some form, that is, with its first letters (see `_stem`).
    """

    def __init__(self, articles: pl.DataFrame, lemmas: Callable[[str], list[str]]) -> None:
        self._texts = latest(articles).sort("article_id")["text"]
        self._lemmas = lemmas
        self._of = cache(lambda sentence: tuple(lemmas(sentence)))

    def fault(self, shape: Shape) -> str | None:
        return None if self.complete(shape) else "incomplete"

    def complete(self, shape: Shape) -> bool:
        """False when a sentence outside the evidence holds the shared end and the relation, and maybe another answer."""
        edge = shape.edges[0]
        given = self._lemmas(shape.given[0])
        wanted = {*given}
        if edge.row["tail_kind"] != "ROLE":
            wanted |= set(self._lemmas(edge.row["relation"])[:1])
        evidence = {self._of(e.row["sentence"]) for e in shape.edges}
        known = {word for name in (*shape.asked, *shape.given) for word in self._lemmas(name)}
        return not any(
            wanted <= set(words) and words not in evidence and self._names_another(sentence, known)
            for sentence, words in self._holding(given)
            if wanted
        )

    def _holding(self, given: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Sentences in which the given words may stand, with their lemmas."""
        holds = [pl.col("folded").str.contains(_stem(word), literal=True) for word in set(given)]
        for sentence in self._sentences.filter(*holds)["sentence"]:
            yield sentence, self._of(sentence)

    @cached_property
    def _sentences(self) -> pl.DataFrame:
        """Those with something like a name; no other adds an answer."""
        found = [match[0] for text in self._texts for match in SENTENCE.finditer(text)]
        named = [said for sentence in found if NAME.search(said := sentence.strip())]
        frame = pl.DataFrame({"sentence": named}, schema={"sentence": pl.String()})
        return frame.with_columns(folded=pl.Series([_fold(sentence) for sentence in named], dtype=pl.String()))

    def _any_known(self, name: str, known: set[str]) -> bool:
        return any(same_word(one, other) for one in self._lemmas(name) for other in known)

    def _names_another(self, sentence: str, known: set[str]) -> bool:
        """Whether something that looks like a name, none of the answers, stands in it."""
        return any(not self._any_known(match[0], known) for match in NAME.finditer(sentence))


def _stem(word: str) -> str:
    """What every form of a word begins with: the letters that two forms share (see `same_word`), of a short one all but the
    last."""
    return _fold(word)[: max(1, min(STEM, len(word) - 1))]


def _fold(text: str) -> str:
    return text.lower().replace("ё", "е")
