"""Features of a sentence for the acceptability model: n-grams of grammatical tags, dependencies, words, endings; hashed.

The tags are Natasha's (in context) with, for each word, how surprised pymorphy is; nothing is downloaded.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.parsing import taggers

BUCKETS = 49_152


_SOMEBODY = "Имярек"
_CLAUSE = ", что это так"
_GOING_ON = re.compile(r"[«\"“]([а-яё][^«»\"“”]*)[»\"”]")
_YO = str.maketrans("ёЁ", "еЕ")
_QUOTED = re.compile(r":\s*[«\"“].*[»\"”](?=\s*[?.!…]*\s*$)", re.DOTALL)


@dataclass(frozen=True)
class Word:
    """A token with its tags and its place in the tree, as Natasha names them."""

    id: str
    head_id: str
    rel: str
    text: str
    pos: str
    feats: Mapping[str, str]


@dataclass(frozen=True)
class Vector:
    """The buckets of one sentence that are not 0, in rising order, and what is in them."""

    buckets: np.ndarray
    """int64"""
    values: np.ndarray
    """float64"""


def vectors(sentences: Sequence[str]) -> list[Vector]:
    """One of `BUCKETS` hashed counts per sentence, each scaled to length 1 within its family."""
    with threadpool_limits(limits=1, user_api="blas"):  # tiny matrices: threads only wait for one another, six times slower
        return [_vector(tokens) for tokens in _parse(sentences)]


def _vector(tokens: Sequence[Word]) -> Vector:
    row: dict[int, float] = defaultdict(float)
    for family in (_tag_grams, _dependencies, _lexical, _shape, _endings, _surroundings):
        counts = Counter(zlib.crc32(feature.encode()) % BUCKETS for feature in family(tokens))
        norm = np.sqrt(sum(count * count for count in counts.values())) or 1.0
        for bucket, count in counts.items():
            row[bucket] += count / norm
    buckets = sorted(row)
    return Vector(np.array(buckets, dtype=np.int64), np.array([row[bucket] for bucket in buckets], dtype=np.float64))


def _tag_grams(tokens: Sequence[Word]) -> Iterator[str]:
    full = ["^", *(_tag(token) for token in tokens), "$"]
    coarse = ["^", *(f"{token.pos}{token.feats.get('Case', '')}" for token in tokens), "$"]
    for size in (1, 2, 3):
        yield from (f"t{size} " + " ".join(full[at : at + size]) for at in range(len(full) - size + 1))
    for size in (3, 4):
        yield from (f"c{size} " + " ".join(coarse[at : at + size]) for at in range(len(coarse) - size + 1))


def _dependencies(tokens: Sequence[Word]) -> Iterator[str]:
    by_id = {token.id: token for token in tokens}
    children: dict[str, list[str]] = {}
    for token in tokens:
        head = by_id.get(token.head_id)
        children.setdefault(token.head_id, []).append(token.rel)
        feats, above = token.feats, head.feats if head else {}
        shared = [name for name in ("Case", "Number", "Gender") if name in feats and name in above]
        agreement = "".join("=" if feats[name] == above[name] else "~" for name in shared)
        yield f"d {token.rel} {token.pos}{feats.get('Case', '')} {head.pos if head else 'ROOT'} {agreement}"
        if head:
            yield f"v {token.rel} {token.pos}{feats.get('Case', '')} {_lemma(head)}"
            if token.rel == "case":
                yield f"p {token.text.lower()} {above.get('Case')}"
    for head_id, relations in children.items():
        head = by_id.get(head_id)
        yield f"h {head.pos if head else 'ROOT'} {' '.join(sorted(relations))}"


def _lexical(tokens: Sequence[Word]) -> Iterator[str]:
    words = ["^", *(token.text.lower() if token.pos in _FUNCTION else _lemma(token) for token in tokens), "$"]
    mixed = ["^", *(token.text.lower() if token.pos in _FUNCTION else _tag(token) for token in tokens), "$"]
    yield from (f"w {word}" for word in words)
    yield from (f"m2 {' '.join(mixed[at : at + 2])}" for at in range(len(mixed) - 1))
    yield from (f"m3 {' '.join(mixed[at : at + 3])}" for at in range(len(mixed) - 2))


def _shape(tokens: Sequence[Word]) -> Iterator[str]:
    yield f"n {min(len(tokens) // 4, 10)}"
    words = [token for token in tokens if token.text[0].isalpha()]
    unknown = sum(not known(token.text) for token in words)
    yield f"u {min(unknown, 3)}"
    mismatched = sum(_mismatch(token) for token in words)
    yield f"x {min(mismatched, 3)}"
    strings = [token.text for token in tokens]
    for rule in grammar_rules.MORPHOLOGY_RULES:
        if rule(strings):
            yield f"r {rule.__name__}"


def _endings(tokens: Sequence[Word]) -> Iterator[str]:
    for token in tokens:
        if token.pos in ("NOUN", "ADJ", "VERB", "PROPN", "DET", "PRON"):
            word = token.text.lower()
            yield f"e3 {token.rel} {word[-3:]}"
            yield f"e2 {token.pos}{_case(token)} {word[-2:]}"


def _surroundings(tokens: Sequence[Word]) -> Iterator[str]:
    """A word with the full tag of its head and the side it stands on, with its head's head, subjects with their verbs."""
    by_id = {token.id: token for token in tokens}
    for place, token in enumerate(tokens):
        head = by_id.get(token.head_id)
        if head is None:
            continue
        above = by_id.get(head.head_id)
        side = "L" if any(head is later for later in tokens[place + 1 :]) else "R"
        yield f"dd {token.rel} {side} {token.pos}{_case(token)} {_tag(head)}"
        if above:
            yield f"dg {token.rel} {head.rel} {token.pos}{_case(token)} {head.pos} {above.pos}"
        feats, others = token.feats, head.feats
        if token.rel == "nsubj":
            shared = [name for name in ("Number", "Gender", "Person") if name in feats and name in others]
            agreement = "".join("=" if feats[name] == others[name] else "~" for name in shared)
            yield f"sv {agreement} {others.get('VerbForm', '')} {_case(token)}"
        if token.rel == "case":
            yield f"cs {token.text.lower()} {others.get('Case')} {above.pos if above else ''}"


