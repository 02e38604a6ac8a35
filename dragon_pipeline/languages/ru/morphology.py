"""Inflection with pymorphy's dictionary, as Natasha ships it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}
GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}


@lru_cache(maxsize=1)
def vocabulary() -> Any:
    """Natasha's MorphVocab, which is a pymorphy analyzer."""
    from natasha import MorphVocab

    return MorphVocab()


@lru_cache(maxsize=200_000)
def analyses(word: str) -> tuple[Any, ...]:
    """pymorphy's analyses, likeliest first; each has `tag` and `normal_form`."""
    return tuple(vocabulary().parse(word))


def _inflected(analysis: Any, grammemes: set[str]) -> str | None:
    """By pymorphy's own method: Natasha's override speaks Universal Dependencies."""
    from pymorphy2.analyzer import Parse

    form = Parse.inflect(analysis, grammemes)
    return None if form is None else form.word


def known(word: str) -> bool:
    return vocabulary().word_is_known(word.lower())


def inflect(word: str, *grammemes: str, pos: Sequence[str] = (), prefer: Sequence[str] = ()) -> str | None:
    """The word in the wanted form with its capitals kept, or None when the dictionary cannot say.

    Args:
        word: one word, any form.
        grammemes: OpenCorpora grammemes of the wanted form, such as `ablt`, `sing`.
        pos: acceptable parts of speech (`NOUN`, `ADJF`, …); any when empty.
        prefer: grammemes that the present form should have (its case, number, gender), to choose among homonyms.
    """
    choices = [a for a in analyses(word) if not pos or a.tag.POS in pos]
    choices.sort(key=lambda a: -sum(g in a.tag for g in prefer if g))
    for analysis in choices:
        form = _inflected(analysis, set(grammemes))
        if form is not None:
            return like(word, form)
    return None


def like(model: str, word: str) -> str:
    """`word` with the capitals of `model`."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return "-".join(
        part[:1].upper() + part[1:] if model_part[:1].isupper() else part
        for part, model_part in zip(word.split("-"), _parts(model, word), strict=True)
    )


def _parts(model: str, word: str) -> list[str]:
    parts = model.split("-")
    return parts if len(parts) == word.count("-") + 1 else [model] + [""] * word.count("-")
