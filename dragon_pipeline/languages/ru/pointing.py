"""Whether a verb phrase points at one somebody, so that «…, который …» tells who is meant."""

import re
from dataclasses import dataclass
from functools import cache

from dragon_pipeline.languages.ru.gazetteer import place_names
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.wordlists import lines, words

LONGEST = 12
"""Words of a verb phrase behind «который»."""
STATED = 15
"""Words of a statement that describes who made it."""
QUESTION, TOLD = 22, 25
"""Words of a question, and of one with a statement in it."""
QUOTING = ("назвать", "называть", "сравнить", "сравнивать", "охарактеризовать")
ACCUSING = ("обвинить", "обвинять")
"""Verbs that tell one from another when they quote."""
REPORTING = (
    "заявить",
    "сообщить",
    "рассказать",
    "предупредить",
    "пообещать",
    "подтвердить",
    "признать",
    "признаться",
    "напомнить",
    "уточнить",
)
"""Verbs before «что» of what somebody reports, as against what somebody thinks."""
ONCE = ("родиться", "умереть", "скончаться", "погибнуть")
"""What happens to everybody, once."""
NAMED = 2
"""Names in it, titles in quotes not counted."""
FEW, SOME = 4, 5
"""Content words with which names that are in every second news point at something."""

_TITLE = re.compile(r"«[^«»]*»")
_DAY = re.compile(r"\b\d{1,2} [а-я]+ \d{4} года\b")
_SOMEBODY = re.compile(r"[сц]к(?:ого|ому|им|ом|ий) (?:лидер|президент|министр|премьер|коллег)")
_YEAR = re.compile(r"\b\d{4}\b")
_WORD = re.compile(r"[^\W_]+(?:[-–'’][^\W_]+)*")
_NAME = re.compile(r"[A-ZА-ЯЁ][\w’'-]*(?: [A-ZА-ЯЁ][\w’'-]*)*")


@dataclass(frozen=True)
class Pointers:
    """What a verb phrase names."""

    titles: int
    """in quotes"""
    names: tuple[str, ...]
    """that are not in every second news"""
    everywhere: tuple[str, ...]
    """countries, cities, and what else is in every second news"""
    number: bool
    """one that is no date"""
    day: bool
    year: bool
    content: int
    """longer words"""
    loose: bool
    """an event that happens every day, of no year"""


@cache
def pointers(phrase: str) -> Pointers:
    plain = _TITLE.sub("«»", phrase)
    undated = _YEAR.sub("", _DAY.sub("", plain))
    found = [name for name in _NAME.findall(undated) if len(name) > 1]
    common = tuple(name for name in found if all(is_everywhere(word) for word in name.split()))
    said = [fold(word) for word in _WORD.findall(plain)]
    dated = bool(_YEAR.search(plain))
    return Pointers(
        titles=phrase.count("«"),
        names=tuple(name for name in found if name not in common),
        everywhere=common,
        number=bool(re.search(r"\d", undated)),
        day=bool(_DAY.search(plain)),
        year=dated,
        content=sum(len(word) > 3 for word in said),
        loose=(not dated and "«" not in phrase and any(lemmas(word) & words("loose_events") for word in said))
        or _SOMEBODY.search(plain) is not None,
    )


def describes(verb: str, phrase: str) -> str | None:
    """Why the phrase behind «который» does not tell who is meant; None when it does.

    Args:
        verb: its lemma.
        phrase: the verb phrase, in any of its forms.
    """
    told = pointers(phrase)
    if ", что " in phrase and verb in REPORTING:
        return None if _is_specific(phrase.partition(", что ")[2]) else "statement_describes_nobody"
    if is_statement(verb, phrase):
        return "statement_describes_nobody"
    if verb in words("game_verbs"):
        return "game_describes_nobody"
    if ", " in phrase:
        return "nested_description"
    if len(_WORD.findall(phrase)) > LONGEST or len(told.names) + len(told.everywhere) > NAMED + 1 or len(told.names) > NAMED:
        return "long_description"
    if told.loose:
        return "loose_event"
    if verb in words("common_acts") and not (told.titles or (told.names and (told.day or told.year or told.number))):
        return "common_act"  # «приехал в штаб-квартиру НАСА»: of many days and people
    if told.titles or told.names:
        return None
    places = len(set(told.everywhere))
    enough = (places > 1 and told.content >= SOME) or (
        places and (((told.day or told.number) and told.content >= FEW) or (told.year and told.content >= SOME))
    )
    return None if enough else "vague_description"


