"""Coordinated names: «Иран, Россия и Турция», «премьер Иван Петров и глава МИД Олег Дымов», «газеты „Маяк“ и „Вестник“».

A list is found whole or not at all: one that goes on with somebody unnamed («и другие»), that the parser hangs on something
outside, or of which one name has no sure nominative, is none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import GENDERS, analyses
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded, render
from dragon_pipeline.languages.ru.wordlists import lines

MOST = 10
LONGEST_ROLE = 9
"""Words of a role between two people of a list."""
LONGEST_TITLE = 7
BRACKETED = 4
"""Words in brackets behind a name that may be left out: «Иван Петров (Россия)»."""
JOINTS = ((",", "а", "также"), ("а", "также"), (",", "и"), (",",), ("и",))
DASHES = ("—", "–", "-", ":")
LATIN = re.compile(r"[A-Za-z0-9 .&'-]+")
HERS = re.compile(r"(?:[оеё]ва|[иы]на|[сц]кая|ая)$")


@dataclass(frozen=True)
class Member:
    text: str
    """in the nominative"""
    kind: str
    noun: str
    """«страна» or «город»; empty where no noun is known"""
    first: int
    last: int
    """tokens of the name, with its quotation marks"""


@dataclass(frozen=True)
class NameList:
    members: tuple[Member, ...]
    first: int
    last: int
    """tokens, from the first member's role or class noun to the last member's name"""
    top: int
    """the token that all hang on"""
    prepositions: tuple[int, ...]
    headed: bool
    """its top is a plural noun that says what all are: «компании „Маяк“ и „Лад“», «две партии: „Маяк“ и „Лад“»"""

    @property
    def indices(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def noun(self) -> str:
        """What all its members are, where they are places: «страна», «город»."""
        nouns = {member.noun for member in self.members}
        return nouns.pop() if len(nouns) == 1 else ""

    @property
    def kind(self) -> str:
        return self.members[0].kind


def name_lists(sentence: Sentence, forms: dict[int, Form]) -> Iterator[NameList]:
    """Every list of two to ten names of one kind in the sentence."""
    if _is_open(sentence):
        return
    for found in (_people(sentence, forms), _places(sentence, forms), _titles(sentence, forms)):
        run: list[Member] = []
        for member in found:
            if run and not _joined(sentence, run[-1], member):
                yield from _whole(sentence, run)
                run = []
            run.append(member)
        yield from _whole(sentence, run)


def _is_open(sentence: Sentence) -> bool:
    """Whether its lists need not be complete: «в том числе», «и другие», «ряд стран»."""
    said = f" {fold(' '.join(t.text for t in sentence.tokens))} "
    return any(f" {phrase} " in said for phrase in lines("open_lists"))


def _people(sentence: Sentence, forms: dict[int, Form]) -> list[Member]:
    return [
        Member(form.text if _is_person(sentence, name, form) else "", "PER", "", name.first, name.last)
        for name in sentence.names
        if name.kind == "PER" and (form := forms[name.start])
    ]


def _is_person(sentence: Sentence, name: Name, form: Form) -> bool:
    """Whether the form is surely a full name in the nominative, and no man's of a woman: «Александр Степанова»."""
    shown = form.text == name.text and sentence.tokens[name.head].feats.get("Case") == "Nom"
    if not (form.sure or shown) or not is_full(form.text):
        return False
    given, surname = form.text.split()[0], form.text.split()[-1]
    genders = {a.tag.gender for a in analyses(given) if "Name" in a.tag and "nomn" in a.tag}
    hers = HERS.search(surname) is not None
    if genders == {"masc"} and hers and any("femn" in a.tag for a in analyses(surname)):
        return False
    if genders == {"femn"} and re.search(r"(?:[оеё]в|[иы]н|[сц]кий)$", surname):
        return False
    tagged = GENDERS.get(sentence.tokens[name.first].feats.get("Gender", ""), "")
    return not (tagged == "femn" and genders == {"masc"}) and not (tagged == "masc" and genders == {"femn"})


