"""Comparing names by their lemmas: a name is held when its lemmas stand in the text, in order and without a gap."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

Lemmas = Callable[[str], list[str]]
"""A text's lemmas in order, lower case, ё as е (`languages.ru.lemmas.lemmas`)."""

_WORD = re.compile(r"\w")


@lru_cache(maxsize=8)
def words_only(lemmas: Lemmas) -> Lemmas:
    """The same lemmas without punctuation, remembered per text: names and articles come again and again. The screens of one
    language share one memory, because the same lemmas give the same function."""

    @lru_cache(maxsize=65_536)
    def remembered(text: str) -> tuple[str, ...]:
        return tuple(lemma.lower().replace("ё", "е") for lemma in lemmas(text) if _WORD.search(lemma))

    return lambda text: list(remembered(text))


def holds(text: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the lemmas of `name` stand in `text` one after the other; an empty name is nowhere."""
    size = len(name)
    if not size:
        return False
    first, whole = name[0], list(name)
    return any(text[start] == first and list(text[start : start + size]) == whole for start in range(len(text) - size + 1))
