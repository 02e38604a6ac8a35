"""What a value is said of: a named person, organisation, place or work as it stands in a question."""

import re
from dataclasses import dataclass

from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import GENDERS, analyses, known
from dragon_pipeline.languages.ru.names import PATRONYMIC
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded, name_of, quoted, render
from dragon_pipeline.languages.ru.wordlists import words

_MANS_GENITIVE = re.compile(r"[бвгджзклмнпрстфхцчшщ]а$(?<!ова)(?<!ева)(?<!ёва)(?<!ина)(?<!ына)")
LONGEST_NAME = 6
"""Words of a name; what is longer is a description."""


@dataclass(frozen=True)
class Named:
    text: str
    kind: str
    said: str
    """in the nominative, with its class noun where it has one: «компания «Полярис»»"""
    noun: str
    """the class noun; empty for a person and for a name alone"""
    gender: str
    """masc, femn, neut or plur"""


def named(sentence: Sentence, i: int, forms: dict[int, Form]) -> Named | None:
    """Who or what token `i` heads, when its nominative is sure and it is one thing."""
    token = sentence.tokens[i]
    if token.feats.get("Number") == "Plur" or _is_one_of_several(sentence, i):
        return None
    name = name_of(sentence, i)
    if name is not None and name.kind == "PER":
        return _person(sentence, i, forms[name.start], name)
    if folded(token) in CLASS_NOUNS | words("thing_nouns") and sentence.name_at(i) is None:
        return _classed(sentence, token, name, forms)
    if name is None or name.head != i or any(sentence.tokens[c].rel == "nmod" for c in sentence.children[i] if c > name.last):
        return None  # «Европейский фонд в поддержку демократии»: the name goes on
    form = forms[name.start]
    foreign = re.fullmatch(r"[A-Z][A-Za-z0-9 .-]+", form.text) is not None and name.kind == "ORG"  # it has no cases
    gender = _gender(form.text) or GENDERS.get(token.feats.get("Gender", ""), "masc" if foreign else "")
    noun = place_noun(form.text) if name.kind == "LOC" else ""
    fit = (form.sure or foreign) and gender and noun is not None and not {fold(form.text)} & words("common_organisations")
    if not fit or len(form.text.split()) > LONGEST_NAME or any(c in form.text for c in '«»"'):
        return None
    return Named(form.text, name.kind, form.text, noun or "", gender)


def _is_one_of_several(sentence: Sentence, i: int) -> bool:
    return any(sentence.tokens[c].rel == "conj" and sentence.tokens[c].pos in ("NOUN", "PROPN") for c in sentence.children[i])


def _person(sentence: Sentence, i: int, form: Form, name: Name) -> Named | None:
    if not form.sure or not is_full(form.text) or len(form.text.split()) > LONGEST_NAME:
        return None
    last = form.text.split()[-1]
    if PATRONYMIC.fullmatch(fold(last)) and known(last) and not any("Surn" in a.tag for a in analyses(last)):  # «Борис Львович»
        return None
    if form.text.split()[0].endswith(("а", "я")) and _MANS_GENITIVE.search(form.text):
        return None  # «поэта Яна Шенкмана», which the tagger takes for a woman
    others = [n for n in sentence.names if n.kind == "PER" and n is not name and n.head in sentence.children[i]]
    gender = GENDERS.get(sentence.tokens[name.first].feats.get("Gender", ""), "masc")
    return None if others else Named(form.text, "PER", form.text, "", gender)


def _classed(sentence: Sentence, noun: Token, name: Name | None, forms: dict[int, Form]) -> Named | None:
    span = quoted(sentence, noun.i)
    lemma, gender = folded(noun), _gender(folded(noun))
    kind = "WORK" if lemma in words("work_nouns") else "ORG"
    if span is not None:
        title = render(sentence, range(span[0], span[1] + 1))
        return Named(title, kind, f"{noun.lemma} «{title}»", lemma, gender) if gender else None
    if name is None or not forms[name.start].sure or not gender or lemma in fold(forms[name.start].text).split():
        return None
    kind = name.kind if name.kind == "LOC" else kind
    text = forms[name.start].text
    return Named(text, kind, f"{noun.lemma} {text}", lemma, gender) if len(text.split()) < LONGEST_NAME else None


def _gender(words_: str) -> str:
    """Of a noun in the nominative that the dictionary knows: of the first noun of a name."""
    for word in words_.split():
        tags = [a.tag for a in analyses(word) if a.tag.POS == "NOUN" and "nomn" in a.tag]
        if tags:
            return "plur" if "plur" in tags[0] else tags[0].gender or ""
    return ""