def _places(sentence: Sentence, forms: dict[int, Form]) -> list[Member]:
    """Countries and cities by their names in the lists; of others only what stands in the text as it is called."""
    found = []
    for name in sentence.names:
        if name.kind == "LOC":
            text = forms[name.start].text
            noun = place_noun(text) or ""
            found.append(Member(text if noun or text == name.text else "", "LOC", noun, name.first, name.last))
    return found


def _titles(sentence: Sentence, forms: dict[int, Form]) -> list[Member]:
    """What stands in quotation marks, and organisations without marks."""
    found, tokens, at = [], sentence.tokens, 0
    while at < len(tokens):
        name = sentence.name_at(at)
        if tokens[at].text == "«":
            close = next((j for j in range(at + 1, min(at + LONGEST_TITLE + 2, len(tokens))) if tokens[j].text == "»"), 0)
            if close > at + 1:
                found.append(Member(render(sentence, range(at + 1, close)), "ORG", "", at, close))
                at = close
        elif name is not None and name.kind == "ORG" and name.first == at and "«" not in name.text:
            form = forms[name.start]
            whole = form.text == name.text or (form.sure and "«" not in form.text)
            found.append(Member(form.text if whole else "", "ORG", "", name.first, name.last))
            at = name.last
        at += 1
    return found


def _joined(sentence: Sentence, one: Member, other: Member) -> bool:
    """Whether nothing but a comma or «и», a role, a class noun and the preposition again stands between two members."""
    gap = list(sentence.tokens[one.last + 1 : other.first])
    if gap and gap[0].text == "(":
        close = next((k for k, t in enumerate(gap) if t.text == ")"), len(gap))
        gap = gap[close + 1 :] if close <= BRACKETED + 1 else []
    said = [t.text.lower() for t in gap]
    joint = next((joint for joint in JOINTS if tuple(said[: len(joint)]) == joint), None)
    if joint is None:
        return False
    rest = gap[len(joint) :]
    rest = rest[1:] if rest and rest[0].pos == "ADP" else rest
    if other.kind == "PER":
        return _is_role(rest, sentence.tokens[other.first])
    return len(rest) <= 2 and all(t.pos in ("NOUN", "ADJ") and t.text[:1].islower() for t in rest)


def _is_role(rest: Sequence[Token], person: Token) -> bool:
    """Whether the words can be a role of the person behind them."""
    if not rest:
        return True
    if len(rest) > LONGEST_ROLE or any(t.pos in ("VERB", "PRON", "ADV", "SCONJ", "DET") or t.text in ",:;()—–" for t in rest):
        return False
    noun = next((t for t in rest if t.pos == "NOUN"), None)
    return noun is not None and _one_case(noun, person)


def _one_case(one: Token, other: Token) -> bool:
    cases = {one.feats.get("Case"), other.feats.get("Case")}
    return None in cases or len(cases) == 1 or cases == {"Gen", "Acc"}


def _whole(sentence: Sentence, run: Sequence[Member]) -> Iterator[NameList]:
    if not 2 <= len(run) <= MOST or not all(member.text for member in run):
        return
    ands = [_has_and(sentence, one, other) for one, other in pairwise(run)]
    if not ands[-1] or any(ands[:-1]) or len({fold(member.text) for member in run}) < len(run):
        return
    first, last = _left_edge(sentence, run[0]), _right_edge(sentence, run[-1].last)
    tokens = sentence.tokens
    tops = [
        i
        for i in range(first, last + 1)
        if not first <= tokens[i].head <= last and tokens[i].pos not in ("PUNCT", "CCONJ", "ADP") and tokens[i].rel != "case"
    ]
    if len(tops) != 1 or _goes_on(sentence, first, last):
        return
    top, edge = tops[0], first
    whole = _counted(sentence, top, first)
    if whole is not None:
        top, edge = whole
    headed = top < run[0].first and tokens[top].pos == "NOUN" and _is_plural(sentence, top)
    if run[0].kind == "ORG" and not _as_called(sentence, run, top, headed):
        return
    cases = tuple(c for c in sentence.children[top] if tokens[c].rel == "case" and c < top)
    if edge <= top and not any(c >= edge for c in cases):
        yield NameList(tuple(run), edge, last, top, cases, headed)


def _has_and(sentence: Sentence, one: Member, other: Member) -> bool:
    gap = [t.text.lower() for t in sentence.tokens[one.last + 1 : other.first]]
    return gap[:1] == ["и"] or "также" in gap or gap[:2] == [",", "и"] or (")" in gap and "и" in gap)