def _is_specific(statement: str) -> bool:
    """Whether nobody else will have stated it: it names a figure or a title, and a place or somebody."""
    told = pointers(statement)
    words_in_it = len(_WORD.findall(statement))
    named = (told.titles or told.number or told.year) and (told.names or told.everywhere)
    return bool(named) and not _SOMEBODY.search(statement) and told.content >= SOME and words_in_it <= STATED


def asks(verb: str, phrase: str) -> str | None:
    """Why a verb phrase without its answer asks for nothing in particular; None when it does."""
    told = pointers(phrase)
    if told.loose:
        return "loose_event"
    if len(told.names) > NAMED:
        return "long_question"
    named = told.titles or told.names or told.everywhere or told.number or told.day or told.year
    if not named and told.content < SOME and verb not in ONCE:
        return "vague_question"
    return "nested_question" if ", " in phrase else None


def adds(verb: str, phrase: str) -> str | None:
    """Why a verb phrase says nothing worth saying of somebody whose post is told; None when it does."""
    states = is_told(phrase)
    told = pointers(phrase.partition(", что ")[2] if ", что " in phrase else phrase)
    if told.loose and (not states or _SOMEBODY.search(phrase)):
        return "loose_event"
    if verb in words("game_verbs"):
        return "game_describes_nobody"
    if verb in QUOTING and "«" not in phrase:
        return "statement_describes_nobody"
    if verb in ("оценить", "оценивать"):
        return "statement_describes_nobody"  # «оценил маршрут 15 дней»
    named = told.titles or told.number or told.names
    if states and verb not in REPORTING and not (named or (told.everywhere and told.content > SOME)):
        return "opinion_describes_nobody"
    known = told.titles or told.names or told.number or told.day
    return None if known or (told.everywhere and told.content >= FEW) else "vague_description"


def is_told(phrase: str) -> bool:
    """Whether it tells word for word what somebody stated."""
    return ", что " in phrase or ": «" in phrase


def check_length(question: str) -> str | None:
    """Why a question is not read to its end; None when it is."""
    return "long_question" if len(_WORD.findall(question)) > (TOLD if is_told(question) else QUESTION) else None


def is_statement(verb: str, phrase: str) -> bool:
    """Whether it tells what somebody said or thought, which others said and thought too."""
    if (verb in QUOTING or verb in ACCUSING) and "«" in phrase:
        return False
    return ", что " in phrase or any(verb in words(kind) for kind in ("speech_verbs", "reporting_verbs", "stating_verbs"))


def is_famous(person: str) -> bool:
    """Somebody whom a reader guesses at any question of politics."""
    return fold(person).rsplit(" ", 1)[-1] in words("famous")


def is_known_to_all(post: str) -> bool:
    """Whether a reader knows who has one of the highest offices: of a great country, or of no country that is named."""
    seats = [seat for seat in lines("great_seats") if f" {seat} " in f"{fold(post)} "]
    if post.startswith(("министр", "глава МИД", "глава Мин", "глава мин")) and seats:
        return any(seat in ("россии", "рф", "сша", "российской федерации") for seat in seats)
    return bool(seats) or not _NAME.search(post) or "российск" in post or "американск" in post


def is_post_of_the_news(post: str) -> bool:
    """Whether everybody knows who has this post, of whatever rank: a spokesman of the evening news."""
    return f"{fold(post)} ".startswith(tuple(f"{said} " for said in lines("known_posts")))


def is_everywhere(word: str) -> bool:
    return bool(lemmas(fold(word)) & (words("everywhere") | _places()))


def shares_a_name(one: str, other: str) -> bool:
    """Whether a word with a capital stands in both, in whatever case."""
    first, second = (
        {word[:5].lower() for name in _NAME.findall(text) for word in name.split() if len(word) > 1} for text in (one, other)
    )
    return bool(first & second)


def names_only_places(text: str) -> bool:
    return all(is_everywhere(word) for name in _NAME.findall(text) for word in name.split())


@cache
def lemmas(word: str) -> frozenset[str]:
    return frozenset((word, *(fold(a.normal_form) for a in analyses(word))))


@cache
def _places() -> frozenset[str]:
    """Every word of the names of countries and cities, as listed and as a dictionary form."""
    parts = {part for name in place_names() for part in re.split(r"[\s]", name) if len(part) > 2}
    return frozenset(form for part in parts for form in lemmas(part))
