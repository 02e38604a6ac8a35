"""Prepositions of a Russian question that are lost, or stand where none can: nothing after them, or the wrong case."""

import re
from collections.abc import Iterator, Sequence

from dragon_pipeline.languages.ru.governance import governance
from dragon_pipeline.languages.ru.grammar_rules import agree, case, declined
from dragon_pipeline.languages.ru.morphology import analyses, known

_AGREEING = {"ADJF", "PRTF", "NUMR"}
_TAKES_DATIVE = {"VERB", "INFN", "PRTF", "PRTS", "GRND"}
_ENDS = {"?", ",", ":", ";", ")", "—", "–"}


def stray_preposition(words: Sequence[str]) -> str | None:
    """«новостях в?», «готовности о признать», «конференции на по вопросам»: nothing that a preposition could stand before."""
    simple = governance()["simple_prepositions"]
    for place, word in enumerate(words[:-1]):
        if word in simple and not _idiom(words[place : place + 3]) and not _may_follow(words[place + 1 : place + 3]):
            return f"stray_preposition: {' '.join(words[max(place - 1, 0) : place + 2])}"
    return None


def _idiom(words: Sequence[str]) -> bool:
    """«за и против», «до сих пор»; «в к/ф» is an abbreviation."""
    idioms = governance()["preposition_idioms"]
    return " ".join(words[:2]) in idioms or " ".join(words[1:]) in idioms or list(words[2:]) == ["/"]


def _may_follow(words: Sequence[str]) -> bool:
    """What comes after a preposition, and one word more."""
    after, beyond = (*words, "")[:2]
    simple = governance()["simple_prepositions"]
    if after in _ENDS or (after in simple and beyond not in _ENDS):
        return False
    if after in ("и", "или"):
        return any(form.tag.POS == "PREP" for form in analyses(beyond))
    return after[0].isupper() or not all(form.tag.POS in ("VERB", "INFN") for form in analyses(after))


def phrase_case(words: Sequence[str]) -> str | None:
    """«в аргентинской стороны»: an adjective and its noun after a preposition, in no case that it takes."""
    takes, governs = governance()["prepositions"], governance()["governing_adjectives"]
    for place in range(len(words) - 2):
        preposition, adjective, noun = words[place : place + 3]
        wanted = takes.get(preposition.lower())
        if wanted is None or not (adjective.islower() and noun.islower() and declined(adjective) and declined(noun)):
            continue
        left, right = analyses(adjective), analyses(noun)
        if any(form.tag.POS != "ADJF" or "Apro" in form.tag or form.normal_form in governs for form in left):
            continue
        if preposition == "в" and left[0].normal_form in governance()["adverbial_adjectives"]:  # «в дальнейшем голосование»
            continue
        people = preposition in ("в", "во") and any({"anim", "nomn", "plur"} in form.tag for form in right)
        fits = any(case(one) in wanted and agree(one, other) for one in left for other in right)
        if not people and not fits and all(form.tag.POS == "NOUN" for form in right):
            return f"phrase_case: {preposition} {adjective} {noun}"
    return None


def lost_preposition(words: Sequence[str]) -> str | None:
    """«упоминаются новостях», «на конференции вопросам безопасности»: a noun without a preposition, in the locative or in a
    dative that nothing governs."""
    for place, word in enumerate(words):
        found = _oblique(word) if place and words[place - 1] not in "-/" else set()
        if not found:
            continue
        start = _phrase_start(words, place)
        before = words[start - 1] if start else ""
        if not before[:1].isalpha() or _may_join(before) or _far_phrase(words, start - 1, word):
            continue
        if found == {"loct"} or not _governed(words, start - 1, place):
            return f"lost_preposition: {' '.join(words[start - 1 : place + 1])}"
    return None


def _far_phrase(words: Sequence[str], stop: int, noun: str) -> bool:
    """«на состоявшихся в марте выборах»: a preposition, and an adjective that waits for this noun."""
    for at in range(stop - 1, 0, -1):
        if words[at] in _ENDS:
            return False
        forms = analyses(words[at])
        waits = [form for form in forms if form.tag.POS in ("ADJF", "PRTF") and case(form) in ("datv", "loct")]
        own = bool(waits) and _has_noun(words, at)
        if waits and not own and any(agree(form, other) for form in waits for other in analyses(noun)):
            return True
    return False


