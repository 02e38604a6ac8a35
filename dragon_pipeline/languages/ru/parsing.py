"""Natasha's segmentation, morphology, syntax and names as plain records; one article is parsed once."""

import hashlib
import pickle
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from threadpoolctl import threadpool_limits

from dragon_pipeline.languages.ru.morphology import vocabulary


@dataclass(frozen=True)
class Token:
    """A word of a sentence; `head` is an index into the sentence, -1 for the root."""

    i: int
    text: str
    start: int
    stop: int
    lemma: str
    pos: str
    rel: str
    head: int
    feats: dict[str, str] = field(hash=False)


@dataclass(frozen=True)
class Name:
    """A named entity: `first` and `last` are token indices, both inside it; `head` is its syntactic head."""

    kind: str
    first: int
    last: int
    head: int
    start: int
    stop: int
    text: str
    normal: str


@dataclass(frozen=True)
class Sentence:
    start: int
    stop: int
    text: str
    tokens: tuple[Token, ...]
    names: tuple[Name, ...]
    children: tuple[tuple[int, ...], ...]

    def subtree(self, root: int, without: frozenset[int] = frozenset()) -> list[int]:
        """Sorted indices below and including `root`, leaving out the subtrees of `without`."""
        found: set[int] = set()
        todo = [root]
        while todo:
            i = todo.pop()
            if i in found or i in without:
                continue
            found.add(i)
            todo.extend(self.children[i])
        return sorted(found)

    def name_at(self, i: int) -> Name | None:
        """The named entity that token `i` stands in."""
        return next((name for name in self.names if name.first <= i <= name.last), None)


@dataclass(frozen=True)
class Parsed:
    sentences: tuple[Sentence, ...]

    def names(self) -> Iterator[tuple[Sentence, Name]]:
        for sentence in self.sentences:
            for name in sentence.names:
                yield sentence, name


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    from natasha import Segmenter

    class LineSegmenter(Segmenter):
        """A line ends a sentence: a headline between paragraphs is not the start of the next one."""

        def sentenize(self, text: str) -> Iterator[Any]:
            start = 0
            for line in text.split("\n"):
                for found in super().sentenize(line):
                    sentence: Any = found
                    sentence.start, sentence.stop = sentence.start + start, sentence.stop + start
                    yield sentence
                start += len(line) + 1

    return LineSegmenter()


def sentences(text: str) -> list[tuple[int, int]]:
    """First character and one past the last of each sentence, by rules alone; the same that `parse` gives."""
    found = [(sentence.start, sentence.stop) for sentence in _segmenter().sentenize(text)]
    return [(start, stop) for start, stop in found if text[start:stop].strip()]


@cache
def taggers() -> tuple[Any, Any]:
    """Natasha's morphology tagger and syntax parser, loaded once a process; the grammar check uses them too."""
    from natasha import NewsMorphTagger, NewsSyntaxParser

    return NewsMorphTagger(_embedding()), NewsSyntaxParser(_embedding())


@cache
def _embedding() -> Any:
    from natasha import NewsEmbedding

    return NewsEmbedding()


@cache
def _names() -> Any:
    from natasha import NewsNERTagger

    return NewsNERTagger(_embedding())


@dataclass
class _Kept:
    """A parse, packed: 40 kB of an article of 7,000 characters, where its records take a megabyte."""

    packed: bytes = b""


@lru_cache(maxsize=2_048)
def _kept(_digest: bytes) -> _Kept:
    return _Kept()


@lru_cache(maxsize=64)
def parse(text: str) -> Parsed:
    """The whole text: about 25 articles of 7,000 characters a second and core are morphology, syntax and names.

    The mentions of a whole day are found before its triplets, so parses are kept, packed, until the second step comes.
    """
    kept = _kept(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest())
    if kept.packed:
        return pickle.loads(zlib.decompress(kept.packed))
    parsed = _parse(text)
    kept.packed = zlib.compress(pickle.dumps(parsed, pickle.HIGHEST_PROTOCOL), 1)
    return parsed


@lru_cache(maxsize=256)
def parse_syntax(text: str) -> tuple[Token, ...]:
    """The tokens of one sentence without names and lemmas, a part of the work of `parse`; none when it is not one sentence."""
    from natasha import Doc

    morphology, syntax = taggers()
    doc = Doc(text)
    doc.segment(_segmenter())
    with threadpool_limits(limits=1, user_api="blas"):
        doc.tag_morph(morphology)
        doc.parse_syntax(syntax)
    sents = doc.sents or ()
    return tuple(_tokens(sents[0])) if len(sents) == 1 else ()


def _parse(text: str) -> Parsed:
    from natasha import Doc

    if not text.strip():  # Natasha's tagger takes no text without words
        return Parsed(())
    morphology, syntax = taggers()
    doc = Doc(text)
    doc.segment(_segmenter())
    with threadpool_limits(limits=1, user_api="blas"):  # tiny matrices: threads only wait for one another
        doc.tag_morph(morphology)
        doc.parse_syntax(syntax)
        doc.tag_ner(_names())
    for span in doc.spans or ():
        span.normalize(vocabulary())
    return Parsed(tuple(_sentence(sent) for sent in doc.sents or () if sent.tokens))


def _sentence(sent: Any) -> Sentence:
    vocab = vocabulary()
    for token in sent.tokens:
        token.lemmatize(vocab)
    tokens = _tokens(sent)
    children: list[list[int]] = [[] for _ in tokens]
    for token in tokens:
        if token.head >= 0:
            children[token.head].append(token.i)
    found = [name for span in sent.spans if (name := _name(span, tokens)) is not None]
    return Sentence(sent.start, sent.stop, sent.text, tuple(tokens), tuple(found), tuple(tuple(c) for c in children))


def _tokens(sent: Any) -> list[Token]:
    places = {token.id: i for i, token in enumerate(sent.tokens)}
    tokens = []
    for i, token in enumerate(sent.tokens):
        head = places.get(token.head_id, -1)
        head = -1 if head == i else head
        tokens.append(Token(i, token.text, token.start, token.stop, token.lemma or "", token.pos, token.rel, head, token.feats))
    return tokens


def _name(span: Any, tokens: list[Token]) -> Name | None:
    inside = [token.i for token in tokens if token.start >= span.start and token.stop <= span.stop]
    if not inside:
        return None
    if span.type == "PER":  # «Марк Цукерберг (Mark Zuckerberg)»: the name ends at the bracket
        inside = inside[: next((at for at, i in enumerate(inside) if at and tokens[i].text == "("), None)]
    first, last = inside[0], inside[-1]
    whole = last + 1 == len(tokens) or tokens[last + 1].start >= span.stop
    stop = span.stop if whole else tokens[last].stop
    normal = (span.normal or span.text) if whole else (span.normal or span.text).split("(")[0].strip()
    head = next((i for i in inside if not first <= tokens[i].head <= last), first)
    return Name(span.type, first, last, head, span.start, stop, span.text[: stop - span.start], normal)
