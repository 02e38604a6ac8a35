"""Question words in the right case: «Какая компания», «в каком городе», «с лидерами каких стран»."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dragon_pipeline.languages.ru.entities import Form
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, inflect
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.phrases import lower_first, render

EUPHONIC = {"во": "в", "со": "с", "ко": "к", "обо": "о", "об": "о"}
"""Prepositions as they stand before a question word."""
WHOM = {"Nom": "кто", "Gen": "кого", "Dat": "кому", "Acc": "кого", "Ins": "кем", "Loc": "ком"}
OBVIOUS = frozenset(("Россия", "США", "РФ", "Российская Федерация"))
"""Countries that are in every second news: «какая страна» with one of them as its only answer asks for nothing."""
GENITIVE = {"страна": ("какой страны", "каких стран"), "город": ("какого города", "каких городов")}


def which(noun: Token, case: str, number: str, preposition: str) -> str | None:
    """«Какая компания», «в каком городе», «с каким банком»."""
    grammeme, many = CASES[case], number == "Plur"
    gender = GENDERS.get(noun.feats.get("Gender", ""), "masc")
    said = inflect(noun.lemma, grammeme, "plur" if many else "sing", pos=("NOUN",), prefer=("nomn", "sing", gender))
    wanted = (grammeme, "plur") if many else (grammeme, gender, "sing")
    if grammeme == "accs" and (many or gender == "masc"):
        wanted = (*wanted, "inan")
    which = inflect("какой", *wanted, pos=("ADJF", "NPRO"))
    if said is None or which is None:
        return None
    return capital(f"{EUPHONIC.get(preposition, preposition)} {which} {said}")


@dataclass(frozen=True)
class Listed:
    """Places in the genitive inside a phrase: «с лидерами Франции, Италии и Австрии»."""

    names: tuple[str, ...]
    first: int
    last: int
    """tokens"""
    noun: str

    def question(self, sentence: Sentence, indices: Sequence[int]) -> str:
        """«С лидерами каких стран», «На переговорах с лидером какой страны в Сочи»."""
        before = lower_first(sentence, list(indices), render(sentence, [i for i in indices if i < self.first]))
        after = render(sentence, [i for i in indices if i > self.last])
        which = GENITIVE[self.noun][len(self.names) > 1]
        return capital(" ".join(part for part in (before, which, after) if part).replace(" ,", ","))


def listed_places(sentence: Sentence, indices: Sequence[int], forms: dict[int, Form]) -> Listed | None:
    """The longest list of countries or of cities in a phrase, or its only one; None when there is none."""
    inside = [n for n in sentence.names if n.kind == "LOC" and n.first in indices and n.last in indices]
    found = [listed for name in inside if (listed := _listed(sentence, name, inside, forms)) and listed.first > indices[0]]
    return max(found, key=lambda listed: (len(listed.names), listed.first), default=None)


def _listed(sentence: Sentence, first: Name, inside: Sequence[Name], forms: dict[int, Form]) -> Listed | None:
    head = sentence.tokens[first.head]
    if head.rel != "nmod" or head.feats.get("Case") != "Gen" or not 0 <= head.head < first.first:
        return None
    if any(sentence.tokens[c].rel == "case" for c in sentence.children[first.head]):
        return None
    linked = [n for n in inside if sentence.tokens[n.head].rel == "conj" and sentence.tokens[n.head].head == first.head]
    names = [first, *linked]
    covered = {i for name in names for i in range(name.first, name.last + 1)}
    between = [sentence.tokens[i].text for i in range(first.first, names[-1].last + 1) if i not in covered]
    if sentence.name_at(names[-1].last + 1) is not None:  # «с президентом Аргентины Маурисио Макри»: the name would follow
        return None
    nouns = {place_noun(forms[name.start].text) for name in names}
    noun = nouns.pop() if len(nouns) == 1 else None
    if noun is None or any(text not in (",", "и") for text in between):
        return None
    return Listed(tuple(forms[name.start].text for name in names), first.first, names[-1].last, noun)


def capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]


_PLACE = re.compile(
    r"(?P<before>.*?)\b(?P<which>как\w+) (?P<noun>стран[аыеуой]+|город(?:а|у|ом|е)?)\b(?P<after>.*)", re.IGNORECASE
)
OF_MEN = {"какого": "которого", "какому": "которому", "каким": "которым", "каком": "котором", "какой": "который"}
OF_WOMEN = {"какой": "которой", "какую": "которую", "какая": "которая"}


def asks_place(ask: str | None) -> bool:
    """Whether a question word asks for one country or one city: «Граждан какой страны»."""
    return ask is not None and _PLACE.fullmatch(ask) is not None


def place_described(ask: str, rest: str) -> tuple[str, str, str]:
    """(«страна», «, граждан которой …», «граждан страны») of «Граждан какой страны» and what was done to them.

    Raises:
        ValueError: the question word asks for no place.
    """
    found = _PLACE.fullmatch(ask)
    if found is None:
        raise ValueError("asks_for_no_place")
    noun = "страна" if found["noun"].startswith("стран") else "город"
    before = found["before"][:1].lower() + found["before"][1:]
    which = (OF_WOMEN if noun == "страна" else OF_MEN).get(found["which"].lower())
    if which is None:
        raise ValueError("asks_for_no_place")
    clause = " ".join(f"{before}{which}{found['after']} {rest}".split())
    return noun, f", {clause}", f"{before}{found['noun']}{found['after']}"
