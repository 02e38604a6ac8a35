"""Whether a set's answers are all that the window's texts give, not only all that was extracted."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, partial

import orjson
import polars as pl

from dragon_pipeline.core.knowledge.occurrence import STEM, same_word
from dragon_pipeline.core.questions.candidates import Shape
from dragon_pipeline.core.questions.graph import Edge, latest

NAME = re.compile(r"(?<!^)\b[A-ZА-ЯЁ][\w-]+ [A-ZА-ЯЁ][\w-]+|«[A-ZА-ЯЁ][^»]*»")
NEXT = re.compile(r"([\w-]+)»?(?= ([A-ZА-ЯЁ][\w-]+) ([A-ZА-ЯЁ][\w-]+))")
BETWEEN = 3
"""Words that may stand between a group and the name of one of it: «представителя Пентагона капитана Джеффа Дэвиса»."""
BREAK = re.compile(r"[,;:()—–]")
APPOSITION = re.compile(r"(.*[\w»]), ?([^\W\d_]{3,}[^,;:()—–]*)", re.DOTALL)
"""What stands before a comma, and what begins behind it with more than a short «а», «и»."""
FORMER = re.compile(r"\b(?:[Бб]ывш|[Ээ]кс-)")
SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


class Window:
    """The window's texts.

    Only a sentence that can add an answer is lemmatised: one with something like a name, in which every word of the set's
    given end stands in some form, that is, with its first letters (see `_stem`).
    """

    def __init__(
        self, articles: pl.DataFrame, lemmas: Callable[[str], list[str]], holders: Iterable[tuple[str, str]] = ()
    ) -> None:
        """`holders`: people whom the facts of the window know in some role, with the role; one of them is a member where the
        facts say so, or where all of an organisation are asked for and the role names it."""
        self._texts = latest(articles).sort("article_id")["text"]
        self._lemmas = lemmas
        self._of = cache(lambda sentence: tuple(lemmas(sentence)))
        self._holder_roles = tuple(holders)

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
        another = self._names_another
        if edge.apposition:
            group = self._lemmas(_group(edge))
            if not group and len(given) > 1:
                given = given[:-1]  # what all of an organisation are asked for is found under its shorter names: «МИД РФ»
            wanted, another = {*given, *group}, partial(self._names_next, [*group, *given], () if group else tuple(given))
        return not any(
            wanted <= set(words) and words not in evidence and another(sentence, known)
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
        named = [said for sentence in found if NAME.search(said := sentence.strip()) or NEXT.search(said)]
        frame = pl.DataFrame({"sentence": named}, schema={"sentence": pl.String()})
        return frame.with_columns(folded=pl.Series([_fold(sentence) for sentence in named], dtype=pl.String()))

    @cached_property
    def _holders(self) -> dict[str, list[tuple[list[str], str]]]:
        """Their names' lemmas with the role, by how the last one begins."""
        found: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for name, role in self._holder_roles:
            if words := self._lemmas(name):
                found[_stem(words[-1])].append((words, role))
        return found

    def _names_next(self, phrase: list[str], whole: tuple[str, ...], sentence: str, known: set[str]) -> bool:
        """Whether a name of somebody else, in office, stands right or a few words behind the phrase, with nothing that breaks
        off in between: «депутат Госдумы Иван Петров», «депутат Госдумы от Твери Иван Петров», «депутат Госдумы, врач Иван
        Петров»."""
        for match in NEXT.finditer(sentence):
            before = self._unbroken(sentence[: match.end(1)], phrase[-1])[-len(phrase) - 2 * BETWEEN :]
            past = FORMER.search(sentence, max(0, match.start() - 80), match.start())
            if phrase[-1] in before[-1 - BETWEEN :] and set(phrase) <= set(before) and not past:
                name = f"{match[2]} {match[3]}"
                if not (self._any_known(name, known) or self._is_holder(name, whole)):
                    return True
        return False

    def _unbroken(self, text: str, last: str) -> list[str]:
        """The lemmas of what stands behind the last break, and of what is before a comma that comes right behind the phrase."""
        behind = self._lemmas(BREAK.split(text)[-1])
        if (parts := APPOSITION.fullmatch(text)) and (before := self._lemmas(BREAK.split(parts[1])[-1]))[-1:] == [last]:
            return before + behind
        return behind

    def _is_holder(self, name: str, whole: tuple[str, ...]) -> bool:
        """Whether both words are of one who holds a role by the facts, none that names the whole that is asked for; a surname
        alone may be a namesake's."""
        words = self._lemmas(name)
        alike = [one for word in words for one in self._holders.get(_stem(word), ())]
        roles = {role for own, role in alike if all(any(same_word(word, part) for part in own) for word in words)}
        return bool(roles) and not any(whole and set(whole) <= set(self._of(role)) for role in roles)

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


def _group(edge: Edge) -> str:
    """Of an apposition: the word that must stand in a sentence which adds an answer; may be empty."""
    return str(orjson.loads(edge.row["wording"]).get("group", ""))
