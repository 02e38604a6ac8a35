"""Under which other names Wikidata may know what a Russian text calls by one."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from dragon_pipeline.core.knowledge.names import Variant, fold, plain
from dragon_pipeline.languages.ru.lemmas import lemma
from dragon_pipeline.languages.ru.morphology import analyses, inflect
from dragon_pipeline.languages.ru.wordlists import lines, words

QUOTED = re.compile(r"[«„“\"]([^«»„“”\"]+)[»“”\"]")
PATRONYMIC = re.compile(r"\w+(?:[оеё]вич|[оеё]вна|ьич|инична|ична)|оглы|кызы")
COPULAS = ("быть", "являться", "стать", "становиться", "оставаться")


def variants(name: str, kind: str) -> Sequence[Variant]:
    """The name itself and its look-alike, then what is left of it without what Wikidata's labels leave out, surest first.

    Args:
        name: normal form.
        kind: PER, LOC, ORG, WORK, ROLE or OTHER; empty for a relation.
    """
    more = VARIANTS.get(kind, lambda _: iter(()))
    found: dict[str, Variant] = {}
    for variant in (*plain(name, kind), *more(name)):
        if folded := fold(variant.name):
            found.setdefault(folded, replace(variant, name=folded))
    return list(found.values())


def _person(name: str) -> Iterator[Variant]:
    parts = _parts(name)
    if len(parts) < 2:
        return
    *given, surname = parts
    yield Variant(f"{surname}, {' '.join(given)}", "order")
    if len(given) == 2 and PATRONYMIC.fullmatch(given[1]):
        yield Variant(f"{given[0]} {surname}", "without_patronymic")
        yield Variant(f"{surname}, {given[0]}", "without_patronymic")
    yield Variant(surname, "surname", (surname, *given))


def _parts(name: str) -> list[str]:
    """Folded, given names first: «Обама, Барак» and «Обама Б.» too."""
    surname, comma, given = name.partition(",")
    parts = fold(f"{given} {surname}" if comma else name).split()
    while len(parts) > 1 and len(parts[0]) > 1 and all(len(part) == 1 for part in parts[1:]):
        parts = [*parts[1:], parts[0]]
    return parts


def _place(name: str) -> Iterator[Variant]:
    yield from _without(name, words("place_classes"))


def _organisation(name: str) -> Iterator[Variant]:
    yield from _without(name, words("legal_forms"))
    yield from _without(name, words("org_nouns") | words("legal_forms"))
    yield from _quoted(name)
    yield from _expanded(name)


def _role(name: str) -> Iterator[Variant]:
    yield from _expanded(name)
    if name.isalpha():
        yield Variant(lemma(name), "singular")


def _expanded(name: str) -> Iterator[Variant]:
    """«МВД РФ» as «МВД Российской Федерации»."""
    parts = fold(name).split()
    whole = " ".join(_pairs("expansions").get(part, part) for part in parts)
    if whole.split() != parts:
        yield Variant(whole, "expanded")


def _work(name: str) -> Iterator[Variant]:
    yield from _without(name, words("work_nouns"))
    yield from _quoted(name)


def _quoted(name: str) -> Iterator[Variant]:
    """What stands in quotation marks, when they enclose one thing: two are two names."""
    found = QUOTED.findall(name)
    if len(found) == 1:
        yield Variant(fold(found[0]), "quoted")


def _without(name: str, left_out: frozenset[str]) -> Iterator[Variant]:
    """Class words in lower case, and legal forms, before it and behind it."""
    parts = name.split()
    kept = list(parts)
    while len(kept) > 1 and _is_class(kept[0], left_out):
        kept.pop(0)
    while len(kept) > 1 and fold(kept[-1]) in left_out & words("legal_forms"):
        kept.pop()
    if kept != parts:
        yield Variant(fold(" ".join(kept)), "without_class")


def _is_class(word: str, left_out: frozenset[str]) -> bool:
    return fold(word) in left_out and (word[:1].islower() or fold(word) in words("legal_forms"))


def _relation(name: str) -> Iterator[Variant]:
    """The property that a verb stands for; «быть председателем» is the property «председатель»."""
    if named := _pairs("relations").get(fold(name)):
        yield Variant(named, "verb")
    first, _, rest = name.partition(" ")
    if first not in COPULAS or not rest:
        return
    noun, _, behind = rest.partition(" ")
    if any(a.tag.POS == "NOUN" and "ablt" in a.tag for a in analyses(noun)[:1]):
        nominative = inflect(noun, "nomn", pos=("NOUN",), prefer=("ablt",))
        if nominative:
            yield Variant(fold(f"{nominative} {behind}"), "copula")


@cache
def _pairs(name: str) -> dict[str, str]:
    """Of a word list with lines of `this = that`, folded."""
    return {fold(this): fold(that) for this, _, that in (line.partition("=") for line in lines(name))}


VARIANTS: dict[str, Callable[[str], Iterator[Variant]]] = {
    "PER": _person,
    "LOC": _place,
    "ORG": _organisation,
    "WORK": _work,
    "ROLE": _role,
    "OTHER": _quoted,
    "": _relation,
}
