"""What a person is called for short, so that a question can say «режиссёр, который …» instead of «человек, который …»."""

from collections.abc import Iterable
from functools import cache

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.pointing import lemmas
from dragon_pipeline.languages.ru.roles import Role
from dragon_pipeline.languages.ru.wordlists import lines, refused, words

GOVERNING = frozenset(("президент", "глава", "вице-президент", "руководитель", "председатель", "секретарь", "советник"))
"""Posts that make a politician of who holds them in a country."""
EXACT = frozenset(
    ("президент", "министр", "премьер-министр", "губернатор", "мэр", "депутат", "сенатор", "конгрессмен", "посол", "канцлер",
     "госсекретарь", "евродепутат", "омбудсмен")
)  # fmt: skip
"""Posts by which somebody is called as they are."""


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
    governs = role.well_known or role.of_country
    if role.noun in EXACT and (governs or role.noun not in GOVERNING):
        return role.noun
    if role.noun in GOVERNING and governs:
        return "политик"
    if role.noun in refused("callings"):
        return None
    if role.noun in _listed():
        return _listed()[role.noun]
    return role.noun if role.noun in words("role_nouns") else None


def called(own: tuple[str, str] | None, avoid: str) -> tuple[str, str]:
    """(noun, its gender): what somebody is called, or more generally, or «человек»: the first that `avoid` does not say."""
    said = {lemma for word in fold(avoid).split() for lemma in lemmas(word.strip(",.«»"))}
    general = ("политик" if own[0] in GOVERNING else _listed().get(own[0])) if own is not None else None
    for choice in (own, (general, _gender(general)) if general else None):
        if choice is not None and fold(choice[0]) not in said:
            return choice
    return "человек", "masc"


@cache
def _listed() -> dict[str, str]:
    pairs = (line.partition(" = ") for line in lines("callings") if " = " in line)
    return {noun: said for noun, _, said in pairs}


@cache
def _gender(noun: str) -> str:
    return next((a.tag.gender for a in analyses(noun) if a.tag.POS == "NOUN" and a.tag.gender), "masc")
