"""Which roles a question may ask for by themselves: little-known posts of named organisations, and who founded what."""

from collections.abc import Sequence

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.parsing import Sentence
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.wordlists import lines, refused, words

FOUNDERS = frozenset(("основатель", "основательница", "создатель", "создательница"))
"""Roles that nobody loses."""
SHORTEST = 3
"""Words of a role that tells enough: «директор фонда» of which, nobody knows."""


def is_asked(sentence: Sentence, noun: int, indices: Sequence[int]) -> bool:
    """Whether the role can be asked for without a second fact: a post of a named organisation of which not everybody knows
    who heads it, one phrase with nothing behind it that is another role («… и эксперт по безопасности», «… генерал-майор»)."""
    tokens = [sentence.tokens[i] for i in indices]
    lemmas = {folded(t) for t in tokens} | {fold(t.text) for t in tokens}
    if len(indices) < SHORTEST or lemmas & refused("asked_organisations") or _another(sentence, noun, indices):
        return False
    if any(_is_bare(sentence, t.i) for t in tokens if folded(t) in words("asked_organisations")):
        return False
    return folded(sentence.tokens[noun]) in FOUNDERS or bool(lemmas & words("asked_organisations"))


def _is_bare(sentence: Sentence, i: int) -> bool:
    """«главы представительства фонда»: of which fund, only the article says."""
    told = ("amod", "nmod", "appos", "flat:name", "compound")
    return sentence.name_at(i) is None and not any(sentence.tokens[c].rel in told for c in sentence.children[i])


def _another(sentence: Sentence, noun: int, indices: Sequence[int]) -> bool:
    """Whether a second person is in the phrase: behind an «и», or as a rank at the end."""
    behind = [sentence.tokens[i] for i in indices if i > noun and sentence.name_at(i) is None]
    return any(t.pos == "NOUN" and t.feats.get("Animacy") == "Anim" and t.feats.get("Number") != "Plur" for t in behind)


def gender_of(given: str) -> str | None:
    """`masc` or `femn` of a given name that the dictionary knows; None when it does not, or knows both."""
    genders = {a.tag.gender for a in analyses(given) if "Name" in a.tag and "nomn" in a.tag and a.tag.gender}
    return genders.pop() if len(genders) == 1 else None


def is_public(person: str) -> bool:
    """Whether everybody knows of somebody."""
    return fold(person.rsplit(" ", 1)[-1]) in words("famous") or fold(person) in lines("public_people")


def is_rare(person: str) -> bool:
    """Whether a name points at one person by itself: the dictionary has not both a given name and a surname like it. «Генерал
    Дуглас» is no name at all."""
    given, surname = person.split()[0], person.rsplit(" ", 1)[-1]
    if any(a.tag.POS == "NOUN" and "anim" in a.tag and "Name" not in a.tag for a in analyses(given)[:1] if known(given)):
        return False
    return not known(surname) or not any("Name" in a.tag and "nomn" in a.tag for a in analyses(given) if known(given))
