"""Extractive answers: the sentence of the retrieved chunks that fits the question best, cut to the span that answers it.

Plain and without a model: the floor that a system with one should beat.
"""

import math
from collections import Counter
from collections.abc import Sequence

from rag_bench.sentences import sentences
from rag_bench.spans import Asked, Span, asked, content_stems, find_spans
from rag_bench.tokens import stems

MOST_ITEMS = 10


def extractive_answer(question: str, chunk_texts: Sequence[str]) -> str:
    """The answer found in the chunks, best chunk first; empty when there are none."""
    candidates = list(dict.fromkeys(sentence for text in chunk_texts for sentence in sentences(text)))
    if not candidates:
        return ""
    wanted, fits = asked(question), _fits(question, candidates)
    order = sorted(range(len(candidates)), key=lambda place: (-fits[place], place))
    best = order[0]
    for place in order:
        spans = _new_spans(candidates[place], question, wanted)
        if spans and fits[place] >= fits[best] / 2:
            return _cut(candidates[place], question, wanted, spans)
    return _rest(candidates[best], question)


def _fits(question: str, candidates: Sequence[str]) -> list[float]:
    """How much of the question each sentence repeats: summed rarity of the shared stems, 0 to 1."""
    found = [set(content_stems(sentence)) for sentence in candidates]
    spread = Counter(stem for one in found for stem in one)
    rarity = {stem: math.log(1 + len(found) / max(spread[stem], 0.5)) for stem in sorted(set(content_stems(question)))}
    whole = sum(rarity.values()) or 1.0
    return [round(math.fsum(weight for stem, weight in rarity.items() if stem in one) / whole, 6) for one in found]


def _new_spans(sentence: str, question: str, wanted: Asked) -> list[Span]:
    """Spans of the asked kind that the question does not name already."""
    named = set(stems(question))
    return [span for span in find_spans(sentence, wanted.kind) if not set(stems(span.text)) <= named]


def _cut(sentence: str, question: str, wanted: Asked, spans: Sequence[Span]) -> str:
    """All spans for a question that wants several, else the one nearest to the words of the question."""
    if wanted.several:
        return ", ".join(list(dict.fromkeys(_rest(span.text, question) for span in spans))[:MOST_ITEMS])
    places = _places(sentence, question)
    nearest = min(spans, key=lambda span: sum(min(abs(place - span.start), abs(place - span.stop)) for place in places))
    return _rest(nearest.text, question)


def _places(sentence: str, question: str) -> list[int]:
    """Where words of the question stand in the sentence."""
    named, places, at = set(content_stems(question)), [], 0
    for word in sentence.split():
        at = sentence.index(word, at)
        if named & set(stems(word)):
            places.append(at)
        at += len(word)
    return places


def _rest(passage: str, question: str) -> str:
    """The passage without what it repeats of the question at either end; whole if that is everything."""
    named = set(stems(question))
    words = passage.split()
    while words and set(stems(words[0])) <= named:
        words.pop(0)
    while words and set(stems(words[-1])) <= named:
        words.pop()
    return " ".join(words).strip(" .,;:!?…—–-") or passage
