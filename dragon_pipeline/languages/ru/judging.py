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
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses, known

STEM = 4
"""Letters by which a name is known again in another case."""
SHORTEST, LONGEST = 4, 35
"""Words of a clear question."""

_PERSONS = frozenset({"Name", "Surn", "Patr"})
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TITLE = re.compile(r"«[^«»]+»|\"[^\"]+\"")


def question_clarity(case: Case) -> Rating:
    """2 when the question can be read: it asks something, names something, and is neither too short nor too long. What points
    outside it is the standalone screen's."""
    question = case.qa["question"]
    said = _WORD.findall(question)
    plain = [fold(word) for word in _WORD.findall(_TITLE.sub("«»", question))]
    if not SHORTEST <= len(said) <= LONGEST:
        return Rating(WORST, f"length: {len(said)} words")
    if not set(plain) & _words("question_words") and "ли" not in plain:
        return Rating(WORST, "no_question_word")
    return Rating(BEST) if names_something(question) else Rating(WORST, "nothing_named")


def names_something(question: str) -> bool:
    """A proper name (a capital that does not open the question), a number or a title in quotes."""
    said = _WORD.findall(question)
    return bool(_TITLE.search(question) or re.search(r"\d", question) or any(word[0].isupper() for word in said[1:]))


def answer_literacy(case: Case) -> Rating:
    """2 when every answer stands by itself: a whole phrase in the nominative, with nothing dangling and quotes in pairs."""
    kinds = {node.name: node.kind for node in asked(case)}
    wanted = set(kinds.values())
    other = wanted.pop() if len(wanted) == 1 else "OTHER"  # of an answer that is not written as its fact has it
    answers = case.qa["answers"]
    for answer in answers:
        if found := answer_fault(answer, kinds.get(answer, other)) or _other_form(answer, kinds):
            return Rating(WORST, f"{found}: {answer}")
    return Rating(BEST) if answers else Rating(WORST, "no_answer")


def _other_form(answer: str, kinds: Mapping[str, str]) -> str | None:
    """A person's name with other endings than its fact has: «Александра Ткачёва» is a woman, or no nominative."""
    said = fold(answer)
    people = [fold(name) for name, kind in kinds.items() if kind == "PER"]
    if any(name in said for name in people):
        return None
    begins = [word[:STEM] for word in said.split()]
    same = any([word[:STEM] for word in name.split()] == begins for name in people)
    return "not_nominative" if same else None


def answer_fault(answer: str, kind: str) -> str | None:
    said = [fold(word) for word in _WORD.findall(answer)]
    if not said:
        return "empty"
    if answer != answer.strip() or re.search(r"[\s,;:!?/—–-]$|^[,;:.!?—–]|(?<![А-ЯЁA-Z])(?<!\b[а-я])\.$", answer):
        return "punctuation"
    if grammar_rules.quotes(answer):
        return "unbalanced"
    edges = _words("prepositions") | _words("conjunctions")
    lower = _WORD.findall(answer)
    place = kind == "LOC" and len(lower[0]) < 3 and said[0] in _words("prepositions") and answer[0].isalpha()
    if (lower[-1].islower() and said[-1] in edges) or (len(said) > 1 and (lower[0].islower() or place) and said[0] in edges):
        return "dangling"
    if kind == "PER" and len(lower) == 2 and _is_patronymic(*lower):
        return "no_surname"
    if kind in ("ORG", "WORK") and _is_cut_title(answer):
        return "not_nominative"
    return None if kind in ("YEAR", "DATE", "NUMBER") or nominative(answer, kind) else "not_nominative"


def nominative(name: str, kind: str) -> bool:
    """Whether the name can stand in the nominative: of a person every word, of another name the words up to its first noun, on
    which the rest depends. Words that no dictionary holds, foreign ones and initials get the benefit of the doubt."""
    said = [word for word in _WORD.findall(_TITLE.sub("", name)) if re.fullmatch(r"[А-Яа-яЁё-]{2,}", word)]
    return not any(_oblique(word, said) for word in said) if kind == "PER" else _head_nominative(said, kind)


def _is_patronymic(given: str, last: str) -> bool:
    """«Олег Иванович», but «Мари Йованович» is whole."""
    forms = analyses(last) if known(last) else ()
    genders = {form.tag.gender for form in analyses(given) if "Name" in form.tag and "nomn" in form.tag}
    return bool(forms) and all("Patr" in form.tag and form.tag.gender in genders for form in forms)


def _is_cut_title(answer: str) -> bool:
    """«Исламского государства», of «группировку …»: a title that agrees with a noun that is not there."""
    inner = _WORD.findall(answer[1:-1]) if _TITLE.fullmatch(answer) else []
    if len(inner) < 2 or not all(known(word) for word in inner[:2]):
        return False
    first, second = analyses(inner[0]), analyses(inner[1])
    genitive = first[0].tag.POS == "ADJF" and all(grammar_rules.case(form) != "nomn" for form in first)
    return genitive and second[0].tag.POS == "NOUN"


def _head_nominative(said: Sequence[str], kind: str) -> bool:
    """A role is that of one: «главы», «ректора» are genitives."""
    number = {"nomn", "sing"} if kind == "ROLE" else {"nomn"}
    for whole in said:
        last = whole.rpartition("-")[2]
        word = last if known(last) else whole  # «вице-министра» declines as «министра» does
        forms = analyses(word)
        heads = any(form.tag.POS == "NOUN" and number in form.tag for form in forms)
        if not known(word):
            if word.islower() and (heads or word.startswith(tuple(_words("uninflected_heads")))):
                return True  # «евродепутат», «замдекана»
            continue
        if all(form.tag.case is None for form in forms):
            continue
        if not any(number in form.tag or "Fixd" in form.tag for form in forms):
            return False
        if heads:
            return True
    return True


def _oblique(word: str, name: Sequence[str]) -> bool:
    """A word that is a name in some other case, and one that the rest of the person's name allows: «Беца» is no man's genitive
    after «Марьяна», «Илон» is not of many women, and a foreign woman may be «Бригитте»."""
    if not known(word) or re.search(r"(?:[оеё]в|[иы]н)$", word):  # «Пушков» is a surname before it is many cannons
        return False
    forms = analyses(word)
    if any(grammar_rules.case(form) == "nomn" or "Fixd" in form.tag for form in forms):
        return False
    women = any(_is_womans(other) for other in name if other != word)
    named = [form for form in forms if _PERSONS & set(form.tag.grammemes) and form.tag.number == "sing"]
    possible = [form for form in named if "voct" not in form.tag and not (women and form.tag.gender == "masc")]
    foreign = word.endswith("е") and not any(known(other) for other in name if other != word)
    return bool(possible) and not foreign


def _is_womans(word: str) -> bool:
    """A first name in the nominative that no man has: not «Александра»."""
    names = [form for form in analyses(word) if "Name" in form.tag] if known(word) else []
    return all(form.tag.gender == "femn" for form in names) and any({"nomn", "sing"} in form.tag for form in names)


def is_question_word(token: str) -> bool:
    """«кто», «какой», «где», … and «который», in any form."""
    return fold(token) in _words("question_words")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _lists() -> Mapping[str, list[str]]:
    return yaml.safe_load(Path(__file__).with_name("judging.yaml").read_text(encoding="utf-8"))
