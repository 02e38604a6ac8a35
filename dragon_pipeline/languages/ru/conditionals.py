"""Questions that ask for who fits two facts: a post and an act, or two acts."""

import re

from dragon_pipeline.languages.ru.hops import ADJECTIVE, WHICH
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.pointing import (
    adds,
    check_length,
    describes,
    is_famous,
    is_told,
    names_only_places,
    shares_a_name,
)
from dragon_pipeline.languages.ru.refusals import check_printable, check_two_things, form_of, refuse, refuse_known
from dragon_pipeline.languages.ru.stated import Fact
from dragon_pipeline.languages.ru.wordlists import words

TENSES = (("Past", "Past"), ("Pres", "Pres"), ("Past", "Pres"))
"""Tenses of two verb phrases that one question can join."""
VOWELS = "аеиоуыэюя"
ROLES = words("posts") | words("role_nouns")
OPENINGS = (
    "Однако",
    "Поэтому",
    "Пока ",
    "В общем",
    "Судя по",
    "Тем не менее",
    "Но ",
    "И ",
    "А ",
    "Кроме",
    "Также",
    "Это",
    "Так ",
)
"""How a quotation begins that goes on from one before."""
VAGUE_SEATS = ("мид", "мида", "страны", "региона", "города", "республики", "партии", "области", "москвичей", "хозяев", "гостей")
"""Ends of roles that only the text before tells the seat of: «глава МИД», «депутат Госсовета региона»."""
COUNCILS = ("Госсовета", "Госдумы", "Совета", "Думы", "Заксобрания")
QUOTATION = 14
"""Words of a quotation behind «который заявил: …»."""


def conditional(one: Fact, other: Fact) -> str:
    check_printable(one, other)
    if other.is_role:
        raise ValueError("two_roles")
    if is_famous(one.head):
        raise ValueError("everybody_guesses")
    if one.is_role:
        text = _role_and_act(one, other)
    else:
        text = _two_acts(one, other)
    refuse(check_length(text))
    return text


def _role_and_act(role: Fact, act: Fact) -> str:
    refuse_known(role)
    if act.words.get("tense") == "Fut":
        raise ValueError("future_description")
    form = form_of(role, act)
    said = act.phrase(form)
    _check_role(role.words)
    if _is_double(role.words["nominative"]):
        raise ValueError("two_roles")
    _check_quotation(said)
    refuse(describes(act.relation_verb, said) if role.words.get("plain") else adds(act.relation_verb, said))
    if role.words.get("plain") and not ADJECTIVE.match(role.words["nominative"]):
        raise ValueError("role_of_many")
    repeats = shares_a_name(role.words["nominative"], said)
    if repeats and not (is_told(said) and names_only_places(role.words["nominative"])):
        raise ValueError("one_name_twice")  # a minister may state something of his own country
    return f"Как зовут {role.words['accusative']}, {WHICH[form]} {said}"


def _check_role(said: dict) -> None:
    """Raises:
    ValueError: whose role it is only its article tells, or its accusative is no accusative.
    """
    nominative = said["nominative"]
    *between, last = nominative.split()[1:] or [""]
    told = any(word.endswith(("ского", "ской")) or (word[:1].isupper() and word not in COUNCILS) for word in between)
    if fold(last) in VAGUE_SEATS and not told:
        raise ValueError("role_tells_too_little")
    first = nominative.split()[0]
    if said["accusative"] == nominative and said["gender"] == "masc" and first[-1] not in VOWELS:
        raise ValueError("role_not_inflected")  # «Как зовут боевик …»


def _is_double(role: str) -> bool:
    """Two roles joined by «и», as against one of «экономики и знаний»."""
    _, joined, second = role.partition(" и ")
    return bool(joined) and any({fold(a.normal_form)} & ROLES and "nomn" in a.tag for w in second.split() for a in analyses(w))


def _check_quotation(said: str) -> None:
    """Raises:
    ValueError: a quotation is too long behind «который», or names nothing.
    """
    _, _, quotation = said.partition(": «")
    if quotation.startswith(OPENINGS):
        raise ValueError("quotation_goes_on")
    if quotation and (len(quotation.split()) > QUOTATION or not re.search(r" «?[A-ZА-ЯЁ]", quotation)):
        raise ValueError("long_quotation")


def _two_acts(one: Fact, other: Fact) -> str:
    if one.words["who"] != other.words["who"]:
        raise ValueError("two_question_words")
    if one.words["who"] == "Какая страна" and one.article_id != other.article_id:
        raise ValueError("arbitrary_pair")  # a country does a hundred things a day
    if ": «" in f"{one.any_phrase()} {other.any_phrase()}":
        raise ValueError("long_quotation")
    if fold(one.phrase("masc")) == fold(other.phrase("masc")):
        raise ValueError("one_phrase_twice")  # two articles that say the same, asked for its two ends
    if len(one.content() & other.content()) > 3:
        raise ValueError("one_thing_twice")  # «подвёл итоги сессии и принял участие в сессии»
    check_two_things(one, other)
    one, other = sorted((one, other), key=lambda fact: (_is_nested(fact), fact.is_over(), fact.words.get("tense") != "Past"))
    if (one.words.get("tense"), other.words.get("tense")) not in TENSES:
        raise ValueError("two_tenses")  # «уступает в рейтинге и сообщил»; «возглавил завод и считает» reads well
    _check_one_describes(one, other)
    return f"{one.ask_head()} и {other.phrase(other.words['who_form'])}"


def _check_one_describes(*facts: Fact) -> None:
    """Raises:
    ValueError: neither act tells who is meant, or one is not worth saying beside the other.
    """
    faults = [describes(fact.relation_verb, fact.phrase("masc")) for fact in facts]
    if all(faults):
        raise ValueError(faults[0])
    for fact, fault in zip(facts, faults, strict=True):
        if fault and is_told(fact.phrase("masc")):
            raise ValueError(fault)  # what many may have stated needs a post beside it
        if fault:
            refuse(adds(fact.relation_verb, fact.phrase("masc")))


def _is_nested(fact: Fact) -> bool:
    return ", " in fact.phrase("masc")
