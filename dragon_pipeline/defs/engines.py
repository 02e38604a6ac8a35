"""What stands behind each port, chosen by the settings: made when a run first needs it and kept for the process, so that
models are loaded once, however many days are run."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.annotations import Guide
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.knowledge.names import Variants
from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.ports import (
    Embedder,
    EntityFinder,
    Extractor,
    KnowledgeBase,
    Normaliser,
    Screen,
    VectorIndex,
    Writer,
)
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline.core.screening.model_judge import ModelJudge
from dragon_pipeline.core.screening.model_memory import ModelMemory
from dragon_pipeline.core.screening.model_proof import ModelReader
from dragon_pipeline.core.settings import ModelSettings
from dragon_pipeline.defs.resources import home, secret, settings, source_commit, tables

if TYPE_CHECKING:
    from dragon_pipeline.adapters.llm.budget import Budget
    from dragon_pipeline.languages.ru.grammar import GuardedGrammar, RussianGrammar

NO_RUN = "none"
"""what is asked outside of a run, by `dragon doctor`, counts for"""


@cache
def entity_finder() -> EntityFinder:
    from dragon_pipeline.languages.ru.entities import NatashaEntities

    return NatashaEntities()


@cache
def budget() -> "Budget":
    """What a run may spend on models; shared by all of them."""
    from dragon_pipeline.adapters.llm.budget import Budget

    models = settings().models
    return Budget(home().replies, NO_RUN, models.run_tokens, models.run_money)


def begin(run_id: str) -> None:
    """From now on what models cost counts for this run."""
    if settings().models.any:
        budget().run = run_id


def _open(role: str, model: ModelSettings) -> LanguageModel:
    from dragon_pipeline.adapters.llm.client import open_model

    return open_model(role, model, home().replies, budget(), secret(model.key_variable))


@cache
def extractor() -> Extractor:
    if model := settings().models.extractor:
        from dragon_pipeline.core.knowledge.extraction import ModelExtractor
        from dragon_pipeline.languages.ru import dates, prompts
        from dragon_pipeline.languages.ru.lemmas import lemmas
        from dragon_pipeline.languages.ru.parsing import sentences

        return ModelExtractor(_open("extractor", model), prompts.load("extractor"), sentences, lemmas, dates.fault)
    from dragon_pipeline.languages.ru.extraction import RuleExtractor

    return RuleExtractor()


@cache
def normaliser() -> Normaliser:
    if model := settings().models.normaliser:
        from dragon_pipeline.core.knowledge.model_normalising import ModelNormaliser
        from dragon_pipeline.languages.ru import prompts

        return ModelNormaliser(_open("normaliser", model), prompts.load("normaliser"))
    from dragon_pipeline.core.knowledge.normalising import RuleNormaliser

    return RuleNormaliser()


@cache
def writer() -> Writer:
    if model := settings().models.writer:
        from dragon_pipeline.core.questions.model_writer import ModelWriter
        from dragon_pipeline.core.questions.types import TYPES
        from dragon_pipeline.languages.ru import prompts
        from dragon_pipeline.languages.ru.lemmas import lemmas

        return ModelWriter(_open("writer", model), {type: prompts.load(f"writer_{type}") for type in TYPES}, lemmas)
    from dragon_pipeline.languages.ru.wording import RuleWriter

    return RuleWriter()


@cache
def knowledge_base() -> KnowledgeBase:
    wikidata = settings().wikidata
    from dragon_pipeline.adapters.wikidata.index import WikidataIndex

    if wikidata.source == "index":
        index = WikidataIndex.open(home().root / (wikidata.index or ""))
        has, wanted = index.about["languages"], settings().language
        if wanted not in has.split():
            raise BadInput(f"wikidata.index: it has names in {has} only; build it with `--language {wanted}`")
        return index
    if wikidata.source == "api":
        from dragon_pipeline.adapters.wikidata.api import WikidataApi

        return WikidataApi(wikidata, settings().language, home().wikidata)
    return WikidataIndex.bundled()


@cache
def embedder() -> Embedder:
    from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder, LoggedProgress
    from dragon_pipeline.adapters.embeddings.opening import open_embedder

    chosen = settings().embedder
    return CachedEmbedder(open_embedder(chosen, secret(chosen.key_variable)), home().embeddings, LoggedProgress())


@cache
def vectors() -> VectorIndex:
    chosen = settings().vectors
    if chosen.engine == "qdrant":
        try:
            from dragon_pipeline.adapters.vectors.qdrant import QdrantIndex
        except ModuleNotFoundError as missing:
            raise BadInput("vectors.engine qdrant: pip install 'dragon-pipeline[qdrant]'") from missing

        return QdrantIndex.connect(chosen.url, secret(chosen.key_variable), embedder().name)
    from dragon_pipeline.adapters.vectors.edge import EdgeIndex

    return EdgeIndex(home().vectors)


@cache
def name_variants() -> Variants:
    from dragon_pipeline.languages.ru.names import variants

    return variants


@dataclass(frozen=True)
class Screens:
    """Makes the screens from what they judge against: the facts of the window, and what its earlier days asked."""

    memories: Sequence[ModelMemory]
    judge: ModelJudge | None
    reader: ModelReader | None

    @property
    def models(self) -> Sequence[LanguageModel]:
        return [model for engine in self._engines for model in engine.models]

    @property
    def prompts(self) -> Sequence[Prompt]:
        return [prompt for engine in self._engines for prompt in engine.prompts]

    @property
    def _engines(self) -> Sequence[ModelMemory | ModelJudge | ModelReader]:
        return [*self.memories, *([self.judge] if self.judge else []), *([self.reader] if self.reader else [])]

    def __call__(self, facts: pl.DataFrame, earlier: pl.DataFrame, mentions: pl.DataFrame | None = None) -> Sequence[Screen]:
        """`earlier`: `qa` of the window's days before the one that is judged; `mentions`: of the window, for guessing."""
        from dragon_pipeline.core.screening.popularity import Popularity
        from dragon_pipeline.languages.ru import screens as russian
        from dragon_pipeline.languages.ru.guessing import wanted
        from dragon_pipeline.languages.ru.lemmas import lemmas

        guesser = None if mentions is None else Popularity(mentions, lemmas, wanted)
        models = russian.Models(self.memories, self.judge, self.reader, guesser)
        return russian.screens(facts, lemmas, settings().screens, grammar(), models, earlier)


