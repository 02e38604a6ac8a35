"""Where a name stands in a text: its words in its order and close together, in any case of a language that inflects."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragon_pipeline.core.knowledge.names import INVISIBLE, STRESS, fold

Lemmas = Callable[[str], list[str]]
STEM = 3
"""Letters that two forms of one word share at least; what follows may be two shorter."""
ENDINGS = frozenset(
    "а я о е ы и у ю ь й ой ей ый ий ая яя ое ее ые ие ую юю ом ем ым им ою ею ам ям ах ях ых их ов ев ью ия ию "
    "ого его ому ему ами ями ыми ими".split()
) | {""}
"""What one word may end with in two forms of which a dictionary that guesses makes two lemmas."""
FLEETING = ("е", "о")
"""Vowels that come and go before the last consonant: «отец», «отца»."""
SHORTEST_LEFT_OUT = 4
"""Letters of a word that may be left out: shorter ones are mostly prepositions, and «банк в Москве» is no «банк Москвы»."""

_MARKS = re.compile(f"[{STRESS}{INVISIBLE}]")
_TOKEN = re.compile(rf"[^\W_](?:[{STRESS}{INVISIBLE}]*[^\W_])*")
_BREAK = re.compile(r"[\n;:()\[\]!?…—–]|,(?=.)|\s-+(?=\s)")
_SURNAME = re.compile(r"(?:[оеё]в|[иы]н)(?:а|у|ым|ой|е|ы|ых|ыми)?")


@dataclass(frozen=True)
class Word:
    """A word of a text; those of a hyphenated one are told apart."""

    start: int
    form: str
    """as written, folded"""
    lemma: str
    capital: bool
    part: int
    """number of commas, dashes, brackets, full stops before it: two words of one part have none in between"""
    joined: bool
    """by a hyphen to the word before"""


def words(text: str, lemmas: Lemmas, offset: int = 0) -> list[Word]:
    """The words of a text in order; `offset` is where the text begins in that of which the starts are to be."""
    found: list[Word] = []
    part = stop = 0
    for match in _TOKEN.finditer(text):
        between, written = text[stop : match.start()], _MARKS.sub("", match[0])
        if found:
            part += len(_BREAK.findall(between)) + ("." in between and len(found[-1].form) > 1)  # of «А. Громов» it is no end
        lemma = " ".join(lemmas(written)) or fold(written)
        joined = bool(found) and between == "-"
        found.append(Word(offset + match.start(), fold(written), lemma, written[:1].isupper(), part, joined))
        stop = match.end()
    return found


def stands(name: Sequence[Word], text: Sequence[Word], left_out: Callable[[Word], bool] | None = None) -> bool:
    """Whether the words of the name stand in the text in this order, with at most half as many others in between, or one.

    Between two of them stands no comma, bracket or dash that the name does not have; but what stands between two of these, like
    a clause, may be left out. What else may be is told by `left_out` (unless said: words of four letters and more). A word of a
    hyphenated one alone is not it.
    """
    left_out = left_out or _is_long
    most = max(1, len(name) // 2)
    reached = {at: 0 for at, word in enumerate(text) if name and not word.joined and is_same(name[0], word)}
    for one, following in pairwise(name):
        further: dict[int, int] = {}
        for at, used in reached.items():
            for to in range(at + 1, min(at + 2 + most - used, len(text))):
                if is_same(following, text[to]) and _may_skip(text[at : to + 1], one.part != following.part, left_out):
                    further[to] = min(further.get(to, most), used + to - at - 1)
        reached = further
    return any(at + 1 == len(text) or not text[at + 1].joined for at in reached)


def _may_skip(run: Sequence[Word], broken: bool, left_out: Callable[[Word], bool]) -> bool:
    """Whether all between the first and the last word of a run may be left out; `broken`: the name has a break there too."""
    breaks, between = run[-1].part - run[0].part, run[1:-1]
    if breaks and not broken:
        return bool(between) and breaks > 1 and run[0].part < between[0].part and between[-1].part < run[-1].part
    return all(left_out(word) for word in between)


def _is_long(word: Word) -> bool:
    return len(word.form) >= SHORTEST_LEFT_OUT and not word.joined


def is_same(one: Word, other: Word) -> bool:
    """Whether two words as written are forms of one; a dictionary takes «Северов» for many a «Север», which it is not."""
    if one.capital and other.capital and _surname_of(one.form, other.form):
        return False
    return same_word(one.lemma, other.lemma) or same_word(one.form, other.form)


def _surname_of(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and _SURNAME.fullmatch(long, len(short)) is not None


def occurs(name: Sequence[str], among: Sequence[str]) -> bool:
    """Whether all lemmas of a name are among others, in any order."""
    return bool(name) and all(any(same_word(one, other) for other in among) for one in name)


def same_word(one: str, other: str) -> bool:
    """Whether two lemmas are of one word: lemmas of unknown names differ by case, so their ends may, in each part of a
    hyphenated one."""
    parts, others = one.split("-"), other.split("-")
    return len(parts) == len(others) and all(map(_same, parts, others))


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if shared < STEM:
        return False
    ends = one[shared:], other[shared:]
    inflected = all(end in ENDINGS and len(end) <= shared - 2 for end in ends)  # of a short stem nearly anything has a long end
    return inflected or any(vowel + ends[a] == ends[1 - a] for vowel in FLEETING for a in (0, 1))
