"""Questions over two facts that share somebody or something, who is described by one of them and asked about by the other."""

import re
from datetime import timedelta

from dragon_pipeline.languages.ru.callings import called
from dragon_pipeline.languages.ru.dates import in_month
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.pointing import ONCE, asks, check_length, describes, is_famous, is_known_to_all, shares_a_name
from dragon_pipeline.languages.ru.question_words import capital, place_described
from dragon_pipeline.languages.ru.refusals import check_printable, check_two_things, form_of, refuse, refuse_known
from dragon_pipeline.languages.ru.standing import is_unread
from dragon_pipeline.languages.ru.stated import HELD, Fact

WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
OF_WHICH = {"masc": "которого", "femn": "которой"}
WAS = {"masc": "был", "femn": "была"}
ADJECTIVE = re.compile(r"\w+(?:ий|ый|ой|ая|яя)\b(?! \w+(?:ий|ый|ой|ая|яя)$)")
"""«российский» of «российский лыжник»."""
YEAR = re.compile(r"\d{4}")
IN_GENITIVE = {"Россия": "России", "США": "США", "РФ": "РФ", "Соединённые Штаты": "США", "Российская Федерация": "РФ"}
"""Seats whose ministers are known, too."""
SAME_TIME = timedelta(days=31)
"""Between two articles that tell who is in office."""
HEADS = ("глав", "президент", "премьер", "канцлер", "корол", "лидер")
SUFFERED = ("уби", "погиб", "ранен", "задерж", "арест")
"""How verbs begin of what happens to many in one place."""
OF_LATE = 2010
"""Officeholders of whom the news tell as of today had their offices since then at the earliest."""
SHORT = 5
"""Words of a verb phrase that still reads well before a long description of its subject."""


def multi_hop(first: Fact, second: Fact, asked: str) -> str:
    check_printable(first, second)
    at = [(end, other) for end in (0, 1) for other in (0, 1) if first.ids[end] == second.ids[other]]
    at = [(end, other) for end, other in at if asked == (second.tail, second.head)[other]]
    if not at:
        raise ValueError("bridge_is_no_subject")
    if first.words["form"] == second.words["form"] == "clause":
        check_two_things(first, second)
    end, other = at[0]
    if other == 0 and end == 0:
        text = _tail_of(second, first)
    elif other == 1:
        text = _head_of(second, first, end)
    else:
        text = _tail_of_place(second, first)
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
            if fact.words["instrumental"].startswith(HEADS) and fact.words["noun"] == "страна":
                raise ValueError("everybody_guesses")  # «Главой какой страны был президент, который …»
            return f"{capital(fact.words['instrumental'])} {fact.words['which']} {WAS[form]} {said}"
        return f"Какую должность {HELD[form]} {said}" if fact.words["post"] else f"Кем является {said}"
    _check_tail(fact)
    if bridge.is_role:
        if not bridge.words["single"]:
            raise ValueError("role_of_many")
        if shares_a_name(bridge.words["nominative"], fact.phrase("masc", tail=False)):
            raise ValueError("one_name_twice")  # «Когда наставник «Маяка» возглавил «Маяк»»
        refuse_known(bridge)
        if fact.relation_verb in ONCE:
            raise ValueError("role_of_many")  # «Когда погиб президент Ливии»: which of them
        return fact.asked(fact.words["ask"], bridge.words["nominative"], form_of(bridge, fact))
    said, form = described(bridge, avoid=fact.phrase("masc"))
    if said.split(",")[0][:5] in fact.words["ask"]:
        raise ValueError("one_noun_twice")  # «Какую страну вынудила страна, которая …»
    rest = fact.phrase(form, tail=False)
    short = len(rest.split()) <= SHORT
    return f"{fact.words['ask']} {rest} {said}" if short else f"{fact.words['ask']} {said}, {rest}"


def _tail_of_place(fact: Fact, bridge: Fact) -> str:
    """Asks for the tail of a country or city that another fact describes: «В каком городе страна, министром экономики которой
    был Пётр Громов, подписала договор …»."""
    if fact.is_role or fact.is_office or fact.words["who"] not in ("Какая страна", "Какой город"):
        raise ValueError("bridge_is_no_subject")
    _check_tail(fact)
    _check_time(fact, bridge)
    noun, clause = _place(bridge, 1)
    if noun not in fact.words["who"]:
        raise ValueError("another_place")
    if noun[:5] in fact.words["ask"]:
        raise ValueError("one_noun_twice")
    rest = fact.phrase(fact.words["who_form"], tail=False)
    if len(rest.split()) <= SHORT:
        return f"{fact.words['ask']} {rest} {noun}{clause}"
    return f"{fact.words['ask']} {noun}{clause}, {rest}"


