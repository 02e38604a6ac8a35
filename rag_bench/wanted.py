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

    @cached_property
    def free(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """What an answer may hold and not be taken to name something with it: tokens of words that say nothing, keys of nouns
        that say what kind of thing is named, keys of the question's words."""
        words = frozenset() if any(stopwords().issuperset(one.tokens) for one in self.answers) else stopwords()  # «да», «нет»
        nouns = kind_nouns() if self.keys.isdisjoint(kind_nouns()) else frozenset()  # «губернатор»
        return words, nouns, self._of_question()

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(key for one in self.answers for key in one.keys)

    @cached_property
    def tokens(self) -> frozenset[str]:
        return frozenset(token for one in self.answers for token in one.tokens)

    @cached_property
    def length(self) -> int:
        """Words of all answers."""
        return sum(len(one.keys) for one in self.answers)

    @cached_property
    def shortest(self) -> int:
        """Words of the shortest answer that has any."""
        return min((len(one.keys) for one in self.answers if one.keys), default=1)

    @cached_property
    def longest_first(self) -> Sequence[Words]:
        """The answers; one that stands inside another after it."""
        return sorted(self.answers, key=lambda one: -len(one.keys))

    @cached_property
    def number(self) -> bool:
        """Whether there is a number in an answer."""
        return any(map(is_number, self.keys))

    @cached_property
    def offered(self) -> bool:
        """Whether a gold answer stands in the question, as in a comparison: then other answers do so too."""
        return any(self._asked.find(one) >= 0 for one in self.answers)

    @cached_property
    def name(self) -> bool:
        """Whether there is a capitalised word in an answer."""
        return bool(self.name_words)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Keys and tokens of the capitalised words of the answers."""
        words = (zip(one.keys, one.tokens, one.names, strict=True) for one in self.answers)
        return frozenset(word for every in words for key, token, name in every if name for word in (key, token))

    @cached_property
    def named(self) -> int:
        """How many words of the answers are names or numbers; 0 when one has none, for then any word may be another answer."""
        counts = [sum(name or is_number(key) for key, name in zip(one.keys, one.names, strict=True)) for one in self.answers]
        return sum(counts) if all(counts) else 0

    def _of_question(self) -> frozenset[str]:
        return frozenset() if self.offered else frozenset(self._asked.keys) - self.keys

    @cached_property
    def _asked(self) -> Words:
        return read_words(self.question, self.way)


def want(answers: Sequence[str], question: str = "", way: str = STEMS) -> Wanted:
    """The gold answers of a question; without the question, none of its words are free."""
    return Wanted(tuple(read_words(answer, way) for answer in answers), question, way)
