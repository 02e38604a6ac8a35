"""Natasha's segmentation, morphology, syntax and names as plain records; one article is parsed once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
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
def _models() -> tuple[Any, Any, Any, Any]:
    from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser, Segmenter

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

    embedding = NewsEmbedding()
    return LineSegmenter(), NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)


@lru_cache(maxsize=256)
def parse(text: str) -> Parsed:
    """The whole text: about 25 articles of 7,000 characters a second and core are morphology, syntax and names."""
    from natasha import Doc

    if not text.strip():  # Natasha's tagger takes no text without words
        return Parsed(())
    segmenter, morphology, syntax, names = _models()
    doc = Doc(text)
    doc.segment(segmenter)
    with threadpool_limits(limits=1, user_api="blas"):  # tiny matrices: threads only wait for one another
        doc.tag_morph(morphology)
        doc.parse_syntax(syntax)
        doc.tag_ner(names)
    for span in doc.spans or ():
        span.normalize(vocabulary())
    return Parsed(tuple(_sentence(sent) for sent in doc.sents or () if sent.tokens))


def _sentence(sent: Any) -> Sentence:
    places = {token.id: i for i, token in enumerate(sent.tokens)}
    vocab = vocabulary()
    tokens = []
    for i, token in enumerate(sent.tokens):
        token.lemmatize(vocab)
        head = places.get(token.head_id, -1)
        tokens.append(
            Token(
                i,
                token.text,
                token.start,
                token.stop,
                token.lemma,
                token.pos,
                token.rel,
                -1 if head == i else head,
                token.feats,
            )
        )
    children: list[list[int]] = [[] for _ in tokens]
    for token in tokens:
        if token.head >= 0:
            children[token.head].append(token.i)
    found = [name for span in sent.spans if (name := _name(span, tokens)) is not None]
    return Sentence(sent.start, sent.stop, sent.text, tuple(tokens), tuple(found), tuple(tuple(c) for c in children))


def _name(span: Any, tokens: list[Token]) -> Name | None:
    inside = [token.i for token in tokens if token.start >= span.start and token.stop <= span.stop]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    head = next((i for i in inside if not first <= tokens[i].head <= last), first)
    return Name(span.type, first, last, head, span.start, span.stop, span.text, span.normal or span.text)
