"""What in a Russian question points outside it: words that only the article, or its day, explains."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.judging import is_question_word
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.occasions import undated

TITLE = re.compile(r"«[^«»]+»|\"[^\"]+\"")
SPEECH = re.compile(r": «([^«»]+)»")
TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(r"[12]?[0-9]|3[01]")
_NOMINAL = ("NOUN", "ADJF", "PRTF", "NUMR")
QUOTED = "«"


def pointing(question: str) -> str | None:
    """The first word that points outside the question, with what is wrong with it (core/screening/standalone.py); a title
    may say what it likes, somebody's words («Кто заявил: „…“») only what their reader can follow."""
    tokens = TOKEN.findall(TITLE.sub("«Т»", question))
    plain = TOKEN.findall(TITLE.sub(lambda title: "«Т»" if title[0][1].isupper() else title[0][1:-1], question))
    for speech in SPEECH.findall(question):
        said = TOKEN.findall(speech)
        if hint := dangling(said) or likeness(said):
            return hint
    return dangling(tokens) or likeness(tokens) or bare_noun(plain) or relative_date(tokens) or undated(tokens)


def dangling(tokens: Sequence[str]) -> str | None:
    """A pronoun or demonstrative that nothing in the question explains. A personal pronoun is explained by a name before it,
    unless that can only be its own clause's subject («Что Полярис купил у него?»), «тот» by a clause after it."""
    names = clauses = 0
    for place, token in enumerate(tokens):
        word = fold(token)
        owner = (
            word in _words("possessives") and place + 1 < len(tokens) and _is(tokens[place + 1], "NOUN", "ADJF", "PRTF", "NUMR")
        )
        if word in _words("pronouns") and not (names and (owner or clauses or names > 1)):
            return f"no_referent: {word}"
        told = word == "это" and place and fold(tokens[place - 1]) in ("что", "кто")
        if (word in _words("demonstratives") or _lemmas(word) & _words("named_before")) and not told:
            return f"no_referent: {word}"
        if word in _words("remote") and not _explained(word, tokens[place + 1 : place + 4]):
            return f"no_referent: {word}"
        names += place > 0 and token[0].isupper() and (place == 1 or not tokens[place - 1][0].isupper())
        clauses += bool(names) and (token in ",:;—–" or word in _words("joints"))
    return None


def likeness(tokens: Sequence[str]) -> str | None:
    """«похожую акцию», «в такой стране», «именно столько»: like what, is not said. «похожий на», «подобную этой» and
    «такой же, как» say it."""
    said = [fold(token) for token in tokens]
    for place, word in enumerate(said):
        before, rest = said[place - 1] if place else "", said[place + 1 :]
        if word == "столько" and before in ("именно", "ровно") and "сколько" not in rest:
            return f"no_referent: {before} {word}"
        alike = _lemmas(word) & _words("likeness")
        if not alike or before in ("кто", "что") or "как" in rest or not rest or not rest[0].isalpha():
            continue
        forms = analyses(rest[0])
        compared = alike != {"такой"} and any(grammar_rules.case(form) == "datv" for form in forms)
        if forms[0].tag.POS in ("NOUN", "ADJF") and not compared:
            return f"no_referent: {word}"
    return None


def bare_noun(tokens: Sequence[str]) -> str | None:
    """«Кто возглавил команду?»: a noun that means one named earlier, when nothing beside it says which, nor has the question
    said it before. Only what is surely singular: «мероприятия» may be any, «после встречи» was one."""
    told: set[str] = set()
    for place, token in enumerate(tokens):
        forms = [form for form in analyses(fold(token)) if form.tag.POS == "NOUN"]
        named = {fold(form.normal_form) for form in forms} & _words("bare")
        many = {"plur"} & {form.tag.number for form in forms}
        owned = any({"sing", "gent"} in form.tag for form in forms) and _is_somebody(tokens[place - 1])
        any_of_them = many and fold(tokens[place - 1]) not in _words("genitive") and not owned
        if not named or any_of_them or token[0].isupper():
            continue
        if not named & told and not _described(tokens[:place]) and not _specified(tokens[place + 1 : place + 4]):
            return f"bare_noun: {fold(token)}"
        told |= named
    return None


