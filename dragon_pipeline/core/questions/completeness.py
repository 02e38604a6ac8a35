"""Whether a set's answers are all that the window's texts give, not only all that was extracted."""

import re
from collections import defaultdict
from collections.abc import Callable

import polars as pl

from dragon_pipeline.core.questions.graph import latest
from dragon_pipeline.core.questions.shapes import Shape

SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


class Window:
    """The window's texts by lemma, lemmatised when first asked for."""

    def __init__(self, articles: pl.DataFrame, lemmas: Callable[[str], list[str]]) -> None:
        self._articles = latest(articles).select("article_id", "text").sort("article_id")
        self._lemmas = lemmas
        self._sentences: list[tuple[str, frozenset[str]]] = []
        self._at: dict[str, list[int]] = defaultdict(list)

    def complete(self, shape: Shape) -> bool:
        """False when a sentence outside the set's evidence holds the shared end and the relation, and may hold another answer."""
        self._index()
        edge = shape.edges[0]
        wanted = set(self._lemmas(shape.given[0]))
        if edge.row["tail_kind"] != "ROLE":
            wanted |= set(self._lemmas(edge.row["relation"])[:1])
        evidence = {self._key(e.row["sentence"]) for e in shape.edges}
        answers = [set(self._lemmas(name)[-1:]) for name in shape.asked]
        for i in self._holding(wanted):
            key, words = self._sentences[i]
            if key not in evidence and sum(answer <= words for answer in answers) == 0:
                return False
        return True

    def _holding(self, wanted: set[str]) -> set[int]:
        places = [set(self._at.get(word, ())) for word in wanted]
        return set.intersection(*places) if places else set()

    def _key(self, sentence: str) -> str:
        return " ".join(self._lemmas(sentence))

    def _index(self) -> None:
        if self._sentences:
            return
        for text in self._articles["text"]:
            for match in SENTENCE.finditer(text):
                words = self._lemmas(match[0])
                for word in set(words):
                    self._at[word].append(len(self._sentences))
                self._sentences.append((" ".join(words), frozenset(words)))
