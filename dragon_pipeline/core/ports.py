"""What the core asks of the world. Each port has a production part, an embedded default and a fake in adapters/."""

from collections.abc import Iterable, Sequence
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
        """Rows of `triplets` for one article (a row of `articles`), dropped ones included."""
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

    def read(self, dataset: str, revision: str) -> dict[str, bytes]:
        """All files at a commit or tag."""
        ...

    def tag(self, dataset: str, name: str, commit: str) -> None:
        """Names a commit; a tag never moves."""
        ...


class Retriever(Protocol):
    name: str

    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        ...


Frame = pl.DataFrame