_FUNCTION = frozenset({"ADP", "CCONJ", "SCONJ", "PART", "PRON", "DET", "AUX", "PUNCT", "ADV"})
_CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}


def _tag(token: Word) -> str:
    feats = token.feats
    names = ("Case", "Number", "Gender", "VerbForm", "Tense", "Aspect", "Person", "Degree", "Variant")
    return token.pos + "".join(feats.get(name, "")[:2] for name in names)


def _case(token: Word) -> str:
    return token.feats.get("Case", "")


def _lemma(token: Word) -> str:
    return analyses(token.text)[0].normal_form


def _mismatch(token: Word) -> bool:
    """The tag that fits the sentence has a case that the word form has not."""
    wanted = _CASES.get(token.feats.get("Case", ""))
    cases = {grammar_rules.case(form) for form in analyses(token.text)}
    return wanted is not None and wanted not in cases and "None" not in cases


def frame(sentence: str) -> str:
    """With a clause in the place of what is quoted word for word after a colon at the end: somebody else's words are not the
    sentence's grammar, but a verb wants its object. Without the quotes around words that go on with the sentence («о «новой
    политике»»), and with «е» for «ё», as in most of what the tagger has learned from."""
    return _GOING_ON.sub(r"\1", _QUOTED.sub(_CLAUSE, grammar_rules.readable(sentence))).translate(_YO)


def _parse(sentences: Sequence[str]) -> Iterable[Sequence[Word]]:
    from natasha import Doc, Segmenter

    segmenter, (tagger, parser) = Segmenter(), taggers()
    for sentence in sentences:
        doc = Doc(frame(sentence))
        doc.segment(segmenter)
        doc.tag_morph(tagger)
        doc.parse_syntax(parser)
        tokens = doc.tokens or []
        foreign = _foreign([token.text for token in tokens])
        yield [_word(token, at in foreign) for at, token in enumerate(tokens)]


def _word(token: Any, foreign: bool) -> Word:
    """Of a name that the dictionary does not know the tagger guesses case and gender, wrongly as often as not: it has none."""
    if foreign:
        return Word(token.id, token.head_id, token.rel, _SOMEBODY, "PROPN", {})
    return Word(token.id, token.head_id, token.rel, token.text, token.pos, token.feats or {})


def _foreign(texts: Sequence[str]) -> set[int]:
    """Places of names that the dictionary does not know, with what else stands in them: «Арвин Вора» is no thief."""
    found: set[int] = set()
    for run in _capitals(texts):
        strange = {at for at in run if not known(texts[at])}
        names = [grammar_rules.is_name(texts[at]) for at in run if at]
        mixed = strange or (any(names) and not all(names))
        found |= strange | (set(run) - {0} if mixed else set())
    return found


def _capitals(texts: Sequence[str]) -> Iterator[list[int]]:
    """Places of words with a capital that stand side by side."""
    capital = [text[0].isupper() and text[0].isalpha() for text in texts]
    for is_run, run in groupby(range(len(texts)), key=lambda at: capital[at]):
        if is_run:
            yield list(run)
