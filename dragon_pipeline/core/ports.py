"""What the core asks of the world. Each port has a production part, an embedded default and a fake in adapters/."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl


@dataclass(frozen=True)
class Entity:
    """A Wikidata item or property that a name may mean."""

    wikidata_id: str
    label: str
    description: str
    match: str
    """`label` or `alias`: what the name equalled."""


@dataclass(frozen=True)
class Statement:
    """An item-valued Wikidata statement of normal or preferred rank."""

    statement_id: str
    subject: str
    property: str
    object: str


class KnowledgeBase(Protocol):
    """Wikidata, pinned to one revision."""

    revision: str

    def search(self, name: str, kind: str) -> Sequence[Entity]:
        """Items or properties (`kind`) whose label or alias equals the name, case folded, ё as е."""
        ...

    def statements(self, subject: str) -> Sequence[Statement]:
        """Everything stated about the subject; empty for an unknown id."""
        ...


class Embedder(Protocol):
    name: str

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        ...

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        ...


class EntityFinder(Protocol):
    """Named entities of one language."""

    name: str

    def find(self, article_id: str, text: str) -> list[dict]:
        """Rows of `mentions` for one article."""
        ...


class Extractor(Protocol):
    """Triplets of one language."""

    name: str

    def extract(self, article: dict, mentions: Sequence[dict]) -> list[dict]:
        """Rows of `triplets` for one article (a row of `articles`), dropped ones included.

        `wording`, when not null, is JSON with what the language's rule writer needs; the core reads these keys of it:
        `asks` (ends that can be asked: `head`, `tail`), `alone` (those that the fact alone may ask for), `many` (ends of
        which several can be asked at once), `shapes` (question types in which it may stand), `bridges` (ends at which it
        can stand for, or ask about, a bridge), `apposition` (the two ends stand side by side), `group` (word that a
        sentence with another such pair holds), `named` (a question that describes it names something), `held_back` (why
        the fact is not asked) and `weight` (content words: how much a question about it says).
        """
        ...

    def lemmas(self, text: str) -> list[str]:
        """Lemmas of the words and numbers of a text, for comparing."""
        ...


class Writer(Protocol):
    """Turns subgraphs into questions."""

    name: str

    def write(self, type: str, facts: Sequence[dict], asked: Sequence[str]) -> str:
        """The question. `facts` are rows of `facts` in the order of the subgraph's `fact_ids`.

        Raises:
            ValueError: it cannot be said; the message is the reason, a snake_case word.
        """
        ...


@dataclass(frozen=True)
class Grammar:
    """What a grammar check says of one sentence."""

    acceptable: float
    """0 to 1: how likely a native speaker takes it for well formed"""
    fault: str | None = None
    """a hard fault, as a snake_case word with the place after a colon; the sentence fails whatever the score"""


class GrammarCheck(Protocol):
    """Linguistic acceptability of questions in one language."""

    name: str

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        """One judgement per question, in order."""
        ...


@dataclass(frozen=True)
class Verdict:
    outcome: str
    """`passed`, `failed` or `not_run`."""
    score: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Case:
    """One question with everything a screen may look at."""

    qa: dict
    """row of `qa`"""
    facts: Sequence[dict]
    """its facts, in order"""
    articles: Sequence[dict]
    """its gold articles, rows of `articles`"""
    mentions: Sequence[dict]
    """the named entities of the gold articles, rows of `mentions`"""


class Screen(Protocol):
    """A filter that gives a reason. Adding one: see CONTRIBUTING."""

    name: str
    cheap: bool
    """A cheap screen is run and stored even when an earlier one failed."""

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        """One verdict per case, in order."""
        ...


class Hub(Protocol):
    """Where releases are published: repositories of files with commits and tags."""

    def tags(self, dataset: str) -> dict[str, str]:
        """Tag → commit; empty for a dataset that does not exist yet."""
        ...

    def upload(self, dataset: str, files: dict[str, bytes], message: str, private: bool) -> str:
        """Writes exactly these files as the newest commit and returns it; equal content gives an equal commit."""
        ...

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        """The files at a commit or tag: all, or those of `paths` that are there.

        Raises:
            PublicationFailed: there is no such dataset or revision.
        """
        ...

    def tag(self, dataset: str, name: str, commit: str) -> None:
        """Names a commit; naming it again is no fault, a tag never moves.

        Raises:
            PublicationFailed: the tag names another commit, or there is no such commit.
        """
        ...

    def exclusive(self) -> AbstractContextManager[None]:
        """Held while publishing.

        Raises:
            PublicationFailed: another publisher holds it.
        """
        ...


class Retriever(Protocol):
    name: str

    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        ...


Frame = pl.DataFrame
