"""What is asked for: the gold answers of a question as words, and which other words an answer may hold for nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_bench.lexemes import is_number
from rag_bench.spans import kind_nouns, stopwords
from rag_bench.words import STEMS, Words, read_words


@dataclass(frozen=True)
class Wanted:
    """Make one with `want`; what only some measures need is found when it is first asked for."""

    answers: tuple[Words, ...]
    question: str
    way: str

    def shares_nothing_with(self, given: Words) -> bool:
        """Whether no word of an answer is one of the gold answers'."""
        return self.keys.isdisjoint(given.keys) and self.tokens.isdisjoint(given.tokens)

    def costs(self, token: str, key: str) -> bool:
        """Whether an answer that holds this word is taken to name something with it."""
        return token not in self._free_words and key not in self._free_nouns and key not in self._of_question

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(key for one in self.answers for key in one.keys)

    @cached_property
    def tokens(self) -> frozenset[str]:
        return frozenset(token for one in self.answers for token in one.tokens)

    @cached_property
    def longest_first(self) -> Sequence[Words]:
        """The answers; one that stands inside another after it."""
        return sorted(self.answers, key=lambda one: -len(one.keys))

    @cached_property
    def number(self) -> bool:
        """Whether there is a number in an answer."""
        return any(map(is_number, self.keys))

    @cached_property
    def name(self) -> bool:
        """Whether there is a capitalised word in an answer."""
        return any(any(one.names) for one in self.answers)

    @cached_property
    def named(self) -> bool:
        """Whether every answer is a name or holds a number, so that plain words beside it are no other answers."""
        return all(any(one.names) or any(map(is_number, one.keys)) for one in self.answers)

    @cached_property
    def _of_question(self) -> frozenset[str]:
        """Keys of the question's words; none when a gold answer stands in the question, for then other answers do so too."""
        asked = read_words(self.question, self.way)
        stated = any(asked.find(one) >= 0 for one in self.answers)
        return frozenset() if stated else frozenset(asked.keys) - self.keys

    @cached_property
    def _free_words(self) -> frozenset[str]:
        """Words that say nothing; none when an answer is one: «да», «нет»."""
        return frozenset() if any(stopwords().issuperset(one.tokens) for one in self.answers) else stopwords()

    @cached_property
    def _free_nouns(self) -> frozenset[str]:
        """Stems of nouns that say what kind of thing is named; none when one of them is in an answer: «губернатор»."""
        return kind_nouns() if self.keys.isdisjoint(kind_nouns()) else frozenset()


def want(answers: Sequence[str], question: str = "", way: str = STEMS) -> Wanted:
    """The gold answers of a question; without the question, none of its words are free."""
    return Wanted(tuple(read_words(answer, way) for answer in answers), question, way)
