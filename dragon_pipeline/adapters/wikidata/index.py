"""A small Wikidata index in memory: one JSON object a line with id, kind, label, description, aliases and statements.

`bundled.jsonl` holds real items and properties (CC0): the items of a dump excerpt with their item-valued statements of normal
and preferred rank, and labels of countries, cities, regions and professions.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Self

from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.ports import Entity, Stated, Statement


class WikidataIndex:
    """Implements ports.KnowledgeBase over the lines of an index."""

    def __init__(self, lines: Iterable[str], revision: str) -> None:
        self.revision = revision
        self._names: dict[tuple[str, str], list[Entity]] = {}
        self._statements: dict[str, list[Statement]] = {}
        for line in lines:
            self._add(json.loads(line))

    @classmethod
    def bundled(cls) -> Self:
        return cls._of(_bundled())

    @classmethod
    @cache
    def _of(cls, text: str) -> Self:
        return cls(text.splitlines(), f"bundled-{sha256(text.encode())[:12]}")

    def search(self, names: Sequence[str], kind: str) -> Sequence[Sequence[Entity]]:
        return [self._names.get((kind, _fold(name)), []) for name in names]

    def stated(self, subjects: Sequence[str]) -> Mapping[str, Stated]:
        return {subject: Stated(self.revision, tuple(self._statements.get(subject, ()))) for subject in subjects}

    def _add(self, entry: dict) -> None:
        names = [(entry["label"], "label"), *((alias, "alias") for alias in entry["aliases"])]
        seen = set()
        for name, match in names:
            folded = _fold(name)
            if folded not in seen:
                seen.add(folded)
                entity = Entity(entry["id"], entry["label"], entry["description"], match)
                self._names.setdefault((entry["kind"], folded), []).append(entity)
        if entry["statements"]:
            self._statements[entry["id"]] = [Statement(i, entry["id"], p, o) for i, p, o in entry["statements"]]


def _bundled() -> str:
    return (files("dragon_pipeline.adapters.wikidata") / "bundled.jsonl").read_text(encoding="utf-8")


def _fold(name: str) -> str:
    return " ".join(name.lower().replace("ё", "е").split())
