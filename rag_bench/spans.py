"""Spans of a sentence that may answer a question, by what is asked for."""

import functools
import re
from typing import NamedTuple

from rag_bench.tokens import stem, stems, tokens
from rag_bench.wordlists import entries

_MONTH = (
    r"(?:январ[яье]|феврал[яье]|март[ае]?|апрел[яье]|ма[йяе]|июн[яье]|июл[яье]|август[ае]?|(?:сент|окт|но|дек)(?:яб|аб)р[яье])"
)
_CAPITAL = r"[А-ЯЁA-Z][\w’'-]*"
_NAME = rf"(?:[А-ЯЁA-Z]\.\s?)*{_CAPITAL}(?:\s+(?:[А-ЯЁA-Z]\.\s?)*{_CAPITAL})*"
_QUOTED = r"«[^«»]+»"
_NUMBER = r"(?<![\w.,])\d+(?:[ \u00a0\u202f]\d{3})*(?:[.,]\d+)?(?![\w])(?:\s?%|\s+(?:тыс|млн|млрд)\.?(?:\s+\w+)?|\s+[а-яё]+)?"

KINDS: dict[str, tuple[str, ...]] = {
    "time": (rf"\b(?:\d{{1,2}}\s+)?{_MONTH}(?:\s+\d{{4}}(?:\s+год[ау]?)?)?\b", r"\b(?:1[0-9]|20)\d{2}\b(?:\s+год[ау]?\b)?"),
    "number": (_NUMBER,),
    "person": (_NAME,),
    "place": (rf"(?:(?<=\b[Вв]\s)|(?<=\b[Вв]о\s)|(?<=\b[Нн]а\s)){_NAME}", _NAME),
    "name": (_QUOTED, _NAME),
    "any": (_QUOTED, _NAME, _NUMBER),
}
"""kind → patterns, the likeliest first"""


PLURAL = ("какие", "каких", "каким", "какими", "которые")


class Asked(NamedTuple):
    kind: str
    several: bool


class Span(NamedTuple):
    start: int
    stop: int
    text: str


def asked(question: str) -> Asked:
    """What a question asks for: the kind of span, and whether it wants several."""
    words = tokens(question)
    for place, word in enumerate(words):
        kind = _question_words().get(word)
        if kind == "which":
            nouns = (_asked_nouns().get(stem(noun)) for noun in words[place + 1 : place + 4])
            return Asked(next((noun for noun in nouns if noun), "any"), several=word in PLURAL)
        if kind:
            return Asked(kind, False)
    return Asked("any", bool({"перечислите", "назовите"} & set(words)))


def find_spans(sentence: str, kind: str) -> list[Span]:
    """Spans of this kind in the order of the sentence, from the likeliest pattern that occurs."""
    for pattern in KINDS[kind]:
        found = [span for match in re.finditer(pattern, sentence) if (span := _trimmed(match, sentence)).text]
        if found:
            return found
    return []


def is_stopword(word: str) -> bool:
    """Whether a folded word says nothing about what a sentence is about."""
    return word in stopwords()


def content_stems(text: str) -> list[str]:
    """Stems of the words that say something, in order."""
    return [stem for word, stem in zip(tokens(text), stems(text), strict=True) if not is_stopword(word)]


def _trimmed(match: re.Match, sentence: str) -> Span:
    """The match without quotes, and without a word that is capitalised only because the sentence begins with it."""
    start, stop = match.span()
    if match[0].startswith("«"):
        return Span(start + 1, stop - 1, match[0][1:-1])
    first = re.match(r"\w+\s*", match[0])
    if start == 0 and first and is_stopword(first[0].strip().lower()):
        start = first.end()
    return Span(start, stop, sentence[start:stop])


@functools.cache
def kind_nouns() -> frozenset[str]:
    """Stems of the nouns that say what kind of thing is named: `город`, `губернатор`."""
    return frozenset(_asked_nouns())


@functools.cache
def stopwords() -> frozenset[str]:
    """Folded words that say nothing about what a sentence is about."""
    return frozenset(part for line in entries("stopwords.txt") for word in line for part in tokens(word))


@functools.cache
def _question_words() -> dict[str, str]:
    return {word: kind for kind, *words in entries("question_words.txt") for word in words}


@functools.cache
def _asked_nouns() -> dict[str, str]:
    return {stem(tokens(word)[0]): kind for kind, *words in entries("asked_nouns.txt") for word in words}
