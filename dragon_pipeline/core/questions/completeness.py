"""Whether a set's answers are all that the window's texts give, not only all that was extracted."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import polars as pl

from dragon_pipeline.core.knowledge.occurrence import same_word
from dragon_pipeline.core.questions.graph import latest
from dragon_pipeline.core.questions.shapes import Shape

NAME = re.compile(r"(?<!^)\b[A-ZА-ЯЁ][\w-]+ [A-ZА-ЯЁ][\w-]+|«[A-ZА-ЯЁ][^»]*»")
NEXT = re.compile(r"([\w-]+)»?(?= ([A-ZА-ЯЁ][\w-]+) ([A-ZА-ЯЁ][\w-]+))")
FORMER = re.compile(r"\b(?:[Бб]ывш|[Ээ]кс-)")
SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


@dataclass(frozen=True)
class _Sentence:
    text: str
    key: str


class Window:
    """The window's texts by lemma, lemmatised when first asked for."""

    def __init__(self, articles: pl.DataFrame, lemmas: Callable[[str], list[str]], holders: Iterable[str] = ()) -> None:
        """`holders`: people whom the facts of the window know in some role; one of them is a member where the facts say so."""
        self._articles = latest(articles).select("article_id", "text").sort("article_id")
        self._lemmas = lemmas
        self._holders = {word for name in holders for word in lemmas(name)[-1:]}
        self._sentences: list[_Sentence] = []
        self._at: dict[str, list[int]] = defaultdict(list)

    def complete(self, shape: Shape) -> bool:
        """False when a sentence outside the evidence holds the shared end and the relation, and maybe another answer."""
        self._index()
        edge = shape.edges[0]
        wanted = set(self._lemmas(shape.given[0]))
        if edge.row["tail_kind"] != "ROLE":
            wanted |= set(self._lemmas(edge.row["relation"])[:1])
        evidence = {self._key(e.row["sentence"]) for e in shape.edges}
        known = {word for name in (*shape.asked, *shape.given) for word in self._lemmas(name)}
        another = self._names_another
        if edge.apposition:
            given = self._lemmas(shape.given[0])
            group = self._lemmas(edge.group)
            wanted, another = {*given, *group}, partial(self._names_next, [*group, *given])
        return not any(
            self._sentences[i].key not in evidence and another(self._sentences[i].text, known) for i in self._holding(wanted)
        )

    def _names_next(self, phrase: list[str], sentence: str, known: set[str]) -> bool:
        """Whether a name of somebody else, in office, stands right behind the phrase: «депутат Госдумы Иван Петров»."""
        for match in NEXT.finditer(sentence):
            before = self._lemmas(sentence[: match.end(1)])[-len(phrase) :]
            past = FORMER.search(sentence, max(0, match.start() - 80), match.start())
            if before[-1:] == phrase[-1:] and set(phrase) <= set(before) and not past:
                if not self._any_known(f"{match[2]} {match[3]}", known | self._holders):
                    return True
        return False

    def _any_known(self, name: str, known: set[str]) -> bool:
        return any(same_word(one, other) for one in self._lemmas(name) for other in known)

    def _names_another(self, sentence: str, known: set[str]) -> bool:
        """Whether something that looks like a name, none of the answers, stands in it."""
        return any(not self._any_known(match[0], known) for match in NAME.finditer(sentence))

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
                self._sentences.append(_Sentence(match[0].strip(), " ".join(words)))