def _is_plural(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    counted = any(sentence.tokens[c].rel.startswith("nummod") for c in sentence.children[i])
    return sentence.name_at(i) is None and (token.feats.get("Number") == "Plur" or counted)


def _as_called(sentence: Sentence, run: Sequence[Member], top: int, headed: bool) -> bool:
    """Whether titles stand in the nominative: behind a noun that has the case, as subjects, or where they have no cases."""
    beside = headed and sentence.tokens[run[0].first - 1].text not in DASHES
    subject = sentence.tokens[top].feats.get("Case") in ("Nom", None) and sentence.tokens[top].rel.startswith("nsubj")
    return beside or subject or all(LATIN.fullmatch(member.text) for member in run)


def _counted(sentence: Sentence, top: int, first: int) -> tuple[int, int] | None:
    """The plural noun before a dash or colon that the list spells out, with where its phrase begins: «двух стран — Чада и
    Мали»."""
    tokens = sentence.tokens
    noun = tokens[top].head
    if not 0 <= noun < first or first < 1 or tokens[first - 1].text not in DASHES:
        return None
    if tokens[noun].pos != "NOUN" or not _is_plural(sentence, noun) or tokens[top].rel not in ("appos", "parataxis", "conj"):
        return None
    inside = [i for i in sentence.subtree(noun, frozenset({top})) if i < first and tokens[i].pos not in ("ADP", "PUNCT")]
    if not inside or max(inside) != first - 2:
        return None
    edge = noun
    while edge - 1 in inside and tokens[edge - 1].head == noun:
        edge -= 1
    return noun, edge


def _left_edge(sentence: Sentence, member: Member) -> int:
    """Where the first member's role or class noun begins."""
    tokens, first = sentence.tokens, member.first
    head = next((i for i in range(first, member.last + 1) if not first <= tokens[i].head <= member.last), first)
    top = tokens[head].head
    while tokens[first - 1].rel == "amod" and tokens[first - 1].head == head and first:
        first -= 1  # «в сирийском Алеппо»
    if tokens[head].rel not in ("appos", "flat:name", "nmod") or not 0 <= top < first or tokens[top].pos != "NOUN":
        return first
    plural = tokens[top].feats.get("Number") == "Plur" and tokens[head].rel != "nmod"
    if not (plural or member.kind == "PER" or folded(tokens[top]) in CLASS_NOUNS):
        return first
    if tokens[head].rel == "nmod" and not (_one_case(tokens[top], tokens[head]) or tokens[head].feats.get("Case") == "Nom"):
        return first
    inside = [i for i in sentence.subtree(top) if i < first and tokens[i].pos not in ("ADP", "PUNCT")]
    if tokens[top].feats.get("Case") == "Gen" and tokens[head].rel == "nmod":
        return first
    edge = top
    while edge - 1 in inside and tokens[edge - 1].head == top:
        edge -= 1
    return edge


def _right_edge(sentence: Sentence, last: int) -> int:
    """The end of a bracket behind the last name: «Анна Белова (Россия)»."""
    tokens = sentence.tokens
    if last + 1 < len(tokens) and tokens[last + 1].text == "(":
        within = range(last + 2, min(last + BRACKETED + 3, len(tokens)))
        return next((j for j in within if tokens[j].text == ")"), last)
    return last


def _goes_on(sentence: Sentence, first: int, last: int) -> bool:
    """Whether the list has a member outside, by the words beside it or by the parser."""
    tokens = sentence.tokens
    following = tokens[last + 1] if last + 1 < len(tokens) else None
    if following is not None and (
        following.text.lower() in ("и", "или", "либо", "/", "»", "(") or sentence.name_at(last + 1) is not None
    ):
        return True
    if following is not None and following.text in ("-", "–") and following.start == tokens[last].stop:
        return True
    for i in range(first, last + 1):
        if tokens[i].rel == "conj" and not first <= tokens[i].head <= last:
            return True
        if any(tokens[c].rel == "conj" and not first <= c <= last and tokens[c].pos != "VERB" for c in sentence.children[i]):
            return True
    return False
