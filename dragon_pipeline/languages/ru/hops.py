"""Questions over two facts that share somebody or something: who is described by one of them and asked about by the other, and
who fits both."""

import re

from dragon_pipeline.languages.ru.callings import called
from dragon_pipeline.languages.ru.dates import in_month
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.pointing import (
    adds,
    asks,
    check_length,
    describes,
    is_famous,
    is_known_to_all,
    shares_a_name,
)
from dragon_pipeline.languages.ru.question_words import capital, place_described
from dragon_pipeline.languages.ru.standing import is_unread
from dragon_pipeline.languages.ru.stated import HELD, Fact

WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
OF_WHICH = {"masc": "которого", "femn": "которой"}
WAS = {"masc": "был", "femn": "была"}
TENSES = (("Past", "Past"), ("Pres", "Pres"), ("Past", "Pres"))
"""Tenses of two verb phrases that one question can join."""
ADJECTIVE = re.compile(r"\w+(?:ий|ый|ой|ая|яя)\b(?! \w+(?:ий|ый|ой|ая|яя)$)")
"""«российский» of «российский лыжник»."""
YEAR = re.compile(r"\d{4}")
SHORT = 5
"""Words of a verb phrase that still reads well before a long description of its subject."""


def multi_hop(first: Fact, second: Fact, asked: str) -> str:
    at = [(end, other) for end in (0, 1) for other in (0, 1) if first.ids[end] == second.ids[other]]
    at = [(end, other) for end, other in at if asked == (second.tail, second.head)[other]]
    if not at:
        raise ValueError("bridge_is_no_subject")
    if first.words["form"] == second.words["form"] == "clause":
        _check_two_things(first, second)
    end, other = at[0]
    if other == 0 and end == 0:
        text = _tail_of(second, first)
    elif other == 1:
        text = _head_of(second, first, end)
    else:
        raise ValueError("bridge_is_no_subject")
    refuse(check_length(text))
    return text


def _tail_of(fact: Fact, bridge: Fact) -> str:
    """Asks for the tail of a subject that another fact describes: «С кем встретился политик, который …», but «В каком году
    тренер, который …, привёл сборную к победе»."""
    if fact.is_role or fact.is_office:
        if bridge.is_role:
            raise ValueError("two_roles")
        _check_role(fact)
        plain = fact.is_role and not fact.words["post"]  # the noun would be half of the answer
        said, form = described(bridge, avoid=fact.words["nominative"], plain=plain)
        if fact.is_office:
            return f"{capital(fact.words['instrumental'])} {fact.words['which']} {WAS[form]} {said}"
        return f"Какую должность {HELD[form]} {said}" if fact.words["post"] else f"Кем является {said}"
    if fact.words["ask"] is None:
        raise ValueError("tail_has_no_question_word")
    refuse(asks(fact.relation_verb, fact.phrase("masc", tail=False)))
    if fact.words.get("tense") == "Fut":
        raise ValueError("future_question")
    if fact.words.get("thin") or fact.tail.startswith("участие"):
        raise ValueError("thin_question")  # «Что принял» of «принял участие»
    if bridge.is_role:
        if not bridge.words["single"]:
            raise ValueError("role_of_many")
        _refuse_known(bridge)
        return fact.asked(fact.words["ask"], bridge.words["nominative"], bridge.words["gender"])
    said, form = described(bridge, avoid=fact.phrase("masc"))
    if said.split(",")[0][:5] in fact.words["ask"]:
        raise ValueError("one_noun_twice")  # «Какую страну вынудила страна, которая …»
    rest = fact.phrase(form, tail=False)
    short = len(rest.split()) <= SHORT
    return f"{fact.words['ask']} {rest} {said}" if short else f"{fact.words['ask']} {said}, {rest}"


def _head_of(fact: Fact, bridge: Fact, end: int) -> str:
    """Asks who did something to the place, or has an office in the place, that another fact describes."""
    noun, clause = _place(bridge, end)
    if fact.is_office:
        if noun != fact.words["noun"]:
            raise ValueError("another_place")
        if is_famous(fact.head):
            raise ValueError("everybody_guesses")
        if bridge.is_office and not fact.words["current"]:
            raise ValueError("two_times")  # an officeholder of old beside one of today
        if fact.published is None and YEAR.search(clause):
            raise ValueError("two_times")  # who was it then, or now?
        when = "" if fact.published is None else f" {in_month(fact.published)}"
        return f"Кто{when} был {fact.words['instrumental']} {fact.words['of']}{clause}"
    rest = fact.phrase(fact.words["who_form"], tail=False)
    refuse(asks(fact.relation_verb, rest))
    if len(rest.split()) > SHORT + 2:
        raise ValueError("long_question")
    if noun in fact.words["who"] or is_famous(fact.head):
        raise ValueError("one_noun_twice" if noun in fact.words["who"] else "everybody_guesses")
    if bridge.is_office and YEAR.search(rest):
        raise ValueError("two_times")
    return f"{fact.words['who']} {rest} {place_described(fact.words['ask'], '')[2]}{clause}"


def _is_nested(fact: Fact) -> bool:
    return ", " in fact.phrase("masc")


def _check_role(fact: Fact) -> None:
    """Raises:
    ValueError: as an answer it says too little («нападающий гостей») or what nobody reads.
    """
    said = fact.words["nominative"]
    vague = fact.is_role and fact.words.get("plain") and not ADJECTIVE.match(said)
    if vague or any(is_unread(word) for word in said.split()):
        raise ValueError("role_tells_too_little")


