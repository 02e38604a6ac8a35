"""What a Russian question leaves without its time: an occasion, a future, a visit of which there are many.

A question is tokens, titles and quotations taken out (see standalone.py). A year anywhere in it answers for all of it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import yaml

from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.judging import is_question_word
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses

YEAR = re.compile(r"(?:19|20)\d\d")
QUOTED = "«"
LONGEST = 7
"""Words behind a noun in which a name may tell which one it is."""
PROPER = re.compile(r"[сц]к(?:ий|ого|ому|им|ом|ая|ой|ую|ое|ие|их|ими)$")
"""How adjectives of places end: «московский»."""


def undated(tokens: Sequence[str]) -> str | None:
    """`no_referent`: a word that joins the sentence to the one before («также»), or somebody who is only described
    («американского лидера»); `occasion`: one of which only the article knows which («в ходе визита»); `future` and
    `any_time`: what is still to come, or happens often («встретился с …»), without a year."""
    said = _main(tokens)
    joined = next((fold(t) for before, t in pairwise(said) if fold(t) in _words("joining") and not _same(before)), None)
    if joined is not None:
        return f"no_referent: {joined}"
    if (person := described_person(tokens)) and "должность" not in said:
        return f"no_referent: {person}"
    if any(YEAR.match(token) for token in tokens):
        return None
    if _asks_when(tokens):
        return next((f"future: {fold(token)}" for token in said if fold(token) in ("будет", "будут")), None)
    joined = next((fold(t) for t in said[1:] if fold(t) in _words("so_far")), None)
    if joined:
        return f"any_time: {joined}"
    return occasion(tokens) or future(said) or often(said) or counted(said) or contest(said) or anybodys(tokens, said)


def occasion(tokens: Sequence[str]) -> str | None:
    """«во время кризиса», «на турнире»: a single event behind a preposition, with nothing beside it that names it."""
    for place, token in enumerate(tokens):
        forms = [form for form in analyses(fold(token)) if form.tag.POS == "NOUN"] if token[:1].islower() else []
        if not {fold(form.normal_form) for form in forms} & _words("occasions") or not _in_the_course(tokens, place):
            continue
        if not _named(tokens, place):
            return f"occasion: {fold(token)}"
    return None


def future(tokens: Sequence[str]) -> str | None:
    """«проведут встречу»: a verb that can only be a future."""
    for place, token in enumerate(tokens):
        if not token[:1].islower() or fold(token) in _words("no_future"):
            continue
        forms = analyses(fold(token))
        if forms and all(form.tag.POS == "VERB" and form.tag.tense == "futr" for form in forms):
            return f"future: {fold(token)}"
        upcoming = {fold(form.normal_form) for form in forms} & _words("upcoming")
        following = analyses(fold(tokens[place + 1])) if place + 1 < len(tokens) else ()
        if following and following[0].tag.POS == "ADJF" and place + 2 < len(tokens):  # «новым генеральным секретарём»
            following = analyses(fold(tokens[place + 2]))
        nouns = [form for form in following if form.tag.POS == "NOUN"]
        if upcoming == {"новый"}:  # «стал новым главой партии», but «новая коллекция»
            nouns = [form for form in nouns if fold(form.normal_form) in _words("persons") or "anim" in form.tag]
        if upcoming and nouns:
            return f"future: {fold(token)}"
    return None


def often(tokens: Sequence[str]) -> str | None:
    """«встретился», «посетил», «принял участие»: what somebody does time and again; two such things tell who it was."""
    lemmas = [_verbs(token) if token[:1].islower() else set() for token in tokens]
    if sum(map(bool, lemmas)) > 1 and not any(fold(token).startswith("котор") for token in tokens):
        return None
    for place, found in enumerate(lemmas):
        if found & _words("often"):
            return f"any_time: {fold(tokens[place])}"
        following = {fold(form.normal_form) for token in tokens[place + 1 : place + 4] for form in analyses(fold(token))}
        if found & _words("holding") and following & _words("held"):
            return f"any_time: {fold(tokens[place])}"
    return None


def counted(tokens: Sequence[str]) -> str | None:
    """«через пять месяцев»: after what?"""
    for place, token in enumerate(tokens):
        following = {fold(form.normal_form) for word in tokens[place + 1 : place + 4] for form in analyses(fold(word))}
        if fold(token) in _words("counted") and following & _words("stretches"):
            return f"any_time: {fold(token)}"
    return None


def contest(tokens: Sequence[str]) -> str | None:
    """«выиграл этап Гран-при»: of which season?"""
    if " ".join(map(fold, tokens[:3])).startswith("в каком году"):
        return None
    for place, token in enumerate(tokens):
        found = {fold(form.normal_form) for form in analyses(fold(token)) if form.tag.POS == "NOUN"} & _words("contests")
        if found and not any(fold(word).startswith("как") for word in tokens[max(place - 2, 0) : place]):
            return f"any_time: {fold(token)}"
    return None


def anybodys(tokens: Sequence[str], said: Sequence[str]) -> str | None:
    """«Кто заявил, что россиян ждут слабые дожди?»: words that name nothing may be anybody's."""
    rest = tokens[len(said) + 2 :]
    if not rest or any(token[0].isupper() or token[0].isdigit() or token == QUOTED for token in rest):
        return None
    return "any_time: что"