def relative_date(tokens: Sequence[str]) -> str | None:
    """A day that is only known on the day of the article: «вчера», «в среду», «в прошлом году», «неделю назад»."""
    said = [fold(token) for token in tokens if token[0].isalnum()]
    has_year = any(_YEAR.fullmatch(word) for word in said)
    for place, word in enumerate(said):
        before = said[place - 1] if place else ""
        lemmas, former = _lemmas(word), _lemmas(before)
        if lemmas & _words("days"):
            return f"relative_date: {word}"
        if before in ("в", "во") and word in _words("weekdays") and not has_year:
            return f"relative_date: {before} {word}"
        if lemmas & _words("months") and _DAY.fullmatch(before) and not has_year:
            return f"day_without_year: {before} {word}"
        if (former & _words("relative") and lemmas & _words("stretches")) or (word == "назад" and former & _words("stretches")):
            return f"relative_date: {before} {word}"
    return None


def _is_somebody(token: str) -> bool:
    """«председателя ячейки»: of one."""
    form = analyses(fold(token))[0].tag if token[0].isalpha() else None
    return form is not None and form.POS == "NOUN" and form.animacy == "anim" and form.number == "sing" and form.case == "gent"


def _described(before: Sequence[str]) -> bool:
    """By a word in front: «какая команда», «российская команда», «третьей по силе …» stays bare."""
    for place, token in reversed([*enumerate(before)][-2:]):
        if is_question_word(token):
            return fold(token) != "что" or place == 0 or before[place - 1] != ","
        forms = analyses(fold(token)) if token[0].isalpha() else ()
        kinds = {form.tag.POS for form in forms if "Anum" not in form.tag}
        if kinds & {"ADJF", "PRTF"}:
            return True
        if not forms or "ADJF" not in {form.tag.POS for form in forms}:
            return False
    return False


def _specified(after: Sequence[str]) -> bool:
    """By what follows: a name, a title, a date, a clause, a noun or participle that depends on it, or a preposition; «в», «на»
    only with a name («встреча в Туле» is one, «команда в матче» is none)."""
    if not after:
        return False
    first, second = after[0], after[1] if len(after) > 1 else ""
    if first == ",":
        return any(is_question_word(token) for token in after[1:]) or (second != "" and _is(second, "PRTF", "ADJF"))
    if first == QUOTED or first == "(" or first[0].isupper() or first[0].isdigit():
        return True
    if fold(first) in _words("place_prepositions"):
        return bool(second) and (second == QUOTED or second[0].isupper())
    if _is(first, "PREP"):
        return not second[:1].isdigit()
    depends = [form for form in analyses(fold(first)) if form.tag.POS in ("NOUN", "ADJF") and len(first) > 2]
    return _is(first, "PRTF") or any(grammar_rules.case(form) == "gent" for form in depends)


def _explained(word: str, following: Sequence[str]) -> bool:
    """«тот, кто», «о том, что», «в том числе», «тот же …», and a noun right after («в ту ночь» stays unexplained)."""
    if word == "том" and [fold(token) for token in following[:1]] == ["числе"]:
        return True
    return following[:1] == [","] and any(is_question_word(token) for token in following[1:3])


def _is(token: str, *pos: str) -> bool:
    return token[0].isalpha() and analyses(fold(token))[0].tag.POS in pos


def _lemmas(word: str) -> set[str]:
    return {fold(form.normal_form) for form in analyses(word)} if word else set()


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _lists() -> Mapping[str, list[str]]:
    return yaml.safe_load(Path(__file__).with_name("standalone.yaml").read_text(encoding="utf-8"))
