"""What rules can judge of Russian questions and answers by themselves: clarity of the one, literacy of the other."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.screening.judge import BEST, WORST, Rating
from dragon_pipeline.core.screening.nodes import asked
from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.morphology import analyses, known

SHORTEST, LONGEST = 4, 35
"""Words of a clear question."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TITLE = re.compile(r"«[^«»]+»|\"[^\"]+\"")


def question_clarity(case: Case) -> Rating:
    """2 when the question can be read alone: it asks something, names something, and points at nothing outside itself."""
    question = case.qa["question"]
    said = _WORD.findall(question)
    plain = [_fold(word) for word in _WORD.findall(_TITLE.sub("«»", question))]
    if not SHORTEST <= len(said) <= LONGEST:
        return Rating(WORST, f"length: {len(said)} words")
    if not set(plain) & _words("question_words") and "ли" not in plain:
        return Rating(WORST, "no_question_word")
    if not names_something(question):
        return Rating(WORST, "nothing_named")
    pointer = dangling(question) or relative_date(question)
    return Rating(WORST, pointer) if pointer else Rating(BEST)


def names_something(question: str) -> bool:
    """A proper name (a capital that does not open the question), a number or a title in quotes."""
    said = _WORD.findall(question)
    return bool(_TITLE.search(question) or re.search(r"\d", question) or any(word[0].isupper() for word in said[1:]))


def dangling(question: str) -> str | None:
    """A pronoun or demonstrative that nothing in the question explains. A personal pronoun is explained by a name before it,
    «тот» by a clause after it."""
    tokens = re.findall(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]", _TITLE.sub("«Т»", question))
    named = False
    for place, token in enumerate(tokens):
        word = _fold(token)
        if word in _words("pronouns") and not named:
            return f"no_referent: {word}"
        told = word == "это" and place and _fold(tokens[place - 1]) in ("что", "кто")
        if word in _words("demonstratives") and not told:
            return f"no_referent: {word}"
        if word in _words("remote") and not _explained(word, tokens[place + 1 : place + 4]):
            return f"no_referent: {word}"
        named = named or (place > 0 and token[0].isupper())
    return None


def relative_date(question: str) -> str | None:
    """A day that is only known on the day of the article: «вчера», «в среду», «в прошлом году»."""
    said = [_fold(word) for word in _WORD.findall(_TITLE.sub("«»", question))]
    has_year = bool(re.search(r"\b(?:19|20)\d\d\b", question))
    for place, word in enumerate(said):
        before = said[place - 1] if place else ""
        lemmas = {form.normal_form for form in analyses(word)}
        if lemmas & _words("days"):
            return f"relative_date: {word}"
        if before in ("в", "во") and word in _words("weekdays") and not has_year:
            return f"relative_date: {before} {word}"
        former = {form.normal_form for form in analyses(before)} if before else set()
        if former & _words("relative") and lemmas & _words("stretches"):
            return f"relative_date: {before} {word}"
    return None


def answer_literacy(case: Case) -> Rating:
    """2 when every answer stands by itself: a whole phrase in the nominative, with nothing dangling and quotes in pairs."""
    kinds = {node.name: node.kind for node in asked(case)}
    answers = case.qa["answers"]
    for answer in answers:
        if found := answer_fault(answer, kinds.get(answer, "OTHER")):
            return Rating(WORST, f"{found}: {answer}")
    return Rating(BEST) if answers else Rating(WORST, "no_answer")


def answer_fault(answer: str, kind: str) -> str | None:
    said = [_fold(word) for word in _WORD.findall(answer)]
    if not said:
        return "empty"
    if answer != answer.strip() or re.search(r"[\s,;:!?/—–-]$|^[,;:.!?—–]|(?<![А-ЯЁA-Z])(?<!\b[а-я])\.$", answer):
        return "punctuation"
    if grammar_rules.quotes(answer):
        return "unbalanced"
    edges = _words("prepositions") | _words("conjunctions")
    lower = _WORD.findall(answer)
    if (lower[-1].islower() and said[-1] in edges) or (len(said) > 1 and lower[0].islower() and said[0] in edges):
        return "dangling"
    return None if kind in ("YEAR", "DATE", "NUMBER") or nominative(answer, kind) else "not_nominative"


def nominative(name: str, kind: str) -> bool:
    """Whether the name can stand in the nominative: of a person every word, of another name the words up to its first noun, on
    which the rest depends. Words that no dictionary holds, foreign ones and initials get the benefit of the doubt."""
    for word in _WORD.findall(_TITLE.sub("", name)):
        if not re.fullmatch(r"[А-Яа-яЁё-]{2,}", word) or not known(word):
            continue
        if kind == "PER" and re.search(r"(?:[оеё]в|[иы]н)$", word):  # «Пушков» is a surname before it is many cannons
            continue
        forms = analyses(word)
        if all(form.tag.case is None for form in forms):
            continue
        if not any(grammar_rules.case(form) == "nomn" or "Fixd" in form.tag for form in forms):
            return False
        if kind != "PER" and any(form.tag.POS == "NOUN" and grammar_rules.case(form) == "nomn" for form in forms):
            return True
    return True


def _explained(word: str, following: Sequence[str]) -> bool:
    """«тот, кто», «о том, что», «в том числе», «тот же …», and a noun right after («в ту ночь» stays unexplained)."""
    if word == "том" and [_fold(token) for token in following[:1]] == ["числе"]:
        return True
    clause = [_fold(token) for token in following[1:3]]
    return following[:1] == [","] and any(token in _words("question_words") or token.startswith("котор") for token in clause)


def _fold(word: str) -> str:
    return word.lower().replace("ё", "е")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _lists() -> Mapping[str, list[str]]:
    return yaml.safe_load(Path(__file__).with_name("judging.yaml").read_text(encoding="utf-8"))