def described_person(tokens: Sequence[str]) -> str | None:
    """«американского лидера»: one person in a role, with no name and nothing named behind it; not what somebody became."""
    for place, token in enumerate(tokens):
        found = analyses(fold(token)) if token[:1].islower() else ()
        forms = [form for form in found if form.tag.POS == "NOUN"] if found and found[0].tag.POS == "NOUN" else []
        if not place or fold(token) == "после" or not {fold(form.normal_form) for form in forms} & _words("persons"):
            continue
        single = all("sing" in form.tag for form in forms)
        became = any(grammar_rules.case(form) == "ablt" for form in forms)
        rest = tokens[place + 1 :]
        clause = rest[:1] == [","] and any(is_question_word(word) for word in rest[1:4])
        before = [fold(word) for word in tokens[max(place - 3, 0) : place]]
        asked = any(word.startswith(("как", "котор", "чь")) for word in before) or any(map(is_question_word, rest[:3]))
        if single and not became and not clause and not asked and not _name_follows(rest):
            return fold(token)
    return None


def _same(token: str) -> bool:
    """«такой», «тот» before «же»: likeness, which another rule judges."""
    return fold(token).startswith(("таки", "тако", "така", "тот", "то", "та", "те", "ту"))


def _asks_when(tokens: Sequence[str]) -> bool:
    opening = " ".join(fold(token) for token in tokens[:3])
    return opening.startswith(("когда ", "в каком году")) and not any(fold(token).startswith("котор") for token in tokens)


def _main(tokens: Sequence[str]) -> list[str]:
    """Without what is said in «…, что …»: that was true when it was said."""
    for place in range(len(tokens) - 1):
        if tokens[place] == "," and fold(tokens[place + 1]) in ("что", "чтобы"):
            return list(tokens[:place])
    return list(tokens)


def _in_the_course(tokens: Sequence[str], place: int) -> bool:
    """Whether a preposition of time or place leads to the noun, over its adjectives: «в ходе официального визита»."""
    for at in range(place - 1, max(place - 5, -1), -1):
        word = fold(tokens[at])
        if word in _words("leading"):
            return True
        if is_question_word(tokens[at]) or not any(form.tag.POS in ("ADJF", "PRTF") for form in analyses(word)):
            return False
    return False


def _named(tokens: Sequence[str], place: int) -> bool:
    """Whether a name, a title or a number stands right behind the noun, or an adjective of a place before it."""
    before = fold(tokens[place - 1])
    proper = PROPER.search(before) is not None and before[:-2] not in _stems() and before[:-3] not in _stems()
    return proper or _name_follows(tokens[place + 1 :])


def _name_follows(rest: Sequence[str]) -> bool:
    for token in rest[:LONGEST]:
        if token[0].isupper() or token == QUOTED or token[0].isdigit():
            return True
        forms = analyses(fold(token)) if token[0].isalpha() else ()
        if not forms or forms[0].tag.POS in ("VERB", "CONJ"):
            return False
    return False


def _verbs(token: str) -> set[str]:
    return {fold(form.normal_form) for form in analyses(fold(token)) if form.tag.POS in ("VERB", "PRTS")}


@cache
def _stems() -> frozenset[str]:
    """Adjectives in -ский that name no place, without their endings."""
    return frozenset(word[:-2] for word in _words("plain_adjectives"))


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _lists() -> Mapping[str, list[str]]:
    return yaml.safe_load(Path(__file__).with_name("occasions.yaml").read_text(encoding="utf-8"))
