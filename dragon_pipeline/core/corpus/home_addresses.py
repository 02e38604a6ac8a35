"""Where people live: addresses with a flat, or after words of residence. The street of an event stays."""

import re
from collections.abc import Iterator

_NAME = r"(?:\d{1,3}(?:-[а-я]{1,2})? (?:лет )?)?[А-ЯЁ][а-яё]{1,30}(?:-[А-ЯЁ]?[а-яё]{1,30}){0,2}(?: [А-ЯЁ][а-яё]{1,30}){0,2}"
_KIND = (
    r"(?:ул(?:\.|иц[аеуы]|ицей)|пр-?(?:к?т\.?)|просп(?:\.|ект(?:[аеу]|ом)?)|пер(?:\.|еул(?:ок|к[аеу]))|ш(?:\.|оссе)|б(?:-р|ульвар[аеу]?)"
    r"|наб(?:\.|ережн(?:ая|ой|ую))|пл(?:\.|ощад[ьи])|проезд[аеу]?|тупик[аеу]?|мкр\.?|микрорайон[аеу]?)"
)
_STREET = rf"(?P<street>\b{_KIND} ?{_NAME}|{_NAME} {_KIND}(?!\w))"
_PLACE = (
    rf"(?:\b(?:г(?:\.|ор\.|ород[аеу]?)|пос(?:\.|[её]л(?:ок|к[аеу]))|пгт\.?|р?п\.|с(?:\.|ел[оае])"
    rf"|дер(?:\.|евн[яеию])|д\.|ст(?:\.|аниц[аеуы])) ?{_NAME}"
    rf"|{_NAME} (?:обл(?:\.|аст[ьи])|кра[йяею]|район[аеу]?|р-н|округ[аеу]?))"
)
_NUMBER = r"\d{1,4}(?:[а-яА-Я](?!\w))?(?:[/-]\d{1,4}[а-я]?)?(?![\w-])"
_HOUSE = rf"(?P<house>\bд(?:\.|ом(?:[ае]|у|ом)?) ?(?:№ ?)?{_NUMBER})"
_PART = r"(?:\b(?:к(?:\.|орп(?:\.|ус[ае]?))|стр(?:\.|оени[еия])|подъезд[ае]?|литер\w?) ?(?:[А-Я](?!\w)|\d{1,3}[а-я]?(?!\w)))"
_FLAT = r"(?P<flat>\bкв(?:\.|артир(?:[аеуы]|ой)) ?(?:№ ?)?\d{1,4}(?![\w-]))"
_ANY = rf"(?:{_PLACE}|{_STREET}|{_HOUSE}|{_PART}|{_FLAT}|(?P<bare>(?<=, ){_NUMBER}))"
_COMPONENT = re.compile(_ANY)
_JOIN = re.compile(r",? ?(?:(?:по|на|в) )?")
_RESIDENCE = re.compile(
    r"(?i)\b(?:прожива(?:ет|ют|л\w?|ющ\w+)|прописан\w*|зарегистрирован\w* по|жи(?:в[её]т|л\w?) по|домашн\w+ адрес\w*"
    r"|жительства|адрес\w* регистрации)\b[^\n.;!?\d]{0,60}$"
)
_OF_A_FIRM = re.compile(r"(?i)\b(?:компани|фирм|организаци|предприяти|обществ|ооо\b|[оп]?ао\b|банк|юрлиц|юридическ|офис|сми\b)")
_CITY = re.compile(r"(?:адрес\w*|регистрации|жительства)\W{1,4}((?:[А-ЯЁ][а-яё-]{2,30}, ){1,2})$")
_SIGN = re.compile(
    r"[Кк]в(?:\.|артир\w{1,2}) ?(?:№ ?)?\d|рожива|рописан|регистрирован\w{0,3} по|и(?:в[её]т|л\w?) по"
    r"|омашн\w{1,3} адрес|жительства|регистрации"
)
"""Without one of these near it, no address is a home; first letters, which may be capitals, are left out."""
NEAR = 200
"""characters before and after a sign"""
MOST = 10
"""components of one address"""
BEFORE = 140
"""characters before an address in which words of residence are looked for"""


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where each home address starts and stops, in order.

    One that has a street, a house and a flat is somebody's home; without a flat, when words of residence stand before it and
    no firm does.
    """
    for low, high in _near_signs(text):
        at = low
        while (first := _COMPONENT.search(text, at)) and first.start() < high:
            start, stop, kinds = _whole(text, first)
            at = max(stop, first.start() + 1)
            window = text[max(0, start - BEFORE) : start].rpartition("]")[2]
            if {"street", "house"} <= kinds and ("flat" in kinds or _is_home(window)):
                city = _CITY.search(window)
                yield start - (len(window) - city.start(1) if city else 0), stop


def _near_signs(text: str) -> list[tuple[int, int]]:
    """The stretches in which homes are, apart from each other."""
    found: list[tuple[int, int]] = []
    for sign in _SIGN.finditer(text):
        low, high = text.rfind(" ", 0, max(0, sign.start() - NEAR)) + 1, sign.end() + NEAR
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _whole(text: str, first: re.Match[str]) -> tuple[int, int, set[str]]:
    """From one component to the last that is joined to it."""
    kinds, stop, found = set(_kinds(first)), first.end(), first
    for _ in range(MOST):
        join = _JOIN.match(text, stop)
        following = _COMPONENT.match(text, join.end()) if join else None
        if following is None or (following["bare"] and "street" not in _kinds(found)):
            break
        kinds |= _kinds(following)
        stop, found = following.end(), following
    return first.start(), stop, kinds


def _kinds(match: re.Match[str]) -> set[str]:
    found = {kind for kind in ("street", "house", "flat") if match[kind]}
    return found | ({"house"} if match["bare"] else set())


def _is_home(window: str) -> bool:
    return bool(_RESIDENCE.search(window)) and not _OF_A_FIRM.search(window)