def _has_noun(words: Sequence[str], adjective: int) -> bool:
    """The first noun after it, behind other adjectives, is the adjective's own."""
    for word in words[adjective + 1 :]:
        forms = analyses(word)
        if all(form.tag.POS == "NOUN" for form in forms):
            return any(agree(one, other) for one in analyses(words[adjective]) for other in forms)
        if not any(form.tag.POS in ("ADJF", "PRTF") for form in forms):
            return False
    return False


def _oblique(word: str) -> set[str]:
    """Cases of a thing's noun that can only be dative or locative."""
    forms = analyses(word)
    if not (word.islower() and word.isalpha() and len(word) > 2 and (known(word) or re.search("[аея]нии$", word))):
        return set()
    things = all(form.tag.POS == "NOUN" and form.tag.animacy == "inan" for form in forms)
    cases = {case(form) for form in forms}
    return cases if things and cases <= {"datv", "loct"} else set()


def _phrase_start(words: Sequence[str], place: int) -> int:
    """Where the adjectives and numbers before the noun begin, with adverbs among them."""
    start = place
    while start and (_describes(words[start - 1]) or words[start - 2 : start - 1] == ["-"]):
        start -= 1
    return start


def _describes(word: str) -> bool:
    """May stand in a phrase before its noun: an adjective in one of the cases, a number, an adverb, «его»."""
    if word[0].isdigit() or word in ("-", "не", "%") or word.lower() in governance()["undeclined"]:
        return True
    forms = analyses(word)
    adverb = word.islower() and any(form.tag.POS in ("ADVB", "COMP") for form in forms)
    return adverb or any(form.tag.POS in _AGREEING and case(form) in ("datv", "loct") for form in forms)


def _may_join(word: str) -> bool:
    """A preposition, an «и», a particle; or a word that no dictionary has."""
    lower = word.lower()
    if lower in governance()["dative_others"] or (not known(word) and word[0].islower()):
        return True
    if word[0].isascii():
        return False
    return any(form.tag.POS in ("PREP", "CONJ", "PRCL", "INTJ", "PRED", "NPRO", None) for form in analyses(word))


def _governed(words: Sequence[str], before: int, place: int) -> bool:
    """Something in the clause may take this dative, and has not yet taken another."""
    verbs, nouns, others = (set(governance()[name]) for name in ("dative_verbs", "dative_nouns", "dative_others"))
    verbs |= {verb.removesuffix("ся") for verb in verbs}
    near = words[max(before - 2, 0) : before + 1]  # «предоставления грантов школам»
    if any(form.normal_form in nouns or form.normal_form in others for word in near for form in analyses(word)):
        return True
    if _oblique(words[before]) or _closed(words, before):  # «сообщил прессе подготовке», «вышли из соглашения климату»
        return False
    clause = list(_clause(words, place))
    for word in clause:
        forms = analyses(word)
        if any(form.normal_form in others or form.tag.POS == "PRED" for form in forms):
            return True
        if any(form.tag.POS in _TAKES_DATIVE and form.normal_form.removesuffix("ся") in verbs for form in forms):
            return True
    return all(not any(form.tag.POS in ("VERB", "PRTS") for form in analyses(word)) for word in clause)


def _closed(words: Sequence[str], place: int) -> bool:
    """The noun there ends a phrase of a preposition: what depends on a verb seldom comes between."""
    start = place
    while start and any(form.tag.POS in _AGREEING for form in analyses(words[start - 1])):
        start -= 1
    return bool(start) and words[start - 1] in governance()["simple_prepositions"]


def _clause(words: Sequence[str], place: int) -> Iterator[str]:
    """The words around the place, to the next signs; and to an «и» with another verb."""
    ends = [at for at, word in enumerate(words) if word in _ENDS or (word == "и" and _verb_soon(words[at + 1 : at + 3]))]
    start = max((at + 1 for at in ends if at < place), default=0)
    stop = min((at for at in ends if at >= place), default=len(words))
    return iter(words[start:stop])


def _verb_soon(words: Sequence[str]) -> bool:
    """A finite verb, or one behind an adverb."""
    for word in words:
        forms = analyses(word)
        if any(form.tag.POS == "VERB" for form in forms):
            return True
        if not any(form.tag.POS in ("ADVB", "COMP", "PRCL") for form in forms):
            return False
    return False


RULES = (stray_preposition, phrase_case, lost_preposition)
