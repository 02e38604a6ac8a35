"""Features of a sentence for the acceptability model: n-grams of grammatical tags, dependencies, words; hashed.

The tags are Natasha's (in context) with, for each word, how surprised pymorphy is; nothing is downloaded.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.parsing import taggers

BUCKETS = 16_384


def vectors(sentences: Sequence[str]) -> np.ndarray:
    """One row of `BUCKETS` hashed counts per sentence, each scaled to length 1 within its family; float32."""
    rows = np.zeros((len(sentences), BUCKETS), dtype=np.float32)
    with threadpool_limits(limits=1, user_api="blas"):  # tiny matrices: threads only wait for one another, six times slower
        parsed = list(_parse(sentences))
    for row, tokens in zip(rows, parsed, strict=True):
        for family in (_tag_grams(tokens), _dependencies(tokens), _lexical(tokens), _shape(tokens)):
            counts = Counter(zlib.crc32(feature.encode()) % BUCKETS for feature in family)
            norm = np.sqrt(sum(count * count for count in counts.values())) or 1.0
            for bucket, count in counts.items():
                row[bucket] += count / norm
    return rows


def _tag_grams(tokens: Sequence[Any]) -> Iterator[str]:
    full = ["^", *(_tag(token) for token in tokens), "$"]
    coarse = ["^", *(f"{token.pos}{(token.feats or {}).get('Case', '')}" for token in tokens), "$"]
    for size in (1, 2, 3):
        yield from (f"t{size} " + " ".join(full[at : at + size]) for at in range(len(full) - size + 1))
    for size in (3, 4):
        yield from (f"c{size} " + " ".join(coarse[at : at + size]) for at in range(len(coarse) - size + 1))


def _dependencies(tokens: Sequence[Any]) -> Iterator[str]:
    by_id = {token.id: token for token in tokens}
    children: dict[str, list[str]] = {}
    for token in tokens:
        head = by_id.get(token.head_id)
        children.setdefault(token.head_id, []).append(token.rel)
        feats, above = token.feats or {}, (head.feats or {}) if head else {}
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


def _lexical(tokens: Sequence[Any]) -> Iterator[str]:
    words = ["^", *(token.text.lower() if token.pos in _FUNCTION else _lemma(token) for token in tokens), "$"]
    mixed = ["^", *(token.text.lower() if token.pos in _FUNCTION else _tag(token) for token in tokens), "$"]
    yield from (f"w {word}" for word in words)
    yield from (f"m2 {' '.join(mixed[at : at + 2])}" for at in range(len(mixed) - 1))
    yield from (f"m3 {' '.join(mixed[at : at + 3])}" for at in range(len(mixed) - 2))


def _shape(tokens: Sequence[Any]) -> Iterator[str]:
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


_FUNCTION = frozenset({"ADP", "CCONJ", "SCONJ", "PART", "PRON", "DET", "AUX", "PUNCT", "ADV"})
_CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}


def _tag(token: Any) -> str:
    feats = token.feats or {}
    names = ("Case", "Number", "Gender", "VerbForm", "Tense", "Aspect", "Person", "Degree", "Variant")
    return token.pos + "".join(feats.get(name, "")[:2] for name in names)


def _lemma(token: Any) -> str:
    return analyses(token.text)[0].normal_form


def _mismatch(token: Any) -> bool:
    """The tag that fits the sentence has a case that the word form has not."""
    wanted = _CASES.get((token.feats or {}).get("Case", ""))
    cases = {grammar_rules.case(form) for form in analyses(token.text)}
    return wanted is not None and wanted not in cases and "None" not in cases


def _parse(sentences: Sequence[str]) -> Iterable[Sequence[Any]]:
    from natasha import Doc, Segmenter

    segmenter, (tagger, parser) = Segmenter(), taggers()
    for sentence in sentences:
        doc = Doc(sentence)
        doc.segment(segmenter)
        doc.tag_morph(tagger)
        doc.parse_syntax(parser)
        yield doc.tokens or []
