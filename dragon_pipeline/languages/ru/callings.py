"""What a person is called for short, so that a question can say «режиссёр, который …» instead of «человек, который …»."""

from collections.abc import Iterable
from functools import cache

from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.roles import Role
from dragon_pipeline.languages.ru.wordlists import lines, refused, words

GOVERNING = frozenset(("президент", "глава", "вице-президент", "руководитель", "председатель", "секретарь", "советник"))
"""Posts that make a politician of who holds them in a country."""


def callings(roles: Iterable[Role]) -> dict[int, tuple[str, str]]:
    """Start offset of a person's name → (noun, its gender) of the role that stands there; only where the noun tells enough."""
    found = {}
    for role in roles:
        noun = calling(role)
        if noun is not None:
            found[role.person.start] = (noun, _gender(noun))
    return found


def calling(role: Role) -> str | None:
    """«тренер» of «главный тренер „Зенита“», «политик» of «министр обороны Франции»; None when the role tells too little."""
    if role.noun in GOVERNING and (role.well_known or role.of_country):
        return "политик"
    if role.noun in refused("callings"):
        return None
    if role.noun in _listed():
        return _listed()[role.noun]
    return role.noun if role.noun in words("role_nouns") else None


@cache
def _listed() -> dict[str, str]:
    pairs = (line.partition(" = ") for line in lines("callings") if " = " in line)
    return {noun: said for noun, _, said in pairs}


@cache
def _gender(noun: str) -> str:
    return next((a.tag.gender for a in analyses(noun) if a.tag.POS == "NOUN" and a.tag.gender), "masc")