def conditional(one: Fact, other: Fact) -> str:
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
    _refuse_known(role)
    if act.words.get("tense") == "Fut":
        raise ValueError("future_description")
    said = act.phrase(role.words["gender"])
    if " и " in role.words["nominative"]:
        raise ValueError("two_roles")
    refuse(describes(act.relation_verb, said) if role.words.get("plain") else adds(act.relation_verb, said))
    if role.words.get("plain") and not ADJECTIVE.match(role.words["nominative"]):
        raise ValueError("role_of_many")
    if shares_a_name(role.words["nominative"], said):
        raise ValueError("one_name_twice")
    return f"Как зовут {role.words['accusative']}, {WHICH[role.words['gender']]} {said}"


def _two_acts(one: Fact, other: Fact) -> str:
    if one.words["who"] != other.words["who"]:
        raise ValueError("two_question_words")
    if fold(one.phrase("masc")) == fold(other.phrase("masc")):
        raise ValueError("one_phrase_twice")  # two articles that say the same, asked for its two ends
    if len(one.content() & other.content()) > 3:
        raise ValueError("one_thing_twice")  # «подвёл итоги сессии и принял участие в сессии»
    _check_two_things(one, other)
    one, other = sorted((one, other), key=lambda fact: (_is_nested(fact), fact.is_over(), fact.words.get("tense") != "Past"))
    if (one.words.get("tense"), other.words.get("tense")) not in TENSES:
        raise ValueError("two_tenses")  # «уступает в рейтинге и сообщил»; «возглавил завод и считает» reads well
    faults = [describes(fact.relation_verb, fact.phrase("masc")) for fact in (one, other)]
    if all(faults):
        raise ValueError(faults[0])
    for fact, fault in zip((one, other), faults, strict=True):
        if fault:
            refuse(adds(fact.relation_verb, fact.phrase("masc")))
    return f"{one.ask_head()} и {other.phrase(other.words['who_form'])}"


def described(fact: Fact, avoid: str = "", plain: bool = False) -> tuple[str, str]:
    """«режиссёр, который снял …», «компания, которая …», with the noun's gender.

    Args:
        avoid: what the question says besides; a noun that stands in it would be said twice, or give the answer away.
        plain: «человек» in any case.

    Raises:
        ValueError: the fact does not tell who is meant.
    """
    if fact.is_role or fact.is_office:
        raise ValueError("role_describes_nobody")
    if fact.words.get("tense") == "Fut":
        raise ValueError("future_description")  # «политик, который выступит на саммите, принял решение»
    refuse(describes(fact.relation_verb, fact.phrase("masc")))
    if fact.words["who"] == "Какая страна" and fact.words.get("tense") != "Past":
        raise ValueError("vague_description")  # «страна, которая экспортирует нефть», is one of many
    if fact.words["who"] != "Кто":
        noun, form = fact.words["who"].split(" ", 1)[1], fact.words["who_form"]
    else:
        known = fact.words.get("calling") and not plain
        own = (fact.words["calling"], fact.words["calling_form"]) if known else None
        if is_famous(fact.head) and (own is None or own[0] == "руководитель"):
            own = ("политик", "masc")
        noun, form = called(own, f"{avoid} {fact.phrase('masc')}")
    return f"{noun}, {WHICH[form]} {fact.phrase(form)}", form


def _place(fact: Fact, end: int) -> tuple[str, str]:
    """(«страна», «, которая …») of the country or city at this end."""
    if fact.is_role:
        raise ValueError("role_describes_nobody")
    if fact.is_office:
        if is_famous(fact.head):
            raise ValueError("everybody_guesses")
        noun = fact.words["noun"]
        form = "femn" if noun == "страна" else "masc"
        return noun, f", {fact.words['instrumental']} {OF_WHICH[form]} {WAS.get(fact.words['holder'], 'был')} {fact.head}"
    if end == 0:
        noun, _, clause = described(fact)[0].partition(",")
        return noun, f",{clause}"
    if fact.words.get("tense") != "Past":
        raise ValueError("future_description")
    rest = fact.phrase(fact.words["subject_form"], tail=False)
    refuse(describes(fact.relation_verb, rest))
    noun, clause, _ = place_described(fact.words["ask"] or "", f"{fact.words['subject']} {rest}")
    if noun == "город" and not clause.startswith((", в ", ", из ")):
        raise ValueError("another_place")  # «Киев», who ordered tanks, is no city
    return noun, clause


def _refuse_known(role: Fact) -> None:
    """Raises:
    ValueError: everybody knows who has this post.
    """
    if (role.words["well_known"] or is_famous(role.head)) and is_known_to_all(role.words["nominative"]):
        raise ValueError("role_known_to_all")


def _check_two_things(one: Fact, other: Fact) -> None:
    """Raises:
    ValueError: they name one thing twice («Когда политик, который высказался в Мюнхене-2007, выступил в Мюнхене»), or are
        said with one verb.
    """
    if shares_a_name(one.phrase("masc"), other.phrase("masc")) or one.relation_verb[:5] == other.relation_verb[:5]:
        raise ValueError("one_thing_twice")


def refuse(reason: str | None) -> None:
    if reason is not None:
        raise ValueError(reason)
