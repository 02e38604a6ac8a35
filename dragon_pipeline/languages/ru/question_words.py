"""Question words in the right case: «Какая компания», «в каком городе», «с лидерами каких стран»."""

from collections.abc import Sequence
from dataclasses import dataclass

from dragon_pipeline.languages.ru.entities import Form
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import lower_first, render

WHOM = {"Nom": "кто", "Gen": "кого", "Dat": "кому", "Acc": "кого", "Ins": "кем", "Loc": "ком"}
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
    if preposition in ("во", "со", "ко", "об"):
        preposition = {"во": "в", "со": "с", "ко": "к", "об": "о"}[preposition]
    return capital(f"{preposition} {which} {said}")


@dataclass(frozen=True)
class Listed:
    """Places that end a phrase in the genitive: «с лидерами Франции, Италии и Австрии»."""

    names: tuple[str, ...]
    first: int
    noun: str

    def question(self, sentence: Sentence, indices: Sequence[int]) -> str:
        """«С лидерами каких стран», «с лидером какой страны»."""
        before = lower_first(sentence, list(indices), render(sentence, [i for i in indices if i < self.first]))
        which = GENITIVE[self.noun][len(self.names) > 1]
        return capital(f"{before} {which}")


def listed_places(sentence: Sentence, indices: Sequence[int], forms: dict[int, Form]) -> Listed | None:
    last = sentence.name_at(indices[-1])
    if last is None or last.kind != "LOC":
        return None
    head = sentence.tokens[last.head]
    first = sentence.name_at(head.head) if head.rel == "conj" else last
    if first is None or first.kind != "LOC":
        return None
    start = sentence.tokens[first.head]
    names = [
        n
        for n in sentence.names
        if n is first or (sentence.tokens[n.head].rel == "conj" and sentence.tokens[n.head].head == first.head)
    ]
    inside = [i for i in indices if i >= first.first]
    covered = {i for n in names for i in range(n.first, n.last + 1)}
    if start.rel != "nmod" or start.feats.get("Case") != "Gen" or start.head not in indices or start.head >= first.first:
        return None
    if any(sentence.tokens[c].rel == "case" for c in sentence.children[first.head]) or first.first <= indices[0]:
        return None
    if any(i not in covered and sentence.tokens[i].text not in (",", "и") for i in inside):
        return None
    nouns = {place_noun(forms[n.start].text) for n in names}
    noun = nouns.pop() if len(nouns) == 1 else None
    return Listed(tuple(forms[n.start].text for n in names), first.first, noun) if noun else None


def capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
