"""What a Russian question asks for that a reader could guess: a person, a country, a city."""

import re

from dragon_pipeline.core.screening.popularity import Wanted
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold

_PERSON = re.compile(r"(?:(?:за|к|ко|о|об|от|с|со|у|на|над|перед|для|против|из)\s)?(?:кто|кого|кому|кем|ком)\b|как зовут\b")
_PLACE = re.compile(r"\bкак(?:ая|ой|ую|ое|ом|ому|ого|их|ие|ими|им)\s(стран|город)(?:а|ы|е|у|ой|ах|ам|ом|ов)?\b")

COUNTRIES = 3
"""The news tell of some thirty countries, and a reader who hears of a quarrel with Ankara tries a dozen of them."""


def wanted(question: str) -> Wanted | None:
    """«Кто …», «Как зовут …»: a person; «какая страна», «в каком городе»: one of these; None for all else."""
    said = fold(question)
    if " занимал должность " in said:
        return None  # of these only little-known ones are asked for
    if _PERSON.match(said):
        return Wanted("PER", lambda name: " " in name)
    place = _PLACE.search(said)
    if place is None:
        return None
    noun = "страна" if place[1] == "стран" else "город"
    return Wanted("LOC", lambda name: place_noun(name) == noun, COUNTRIES if noun == "страна" else 1)
