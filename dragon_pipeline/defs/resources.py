"""The home, its settings, and every port as a Dagster resource. The only place of the flow that reads the environment."""

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
from upath import UPath

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.configuration import load_settings
from dragon_pipeline.defs.io_manager import ParquetTables
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home


@cache
def home() -> Home:
    """The home of this process: DRAGON_HOME, or `.dragon` in the working directory."""
    return Home(Path(os.environ.get("DRAGON_HOME", ".dragon")).absolute())


@cache
def settings() -> Settings:
    return load_settings(home(), os.environ)


def secret(variable: str | None, needed: bool = True) -> str | None:
    """The value of the environment variable that a setting names; None when it names none, or one that is not needed.

    Raises:
        BadInput: it is needed and not set.
    """
    if variable is None:
        return None
    value = os.environ.get(variable)
    if not value and needed:
        raise BadInput(f"the environment variable {variable}, named by a key_variable in the settings, is not set")
    return value or None


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
    from dragon_pipeline.defs import engines

    made: dict[str, tuple[Callable[[], object], str]] = {
        "home": (home, "Folder that holds everything a run writes"),
        "settings": (settings, "dragon.yaml and DRAGON_* variables"),
        "tables": (lambda: Tables(tables()), "Tables of other days, for what an asset tells of and does not depend on"),
        "entity_finder": (engines.entity_finder, "Named entities of the articles' language"),
        "extractor": (engines.extractor, "Triplets of the articles' language"),
        "knowledge_base": (engines.knowledge_base, "Wikidata, and its revision"),
        "embedder": (engines.embedder, "Sentence vectors, cached in the home"),
        "vectors": (engines.vectors, "Nearest vectors"),
        "name_variants": (engines.name_variants, "Other spellings under which a name may be known"),
        "draw": (engines.draw, "Seed of every draw, and the articles' lemmatiser"),
        "normaliser": (engines.normaliser, "Which candidate a name means"),
        "writer": (engines.writer, "Questions from subgraphs"),
        "screens": (engines.screens, "Filters that a question must pass, in cost order"),
        "forgotten": (engines.forgotten, "What is to stay forgotten"),
        "hub": (engines.hub, "Where releases are published"),
        "release_files": (engines.release_files, "Files of releases, beside the tables"),
        "provenance": (engines.provenance, "Code, engines and Wikidata revision behind a release"),
    }
    return {
        "io_manager": ParquetTables(tables()),
        **{name: dg.ResourceDefinition(_maker(make), description=text) for name, (make, text) in made.items()},
    }


def _maker(make: Callable[[], object]) -> Callable[[dg.InitResourceContext], object]:
    def start(context: dg.InitResourceContext) -> object:
        from dragon_pipeline.defs import engines

        engines.begin(context.run_id or engines.NO_RUN)
        return make()

    return start
