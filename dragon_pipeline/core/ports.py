"""What the core asks of the world. Each port has a production part, an embedded default and a fake in adapters/."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dragon_pipeline.core.language_model import LOST, UNREADABLE, LanguageModel
from dragon_pipeline.core.prompts import Prompt


@dataclass(frozen=True)
class Entity:
    """A Wikidata item or property that a name may mean."""

    wikidata_id: str
    label: str
    description: str
    match: str
    """`label` or `alias`: what the name equalled."""
    sitelinks: int = 0
    """pages of Wikimedia projects about it: how well known it is"""
    types: tuple[str, ...] = ()
    """what it is an instance of (P31)"""


@dataclass(frozen=True)
class Statement:
    """An item-valued Wikidata statement of normal or preferred rank."""

    statement_id: str
    subject: str
    property: str
    object: str


@dataclass(frozen=True)
class Stated:
    """What is stated about one subject, and at which revision that was read (a dump's date, or the item's `lastrevid`)."""

    revision: str
    statements: tuple[Statement, ...] = ()


class KnowledgeBase(Protocol):
    """Wikidata. An outage raises: what cannot be looked up is never taken for new."""

    revision: str
    """of the whole: `bundled-…`, `dump-2026-11-01`, or `api`, where every item has its own"""

    def search(self, names: Sequence[str], kind: str) -> Sequence[Sequence[Entity]]:
        """For each name the items or properties (`kind`) with a label or alias that equals it when folded (names.fold).

        Raises:
            Unreachable: it does not answer.
        """
        ...

    def stated(self, subjects: Sequence[str]) -> Mapping[str, Stated]:
        """Everything stated about each subject; no statements for an unknown id. Properties state their inverse (P1696).

        Raises:
            Unreachable: it does not answer.
        """
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine."""

    name: str

    def put(self, ids: Sequence[str], vectors: np.ndarray) -> None:
        """Adds or replaces unit vectors, shape (len(ids), dimensions), float32."""
        ...

    def nearest(self, queries: np.ndarray, k: int, among: Sequence[Sequence[str]]) -> list[list[tuple[str, float]]]:
        """For each query the k nearest of its `among`, best first, ties by id, exact; ids that were never put are left out."""
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

    def find(self, articles: Sequence[dict]) -> Iterable[dict]:
        """Rows of `mentions` for rows of `articles`."""
        ...


class Engine(Protocol):
    """What may be done by rules or by a model."""

    name: str
    """`rules`, or the model's name"""

    @property
    def models(self) -> Sequence[LanguageModel]:
        """The models that it asks; none for rules."""
        ...

    @property
    def prompts(self) -> Sequence[Prompt]:
        """The prompts that it asks them with."""
        ...


class Extractor(Engine, Protocol):
    """Triplets of one language."""

    def extract(self, articles: Sequence[dict], mentions: Mapping[str, Sequence[dict]]) -> Iterable[dict]:
        """Rows of `triplets` for rows of `articles`, dropped ones included; an article that could not be read is a row with
        status `failed`, the reason, and the raw reply.

        `mentions`: article_id → its rows of `mentions`.

        `wording`, when not null, is JSON with what the language's rule writer needs; the core reads these keys of it:
        `asks` (ends that can be asked: `head`, `tail`), `alone` (those that the fact alone may ask for), `many` (ends of
        which several can be asked at once), `shapes` (question types in which it may stand), `bridges` (ends at which it
        can stand for, or ask about, a bridge), `apposition` (the two ends stand side by side), `group` (word that a
        sentence with another such pair holds), `named` (a question that describes it names something), `held_back` (why
        the fact is not asked), `weight` (content words: how much a question about it says) and `compare` (`key`: the relation
        under which its value compares with others').
        """
        ...

    def lemmas(self, text: str, /) -> list[str]:
        """Lemmas of the words and numbers of a text, for comparing."""
        ...


@dataclass(frozen=True)
class Naming:
    """A name of a triplet that is to be given its canonical form."""

    kind: str
    """`item` or `property`"""
    name: str
    name_kind: str
    """PER, LOC, ORG, … as in `triplets`; empty for a property"""
    context: str
    """the evidence sentence"""
    candidates: Sequence[dict]
    """rows of `candidates`, best first, at most five; may be empty"""


@dataclass(frozen=True)
class Choice:
    """What a name was taken for."""

    wikidata_id: str | None
    """of one of the candidates; None: the name is kept as it is"""
    why: str
    """`picked`, `kept`, `no_candidates`, `too_far`, `ambiguous`, `not_linked_by_rules`, or a model's failure: the reason of its
    reply, or `no_such_candidate`"""

    @property
    def failed(self) -> bool:
        """The model said nothing usable: the name may well be one of the candidates."""
        return self.why.split(":")[0] in LOST | UNREADABLE | {"no_such_candidate"}


class Normaliser(Engine, Protocol):
    """Picks one of a name's candidates, or keeps the name."""

    def choose(self, namings: Sequence[Naming]) -> Sequence[Choice]:
        """One choice per name, in order."""
        ...


@dataclass(frozen=True)
class Sketch:
    """A subgraph that is to be worded."""

    type: str
    facts: Sequence[dict]
    """rows of `facts` in the order of the subgraph's `fact_ids`"""
    asked: Sequence[str]
    """names of the asked nodes: the answers"""
    given: Sequence[str] = ()
    """names that the question mentions"""
    bridge: str | None = None
    direction: str | None = None
    """of `comparison`: whose value is asked for, `more` (later) or `less` (earlier)"""


@dataclass(frozen=True)
class Written:
    """A question, or why there is none: a snake_case word, details after a colon, and a model's raw reply."""

    question: str | None = None
    reason: str | None = None
    raw: str | None = None
    answers: Sequence[str] | None = None
    """the asked names as a reader should see them («Нелюбовь» in its quotation marks); None: as they are"""


class Writer(Engine, Protocol):
    """Turns subgraphs into questions."""

    def write(self, sketches: Sequence[Sketch]) -> Sequence[Written]:
        """One per sketch, in order."""
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
    """0 to 1, a judge's 0 to 2, and more is better: of a passed question it counts for the rank; None: nothing was measured"""
    reason: str | None = None
    evidence: str | None = None
    """what it rests on, where there is something to show: replies of models as JSON"""


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