@cache
def screens() -> Screens:
    models = settings().models
    memories = [_memory(model) for model in models.closed_book]
    if models.judge is None:
        return Screens(memories, None, None)
    judge = _open("judge", models.judge)
    return Screens(memories, _judge(judge), _reader(judge))


def _memory(model: ModelSettings) -> ModelMemory:
    from dragon_pipeline.languages.ru import prompts

    return ModelMemory(_open("closed_book", model), prompts.load("closed_book"))


def _judge(model: LanguageModel) -> ModelJudge:
    from dragon_pipeline.languages.ru import prompts

    return ModelJudge(model, {name: prompts.load(f"judge_{name}") for name in CRITERIA})


def _reader(model: LanguageModel) -> ModelReader:
    from dragon_pipeline.languages.ru import prompts

    return ModelReader(model, prompts.load("multi_hop_proof"))


@cache
def grammar() -> "RussianGrammar | GuardedGrammar":
    """What tells whether a question is well formed, the language's hard rules before it."""
    from dragon_pipeline.languages.ru.grammar import GuardedGrammar, RussianGrammar

    chosen = settings().screens.grammar
    if chosen.engine == "transformers":
        from dragon_pipeline.adapters.grammar.transformers import TransformersGrammar

        return GuardedGrammar(TransformersGrammar(chosen))
    return RussianGrammar()


@cache
def draw() -> Draw:
    from dragon_pipeline.languages.ru.lemmas import lemmas
    from dragon_pipeline.languages.ru.quantities import quantity

    return Draw(settings().seed, lemmas, quantity)


def forgotten() -> Forgotten:
    """What is to stay forgotten, as the home has it now."""
    from dragon_pipeline.languages.ru.lemmas import forms

    return home().forgotten().read(forms)


def annotation_guide() -> Guide:
    """Words in which people are asked about questions."""
    from dragon_pipeline.languages.ru.annotation import guide

    return guide()


@cache
def hub() -> Hub:
    return open_hub(settings().release.patience)


def open_hub(patience: float) -> Hub:
    """The hub of the settings, which is asked again for so many seconds."""
    chosen = settings().release
    if chosen.hub == "huggingface":
        from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub

        token = secret(chosen.token_variable, needed=False)
        return HuggingFaceHub(chosen.namespace, token, chosen.endpoint, patience, chosen.token_variable)
    from dragon_pipeline.adapters.hub.folder import FolderHub

    return FolderHub(home().hub, chosen.namespace)


@cache
def release_files() -> FileStore:
    from dragon_pipeline.adapters.store.files import ReleaseFiles

    return ReleaseFiles(tables() / "release" / "files")


@cache
def provenance() -> Provenance:
    """What makes a release here; nothing in it changes from run to run of the same code."""
    made_by = {"extractor": extractor(), "normaliser": normaliser(), "writer": writer()}
    screening = screens()
    engines = {
        "entities": entity_finder().name,
        **{role: engine.name for role, engine in made_by.items()},
        "grammar": grammar().name,
        **{f"closed_book_{n}": memory.name for n, memory in enumerate(screening.memories, 1)},
        **({"judge": screening.judge.name} if screening.judge else {}),
        "embedder": embedder().name,
    }
    prompts = [prompt for engine in (*made_by.values(), screening) for prompt in engine.prompts]
    digests = {prompt.name: prompt.digest for prompt in sorted(prompts, key=lambda prompt: prompt.name)}
    return Provenance(source_commit(), engines, prompts=digests, knowledge_base=knowledge_base().revision)
