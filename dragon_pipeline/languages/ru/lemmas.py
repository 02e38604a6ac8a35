"""Lemmas for comparing: lower case, ё as е."""

import re
from functools import lru_cache

import snowballstemmer

from dragon_pipeline.languages.ru.morphology import analyses

SNOWBALL = snowballstemmer.stemmer("russian").stemWord
WORD = re.compile(r"\w+(?:-\w+)*")


@lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The dictionary form of one word; of a number or an unknown word, itself.

    Of a word that may be an adjective or its noun, the adjective's: «главного» would else be «главное», «главный» not.
    """
    word = word.lower()
    found = analyses(word)
    if not found:
        return fold(word)
    likeliest = found[0]
    if likeliest.tag.POS == "NOUN":
        stem = likeliest.normal_form[:-2]
        likeliest = next((one for one in found if one.tag.POS == "ADJF" and one.normal_form[:-2] == stem), likeliest)
    return fold(likeliest.normal_form)


def lemmas(text: str) -> list[str]:
    """Lemmas of the words and numbers of a text, in order; punctuation is left out."""
    return [lemma(word) for word in WORD.findall(text)]


def key(text: str) -> str:
    """The lemmas joined by a space: equal for a name in any case and number of capitals."""
    return " ".join(lemmas(text))


def fold(text: str) -> str:
    return text.lower().replace("ё", "е")


def forms(word: str) -> frozenset[str]:
    """Every dictionary form that a word may be of, itself, and its stem, as dictionaries know few foreign surnames: any two
    cases of one word have a form in common. «Седова» is of «Седова» and of «Седов»."""
    word = word.lower()
    return frozenset({fold(word), SNOWBALL(fold(word)), *(fold(one.normal_form) for one in analyses(word))})
