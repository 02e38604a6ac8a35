"""Whether a sentence of an article names what a triplet says of it."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.knowledge.occurrence import Lemmas, Word, is_same, stands, words

VALUES = ("YEAR", "DATE", "NUMBER")


class Evidence:
    """One article, and the names that were found in it."""

    def __init__(self, article: dict, mentions: Sequence[dict], lemmas: Lemmas) -> None:
        """
        Args:
            article: row of `articles`.
            mentions: its rows of `mentions`.
            lemmas: of the words and numbers of a text.
        """
        self._text, self._title, self._mentions, self._lemmas = article["text"], article["title"], mentions, lemmas
        self._sentences: dict[tuple[int, int], list[Word]] = {}

    def holds(self, name: str, kind: str, start: int, stop: int) -> bool:
        """Whether the sentence between two offsets names it.

        A value stands there as it is. Of any other, either a mention of the sentence has it as normal form, or its words stand
        there in order and close together. Of a person the surname is enough when the rest of the name stands with it in the
        text, in the title or in a mention's normal form, and the sentence itself gives the surname no other name.
        """
        sentence = self._text[start:stop]
        if kind in VALUES:
            return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None
        inside = [mention for mention in self._mentions if start <= mention["start"] and mention["stop"] <= stop]
        if fold(name) and fold(name) in {fold(mention["normal"]) for mention in inside}:
            return True
        said = words(name, self._lemmas)
        if (start, stop) not in self._sentences:
            self._sentences[start, stop] = words(sentence, self._lemmas, start)
        here = self._sentences[start, stop]
        if kind != "PER" or not said:
            return stands(said, here)
        return stands(said, here, _is_capital) or any(self._is_called(said, given) for given in _given(said[-1], here, inside))

    def _is_called(self, said: Sequence[Word], given: Sequence[Word]) -> bool:
        """Whether who is called `given` in a sentence may be the person."""
        lacking = [word for word in said if not any(_fits(word, other) for other in given)]
        others = [word for word in given if not any(_fits(other, word) for other in said)]
        agree = not lacking or all(any(_is_initial(word, other) for other in lacking) for word in others)
        return agree and (not lacking or any(stands(said, text, _is_capital) for text in self._elsewhere))

    @cached_property
    def _elsewhere(self) -> list[list[Word]]:
        """Where the article may give the full name."""
        people = sorted({mention["normal"] for mention in self._mentions if mention["kind"] == "PER"})
        return [words(text, self._lemmas) for text in (*people, self._title, self._text)]


def _given(surname: Word, here: Sequence[Word], inside: Sequence[dict]) -> Iterator[Sequence[Word]]:
    """Each name of the sentence that holds the surname: a mention, or the surname with the capital word before it."""
    for at, word in enumerate(here):
        if not is_same(surname, word):
            continue
        mention = _around(word, inside)
        if mention is not None and mention["kind"] == "PER":
            yield [other for other in here if mention["start"] <= other.start < mention["stop"]]
            continue
        before = here[at - 1] if at > 1 else None  # the first word of a sentence has a capital in any case
        given = before is not None and before.capital and before.part == word.part and _around(before, inside) is None
        yield here[at - given : at + 1]


def _around(word: Word, mentions: Sequence[dict]) -> dict | None:
    return next((mention for mention in mentions if mention["start"] <= word.start < mention["stop"]), None)


def _is_capital(word: Word) -> bool:
    return word.capital


def _fits(wanted: Word, written: Word) -> bool:
    """Whether a word of a name is there: «Сергей», or «С.» where «Сергей» is written."""
    return is_same(wanted, written) or _is_initial(wanted, written)


def _is_initial(one: Word, other: Word) -> bool:
    return len(one.form) == 1 and other.form.startswith(one.form)
