"""Clauses of a Russian question without what they say: no verb, nor anything in its place."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise

from dragon_pipeline.languages.ru.governance import governance
from dragon_pipeline.languages.ru.grammar_rules import case, is_name
from dragon_pipeline.languages.ru.morphology import analyses, known

_PREDICATES = {"VERB", "PRTS", "PRED", "ADJS", "INFN"}
_SIGNS = {",", ":", ";", "—", "–", "?", "(", ")"}
_COMPARED = {"лучше", "хуже", "больше", "меньше"}
_WHEN = {"раньше", "позже", "ранее", "позднее"}
Clause = Sequence[str]


def verbless(words: Sequence[str]) -> str | None:
    """«Какую должность Иванов?», «Кто итоги работы?», «В каком году Иванов?»: the main clause has no predicate."""
    main = list(_main(words))
    if not main or any(_predicate(word) for word in main) or _can_do_without(main):
        return None
    return f"verbless: {' '.join(main[:3])}"


def relative_verbless(words: Sequence[str]) -> str | None:
    """«посла, который прессе о переговорах?»: a relative clause without a predicate, to the end of the question."""
    for place, (before, word) in enumerate(pairwise(words), 1):
        rest = words[place + 1 :]
        if before != "," or word not in ("который", "которая", "которое", "которые") or len(rest) < 2:
            continue
        whole = any(_predicate(one) or not (one[0].isalnum() or one in ",?-:") for one in rest)
        if not whole and rest[0] not in ("в", "на", "у", "из", "и", ","):  # «те, которые на фронте»
            return f"verbless: {' '.join(words[place : place + 3])}"
    return None


def _can_do_without(main: Clause) -> bool:
    """«Кто автор романа?», «Где Эльбрус?», «В какой стране Рим?» are questions, too. But only a being is a «кто», only a
    thing has a day, and what only a verb can govern is not left without one."""
    first, second, third = (word.lower() for word in (*main, "", "")[:3])
    if first in governance()["governed_question_words"]:
        return False
    if first == "кто":
        return not _nobody(main) and any(_somebody(before, word) for before, word in pairwise(main))
    if first == "что":
        return len(main) < 3 or not (_being(main[1]) or main[1][0].isupper())
    prepositional = _preposition(first) and second in governance()["oblique_question_words"]
    if first == "куда" or (first, second) == ("в", "какую"):
        return False
    if not prepositional and first not in ("когда", "где", "откуда"):
        return True
    timed = first == "когда" or any(form.normal_form in governance()["times"] for form in analyses(third))
    rest = main[0 if first == "когда" else 2 :]
    if timed and not any(_thing(before, word) for before, word in pairwise(rest)):
        return False
    return not any(_verbal_object(before, word) for before, word in pairwise(main))


def _main(words: Sequence[str]) -> Iterator[str]:
    """The words of the main clause, up to a colon: without those that a sign and a conjunction or «который» set apart, as far
    as signs tell."""
    starts = governance()["clause_starts"]
    aside = fresh = False
    for word, after in pairwise((*words, "")):
        if word == ":":
            return
        if word in _SIGNS:
            fresh = True
            continue
        if fresh:
            aside = word.lower() in starts or (_preposition(word) and after.lower() in starts)
        fresh = False
        if not aside:
            yield word


def _predicate(word: str) -> bool:
    """May be what a clause says: a finite verb, a short form, an infinitive, «нет», a comparative that says no time."""
    if not word.isalpha() or (word[0].isupper() and (is_name(word) or not known(word))):
        return False
    if word.lower() in ("нет", "это", "есть") or word in _COMPARED:
        return True
    forms = analyses(word)
    if any(form.tag.POS in _PREDICATES and "impr" not in form.tag for form in forms):
        return True
    return word not in _WHEN and any(form.tag.POS == "COMP" for form in forms)


def _nobody(main: Clause) -> bool:
    """Right after «кто», or behind adjectives: a thing's noun, or one in an oblique case."""
    rest = dropwhile(lambda word: word.islower() and all(form.tag.POS == "ADJF" for form in analyses(word)), main[1:])
    word = next(rest, "")
    forms, people = analyses(word), governance()["things_for_people"]
    if not known(word) or any(form.tag.POS != "NOUN" or form.normal_form in people for form in forms):
        return False
    return all(form.tag.animacy == "inan" or case(form) not in ("nomn", "voct") for form in forms)


def _somebody(before: str, word: str) -> bool:
    """May be the nominative of somebody: a name, a being, an adjective or a pronoun; or a title right after «кто»."""
    if _depends(before) or not word[0].isalpha():
        return before.lower() == "кто" and word == "«"
    if word[0].isupper() and not known(word):
        return not (before[0].isupper() and known(before) and not _nominative(before))
    people = [form for form in analyses(word) if form.tag.POS != "NOUN" or form.tag.animacy == "anim" or is_name(word)]
    return any(case(form) == "nomn" and "Abbr" not in form.tag for form in people)


def _depends(before: str) -> bool:
    """What comes after it is no nominative: a preposition, an adjective in another case."""
    forms = analyses(before)
    oblique = all(form.tag.POS in ("ADJF", "PRTF") and case(form) != "nomn" for form in forms)
    return oblique or any(form.tag.POS == "PREP" for form in forms)


def _nominative(word: str) -> bool:
    return any(case(form) == "nomn" or "Fixd" in form.tag for form in analyses(word))


def _being(word: str) -> bool:
    return word.islower() and any({"NOUN", "anim", "nomn"} in form.tag for form in analyses(word))


def _thing(before: str, word: str) -> bool:
    """May be the nominative of a thing; names are people's."""
    if _depends(before) or (word[0].isupper() and (not known(word) or is_name(word))):
        return False
    return any({"nomn", "inan"} in form.tag and "Abbr" not in form.tag for form in analyses(word))


def _verbal_object(before: str, word: str) -> bool:
    """A noun that can only be accusative, or dative, and has no preposition before it or its adjective."""
    forms = analyses(word)
    if not (word.islower() and known(word) and before[0].isalpha() and all(form.tag.POS == "NOUN" for form in forms)):
        return False
    bare = not any(form.tag.POS in ("PREP", "ADJF", "PRTF", "NUMR") for form in analyses(before))
    return bare and {case(form) for form in forms} in ({"accs"}, {"datv"})


def _preposition(word: str) -> bool:
    return any(form.tag.POS == "PREP" for form in analyses(word))


RULES = (verbless, relative_verbless)
