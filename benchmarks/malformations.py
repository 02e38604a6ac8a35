"""Known ways to make a good Russian question ungrammatical or unable to stand alone, for benchmarks/mutation.py.

Each breaks a form that no reading of the sentence allows: a word after a preposition in a case that the preposition never
takes, a finite verb in the other number, an adjective in another gender than its noun. Words in «quotes» are left alone.
"""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru.morphology import analyses, inflect

WORD = re.compile(r"\w+(?:-\w+)*")
CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
GOVERNED = {
    "ablt": {"в", "на", "о", "об", "по", "из", "к", "для", "до", "от", "у", "без", "при", "против", "после"},
    "loct": {"с", "из", "к", "для", "до", "от", "у", "без", "против", "после", "за", "под", "перед", "между", "над"},
}
"""Case → prepositions that never take it."""


def wrong_case(draw: random.Random, case: Case) -> str | None:
    """A noun after its preposition in a case that the preposition never takes."""
    return _drawn(draw, _wrong_cases(case.qa["question"]))


def _wrong_cases(question: str) -> Iterator[str]:
    for (start, _, before), (begin, end, noun) in _pairs(question):
        wrong = [name for name, prepositions in GOVERNED.items() if before.lower() in prepositions]
        if wrong and start and _sure(noun, "NOUN") and (form := inflect(noun, wrong[0], _number(noun), pos=("NOUN",))):
            cases = {parse.tag.case for parse in analyses(form) if parse.tag.POS == "NOUN"}
            if cases <= {wrong[0]} and form != noun:
                yield question[:begin] + form + question[end:]


def wrong_number(draw: random.Random, case: Case) -> str | None:
    """A plural verb with «кто» or a singular «который», or «является», «занимает» of the one who is asked about."""
    found = []
    words = list(_words(case.qa["question"]))
    for (_, _, before), (start, stop, word) in pairwise(words):
        alone = before.lower() in ("кто", "который", "которая", "которое") or word in ("является", "занимает")
        if alone and _sure(word, "VERB") and (form := inflect(word, "plur", pos=("VERB",))) and form != word:
            found.append(case.qa["question"][:start] + form + case.qa["question"][stop:])
    return _drawn(draw, found)


def wrong_gender(draw: random.Random, case: Case) -> str | None:
    """An adjective before its noun in another gender."""
    found = []
    for (start, stop, adjective), (_, _, noun) in _pairs(case.qa["question"]):
        genders = {form.tag.gender for form in analyses(noun) if form.tag.POS == "NOUN" and form.tag.number == "sing"}
        if start and _sure(adjective, "ADJF") and _sure(noun, "NOUN") and len(genders) == 1 and "plur" != _number(noun):
            in_case = analyses(noun)[0].tag.case
            other = "masc" if genders == {"femn"} else "femn"
            if in_case in CASES and (form := inflect(adjective, in_case, "sing", other, pos=("ADJF",))) and form != adjective:
                found.append(case.qa["question"][:start] + form + case.qa["question"][stop:])
    return _drawn(draw, found)


def preposition_dropped(draw: random.Random, case: Case) -> str | None:
    """Only where the word after it stands in the dative, instrumental or locative, which «в», «на», «по», … asked for."""
    found = []
    for (start, _, before), (begin, _, noun) in _pairs(case.qa["question"]):
        cases = {form.tag.case for form in analyses(noun)}
        if start and before in GOVERNED["ablt"] and _sure(noun, "NOUN") and cases <= {"loct", "datv", "loc2"}:
            found.append(case.qa["question"][:start] + case.qa["question"][begin:])
    return _drawn(draw, found)


def verb_dropped(draw: random.Random, case: Case) -> str | None:
    """The only finite verb."""
    verbs = [(start, stop) for start, stop, word in _words(case.qa["question"]) if _sure(word, "VERB")]
    if len(verbs) != 1:
        return None
    return case.qa["question"][: verbs[0][0]].rstrip() + case.qa["question"][verbs[0][1] :]


def words_swapped(draw: random.Random, case: Case) -> str | None:
    """A preposition after its noun."""
    found = []
    for (start, _, before), (_, end, noun) in _pairs(case.qa["question"]):
        if start and before in GOVERNED["ablt"] | GOVERNED["loct"] and _sure(noun, "NOUN"):
            found.append(f"{case.qa['question'][:start]}{noun} {before}{case.qa['question'][end:]}")
    return _drawn(draw, found)


def this_added(draw: random.Random, case: Case) -> str | None:
    """«этот» before a noun, and before its adjective if it has one."""
    found = []
    words = list(_words(case.qa["question"]))
    for (_, _, before), (start, _, word), (_, _, after) in zip(words, words[1:], words[2:], strict=False):
        noun = word if _sure(word, "NOUN") else after if _sure(word, "ADJF") and _sure(after, "NOUN") else None
        tag = analyses(noun or word)[0].tag
        described = {form.tag.POS for form in analyses(before)} & {"ADJF", "PRTF", "NUMR"}
        if noun and not described and noun.islower() and tag.case in CASES and (tag.gender or tag.number == "plur"):
            wanted = [tag.case, tag.number, *([tag.gender] if tag.number == "sing" else [])]
            if form := inflect("этот", *wanted):
                found.append(f"{case.qa['question'][:start]}{form} {case.qa['question'][start:]}")
    return _drawn(draw, found)


def there_added(draw: random.Random, case: Case) -> str | None:
    return _before_verb(draw, case.qa["question"], "там")


def yesterday_added(draw: random.Random, case: Case) -> str | None:
    return _before_verb(draw, case.qa["question"], "вчера", past=True)


def _before_verb(draw: random.Random, question: str, word: str, past: bool = False) -> str | None:
    verbs = [
        start
        for start, _, verb in _words(question)
        if _sure(verb, "VERB") and (not past or analyses(verb)[0].tag.tense == "past") and start
    ]
    return _drawn(draw, [f"{question[:start]}{word} {question[start:]}" for start in verbs[:1]])


def mark_lost(_draw: random.Random, case: Case) -> str | None:
    return case.qa["question"].rstrip("?")


def two_sentences(_draw: random.Random, case: Case) -> str | None:
    return f"Об этом сообщают новости. {case.qa['question']}"


def _words(question: str) -> Iterator[tuple[int, int, str]]:
    """Words outside of quotes: first character, one past the last, word."""
    quoted = [found.span() for found in re.finditer(r"«.*»|\".*\"", question)]
    for found in WORD.finditer(question):
        if not any(start <= found.start() < stop for start, stop in quoted):
            yield found.start(), found.end(), found[0]


def _pairs(question: str) -> list[tuple[tuple[int, int, str], tuple[int, int, str]]]:
    """Words with the next one, when a space alone is between them; the second is no name."""
    words = list(_words(question))
    return [(one, other) for one, other in pairwise(words) if question[one[1] : other[0]] == " " and other[2].islower()]


def _sure(word: str, pos: str) -> bool:
    """Every analysis is of that part of speech."""
    return bool(re.fullmatch("[А-Яа-яЁё-]{3,}", word)) and {form.tag.POS for form in analyses(word)} == {pos}


def _number(word: str) -> Any:
    return analyses(word)[0].tag.number or "sing"


def _drawn(draw: random.Random, found: Iterator[str] | Sequence[str]) -> str | None:
    choices = list(found)
    return draw.choice(choices) if choices else None
