"""A plural verb of a Russian question whose subject is one, and adjectives in a row that do not agree."""

import re
from collections.abc import Sequence
from itertools import pairwise

from dragon_pipeline.languages.ru.governance import governance
from dragon_pipeline.languages.ru.grammar_rules import NAME, Parse, agree, case, declined
from dragon_pipeline.languages.ru.morphology import analyses, known

_SIGNS = {",", ":", ";", "—", "–", "?", "(", ")"}
_CAPITAL = re.compile("[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?")


def plural_after_who(words: Sequence[str]) -> str | None:
    """«Кто дали»; but «кто были»."""
    if len(words) < 2 or words[0].lower() != "кто" or not words[1].islower():
        return None
    forms = [form for form in analyses(words[1]) if not NAME & set(form.tag.grammemes)]
    verbs = [form for form in forms if {"VERB", "plur"} in form.tag and form.tag.person in (None, "3per")]
    things = all(form in verbs or {"NOUN", "inan"} in form.tag for form in forms)
    copula = any(form.normal_form in governance()["copulas"] for form in verbs)
    return f"plural_verb: {words[0]} {words[1]}" if verbs and things and not copula else None


def plural_after_which(words: Sequence[str]) -> str | None:
    """«посла, который сообщили»; but «дом, который построили»."""
    for place, (word, verb) in enumerate(pairwise(words)):
        if not place or words[place - 1] != "," or word not in ("который", "которая", "которое") or not _plural(verb):
            continue
        if word == "которая" or not _may_be_object(words, place):
            return f"plural_verb: {word} {verb}"
    return None


def plural_of_one(words: Sequence[str]) -> str | None:
    """«занимают Валерий Иванов», «занимают человек, который», «являются недопущение»: one subject right after the verb, and
    no «и» or «с» that could make two of it."""
    if {"и", "с", "или", "со"} & {word.lower() for word in words}:
        return None
    for place, (verb, after) in enumerate(pairwise(words)):
        if any(_plural_subject(word) for word in words[:place]):
            return None
        if _plural(verb) and (_one_person(verb, words[place + 1 :]) or _one_subject(verb, after)):
            return f"plural_verb: {verb} {after}"
    return None


def _plural(word: str) -> bool:
    """A plural finite verb and nothing else."""
    return all({"VERB", "plur"} in form.tag and form.tag.person in (None, "3per") for form in analyses(word))


def _one_person(verb: str, rest: Sequence[str]) -> bool:
    """Two or three words with a capital to the end, none of which is a plural, of a verb of what somebody is or holds."""
    names = [word for word in rest if word != "?"]
    people = 1 < len(names) < 4 and all(_CAPITAL.fullmatch(name) for name in names) and verb in governance()["person_verbs"]
    return people and not any(_plural_subject(name) for name in names if known(name))


def _one_subject(verb: str, word: str) -> bool:
    """A singular noun that can only be the subject: of a being, or of any thing when the verb takes no accusative."""
    forms = analyses(word)
    subject = [form for form in forms if form.tag.POS == "NOUN" and case(form) == "nomn" and "Fixd" not in form.tag]
    if not (subject and word.islower() and known(word)) or any(form.tag.number != "sing" for form in subject):
        return False
    if verb == "являются":
        return True
    object_ = any(case(form) == "accs" for form in forms)  # «как зовут дочь»
    return not object_ and all(form.tag.animacy == "anim" for form in subject)


def _may_be_object(words: Sequence[str], place: int) -> bool:
    """A thing or a title stands before «который», and what follows the verb is no clause that the verb says."""
    says = list(words[place + 2 : place + 4]) in ([",", "что"], [",", "чтобы"])
    if says or "intr" in analyses(words[place + 1])[0].tag:
        return False
    start = max((at + 1 for at in range(place - 1) if words[at] in _SIGNS), default=0)
    gender = "masc" if words[place] == "который" else "neut"
    thing = {"NOUN", "sing", gender, "inan"}
    before = words[start : place - 1]
    return "«" in before or any(len(word) > 2 and thing in form.tag for word in before for form in analyses(word))


def _plural_subject(word: str) -> bool:
    """May make the subject plural: a plural nominative, or a number."""
    if word[0].isdigit():
        return True
    return any(
        form.tag.POS == "NUMR" or (form.tag.POS in ("NOUN", "NPRO", "ADJF") and {"plur", "nomn"} in form.tag)
        for form in analyses(word)
    )


def two_adjectives(words: Sequence[str]) -> str | None:
    """«стопроцентного нефтяной эмбарго»: two adjectives in a row share no case, number and gender; «чреватого большими» may."""
    for first, second in pairwise(words):
        ones, others = (_adjectives(word) for word in (first, second))
        if not ones or not others or ones[0].normal_form in governance()["governing_adjectives"]:
            continue
        if not any(agree(one, other) for one in ones for other in others):
            return f"agreement: {first} {second}"
    return None


def _adjectives(word: str) -> Sequence[Parse]:
    """The forms of a word that can only be an adjective of the dictionary."""
    forms = analyses(word) if word[0].isalpha() and declined(word) else ()
    return forms if all(form.tag.POS == "ADJF" and "Apro" not in form.tag for form in forms) else ()


RULES = (plural_after_who, plural_after_which, plural_of_one, two_adjectives)