def _check_time(fact: Fact, bridge: Fact) -> None:
    """Raises:
    ValueError: an act of old beside an officeholder of today.
    """
    years = [int(year) for year in YEAR.findall(f"{fact.any_phrase()} {fact.tail}")]
    if bridge.is_office and years and min(years) < OF_LATE:
        raise ValueError("two_times")


def _check_tail(fact: Fact) -> None:
    """Raises:
    ValueError: its verb phrase asks for nothing in particular, or its tail is no answer.
    """
    if fact.words["ask"] is None:
        raise ValueError("tail_has_no_question_word")
    refuse(asks(fact.relation_verb, fact.phrase("masc", tail=False)))
    refuse(fact.open_question())
    if fact.words["ask"] == "Где":
        raise ValueError("where")
    if fact.words.get("tense") == "Fut":
        raise ValueError("future_question")
    if fact.words.get("thin") or fact.tail.startswith("участие"):
        raise ValueError("thin_question")  # «Что принял» of «принял участие»
    if _is_inflected(fact.tail):
        raise ValueError("inflected_answer")  # «Какую программу …» — «единого истребителя»


def _head_of(fact: Fact, bridge: Fact, end: int) -> str:
    """Asks who did something to the place, or has an office in the place, that another fact describes."""
    noun, clause = _place(bridge, end)
    if fact.is_office:
        return _holder_of(fact, bridge, noun, clause)
    _check_time(fact, bridge)
    rest = fact.phrase(fact.words["who_form"], tail=False)
    refuse(asks(fact.relation_verb, rest))
    if fact.relation_verb.startswith(SUFFERED):
        raise ValueError("vague_question")  # «Кто был убит в стране, которая …»: many were
    if len(rest.split()) > SHORT + 2:
        raise ValueError("long_question")
    if noun in fact.words["who"] or is_famous(fact.head):
        raise ValueError("one_noun_twice" if noun in fact.words["who"] else "everybody_guesses")
    if YEAR.search(rest) and YEAR.search(clause):
        raise ValueError("two_times")
    return f"{fact.words['who']} {rest} {place_described(fact.words['ask'], '')[2]}{clause}"


def _holder_of(fact: Fact, bridge: Fact, noun: str, clause: str) -> str:
    if noun != fact.words["noun"]:
        raise ValueError("another_place")
    if is_famous(fact.head):
        raise ValueError("everybody_guesses")
    if fact.published is None:
        raise ValueError("two_times")  # a country has many ministers over the years
    if bridge.is_office and (bridge.published is None or abs(fact.published - bridge.published) > SAME_TIME):
        raise ValueError("two_times")  # nobody tells that the two were in office together
    if is_known_to_all(f"{fact.words['nominative']} {IN_GENITIVE.get(fact.tail, fact.tail)}"):
        raise ValueError("role_known_to_all")
    return f"Кто {in_month(fact.published)} был {fact.words['instrumental']} {fact.words['of']}{clause}"


def _check_role(fact: Fact) -> None:
    """Raises:
    ValueError: as an answer it says too little («нападающий гостей») or what nobody reads.
    """
    said = fact.words["nominative"]
    vague = fact.is_role and fact.words.get("plain")  # «итальянский теннисист» tells next to nothing
    if vague or any(is_unread(word) for word in said.split()):
        raise ValueError("role_tells_too_little")


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
        if re.search(rf"\b{noun[:5]}", clause):
            raise ValueError("one_noun_twice")  # «страны, которая получила статус „страны-участницы“»
        return noun, f",{clause}"
    if fact.words.get("tense") != "Past":
        raise ValueError("future_description")
    rest = fact.phrase(fact.words["subject_form"], tail=False)
    refuse(describes(fact.relation_verb, rest))
    noun, clause, _ = place_described(fact.words["ask"] or "", f"{fact.words['subject']} {rest}")
    if noun == "город" and not clause.startswith((", в ", ", из ")):
        raise ValueError("another_place")  # «Киев», who ordered tanks, is no city
    return noun, clause


def _is_inflected(answer: str) -> bool:
    """A title whose first word is no nominative: it was said behind its class noun and inflected with it."""
    first = answer.strip("«»").split()[0]
    tags = [a.tag for a in analyses(first)] if known(first) else []
    return bool(tags) and tags[0].POS in ("ADJF", "PRTF") and not any("nomn" in tag for tag in tags)
