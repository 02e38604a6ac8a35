"""`dragon doctor`: what is configured, whether it can be reached, and which screens will run."""

import json
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import yaml
from rich.console import Console

from dragon_pipeline.adapters.llm.client import ServedModel
from dragon_pipeline.adapters.web.catalogue import outlets_of
from dragon_pipeline.adapters.wikidata.api import WikidataApi
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput, DragonError
from dragon_pipeline.core.ports import Case, Screen
from dragon_pipeline.core.records import FACTS, MENTIONS, QA
from dragon_pipeline.core.release.versions import releases
from dragon_pipeline.core.settings import ModelSettings
from dragon_pipeline.defs import engines
from dragon_pipeline.defs.resources import home, settings, tables

PASSWORD = re.compile(r"://[^/@\s]+@")
HUB_PATIENCE = 5.0
"""seconds; a run waits longer"""
TRIED = Exception
"""Whatever a port says when it is tried is its answer here."""


@dataclass(frozen=True)
class Told:
    port: str
    configured: str
    answer: str
    well: bool = True


def doctor() -> None:
    """Prints ports, screens and settings.

    Raises:
        DragonError: a port does not answer.
    """
    console = Console(soft_wrap=True, highlight=False)
    told = list(_ports())
    rows = [(one.port, _masked(one.configured), _masked(one.answer)) for one in told]
    print_table(console, ("port", "configured", "answer"), rows)
    required = settings().screens.required
    screens = screens_that_will_run({one.port for one in told if not one.well})
    rows = [(name, runs, "required" if name in required else "") for name, runs in screens.items()]
    print_table(console, ("screen", "will it run", ""), rows)
    console.print("\nsettings")
    shown = yaml.safe_dump(settings().model_dump(mode="json"), allow_unicode=True, sort_keys=False).rstrip()
    console.print(_masked(shown), markup=False)
    if ill := [one.port for one in told if not one.well]:
        raise DragonError(f"{', '.join(ill)}: see above")


def _ports() -> Iterator[Told]:
    newsroom = settings().newsroom
    outlets = ", ".join(newsroom.names) or "none: imported files only"
    yield _try("articles in", outlets, _articles_in)
    yield _try("entities", "natasha", lambda: engines.entity_finder().name)
    yield from _models()
    grammar = settings().screens.grammar
    configured = " ".join(filter(None, (grammar.engine, grammar.model, grammar.revision)))
    yield _try("grammar", configured, lambda: engines.grammar().examine())
    yield _try("knowledge base", settings().wikidata.source, _knowledge_base)
    embedder = settings().embedder
    configured = f"{embedder.engine} {embedder.model or ''}".strip()
    yield _try("embedder", configured, lambda: f"{engines.embedder().queries(['проверка']).shape[1]} dimensions")
    yield _try("vectors", settings().vectors.engine, _vectors)
    yield _try("hub", f"{settings().release.hub} {settings().release.namespace}", _hub)
    yield _try("tables", str(tables()), _room)


def _articles_in() -> str:
    """How outlets are reached.

    Raises:
        BadInput: one is declared nowhere.
    """
    newsroom = settings().newsroom
    outlets_of(newsroom)
    return f"through {newsroom.gateway}" if newsroom.gateway else "direct"


def _models() -> Iterator[Told]:
    """Every role: the rules, or its model's server and whether it holds to a schema."""
    models = settings().models
    for role, make in (("extractor", engines.extractor), ("normaliser", engines.normaliser), ("writer", engines.writer)):
        yield _model(role, getattr(models, role), make)
    for number, model in enumerate(models.closed_book):
        yield _model("closed_book", model, lambda number=number: engines.screens().memories[number])
    if not models.closed_book:
        yield Told("closed_book", "popularity", "guesses; no model is asked")
    yield _model("judge", models.judge, lambda: engines.screens().judge)


def _model(role: str, configured: ModelSettings | None, make: Callable[[], Any]) -> Told:
    if configured is None:
        return Told(role, "rules", "as far as rules can")
    return _try(role, f"{configured.model} at {configured.url}", lambda: _examine(make().models[0], configured))


def _examine(model: ServedModel, configured: ModelSettings) -> str:
    """What its server was found to be and to do.

    Raises:
        BadInput: it serves other models.
    """
    found = model.probe()
    told = found.describe(model.name, configured.url, configured.window)
    if not found.offers(model.name):
        raise BadInput(told)
    return told


def _knowledge_base() -> str:
    kb = engines.knowledge_base()
    return kb.examine() if isinstance(kb, WikidataApi | WikidataIndex) else f"revision {kb.revision}"


def _hub() -> str:
    hub = engines.open_hub(HUB_PATIENCE)
    return f"{hub.examine()}; {len(releases(hub))} versions"


def _masked(text: str) -> str:
    """Without the passwords of addresses."""
    return PASSWORD.sub("://", text)


def _vectors() -> str:
    index = engines.vectors()
    index.put(["doctor"], np.eye(1, engines.embedder().queries(["проверка"]).shape[1], dtype=np.float32))
    return f"{index.name} answers"


def _try(port: str, configured: str, ask: Callable[[], str]) -> Told:
    try:
        return Told(port, configured, ask())
    except TRIED as error:
        return Told(port, configured, f"failed: {type(error).__name__}: {error}", well=False)


def _room() -> str:
    if settings().tables:
        return "reachable" if tables().exists() else "not written yet"
    folder = next(path for path in (home().root, *home().root.parents) if path.exists())
    return f"{shutil.disk_usage(folder).free / 2**30:.1f} GiB free"


def screens_that_will_run(ill: Collection[str] = ()) -> dict[str, str]:
    """Screen → `yes` or `no`: each is tried on one made-up question; those of models are as their servers are.

    `ill`: ports that do not answer.
    """
    specimen = Case(**json.loads(files("dragon_pipeline.commands").joinpath("specimen.json").read_text("utf-8")))
    return {
        screen.name: _runs(screen, specimen, ill) for screen in engines.screens()(FACTS.empty(), QA.empty(), MENTIONS.empty())
    }


def _runs(screen: Screen, specimen: Case, ill: Collection[str]) -> str:
    models = settings().models
    if screen.name in ill:
        return "no: see above"
    role = "judge" if screen.name == "multi_hop" or screen.name.startswith("judge_") else screen.name
    if role in ("closed_book", "judge") and getattr(models, role):
        return "no: its model does not answer" if role in ill else "yes, by a model"
    (verdict,) = screen.judge([specimen])
    return f"no: {verdict.reason}" if verdict.outcome == "not_run" else "yes"
