"""What one version has that another has not."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release import holdings, versions
from dragon_pipeline.core.release.holdings import Holdings
from dragon_pipeline.core.release.tables import CARD_PATH, from_parquet, is_table

TOLD = ("day", "ranking", "writers", "knowledge_base", "source_commit", "format")
TOLD_BY_NAME = ("engines", "prompts", "screens")
LICENCE = re.compile(r"^license: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Difference:
    """From version `before` to version `after`; a pair is what it was and what it is, None: not there."""

    before: str
    after: str
    texts_added: list[str]
    """URLs"""
    texts_removed: list[str]
    texts_changed: list[str]
    """URLs whose title, text or date is another"""
    questions: dict[str, tuple[int, int]]
    """type → how many, also of those that did not change, and `all`"""
    questions_kept: int
    """asked in the same words in both"""
    told: dict[str, tuple[Any, Any]]
    """what else their manifests and cards tell otherwise: day, engines.writer, screens.grammar, licence.public_texts, …"""

    @property
    def is_none(self) -> bool:
        same = all(was == now for was, now in self.questions.values()) and self.questions_kept == self.questions["all"][0]
        return same and not (self.texts_added or self.texts_removed or self.texts_changed or self.told)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare(hub: Hub, before: str, after: str) -> Difference:
    """Reads the public halves of both, texts a piece at a time.

    Raises:
        PublicationFailed: the hub does not hold one of them, or not whole.
    """
    told = [versions.read_manifest(hub, version) for version in (before, after)]
    held = [holdings.of_version(hub, version) for version in (before, after)]
    was, now = (dict(_texts(one)) for one in held)
    asked = [set(_questions(one)) for one in held]
    counts = [_counts(one) for one in told]
    facts = [_facts(one) | _licences(files) for one, files in zip(told, held, strict=True)]
    return Difference(
        before,
        after,
        sorted(now.keys() - was.keys()),
        sorted(was.keys() - now.keys()),
        sorted(url for url in was.keys() & now.keys() if was[url] != now[url]),
        {name: (counts[0].get(name, 0), counts[1].get(name, 0)) for name in sorted({*counts[0], *counts[1]})},
        len(asked[0] & asked[1]),
        {name: (facts[0].get(name), facts[1].get(name)) for name in _changed(*facts)},
    )


def _texts(held: Holdings) -> Iterator[tuple[str, int]]:
    """URL → a hash of the rest."""
    for path in filter(is_table, held.paths.get("public_texts", ())):
        table = from_parquet(held.read("public_texts", path), ["url", "title", "text", "published_at"])
        yield from zip(table["url"], table.select("title", "text", "published_at").hash_rows(), strict=True)


def _questions(held: Holdings) -> Iterator[str]:
    for path in filter(is_table, held.paths.get("public_questions", ())):
        yield from from_parquet(held.read("public_questions", path), ["question"])["question"]


def _counts(told: Mapping[str, Any]) -> dict[str, int]:
    try:
        return {**told["questions"]["by_type"], "all": told["questions"]["all"]}
    except (KeyError, TypeError) as error:
        raise PublicationFailed(f"the manifest of {told.get('version')} tells no questions by type: {error}") from error


def _facts(told: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: told.get(name) for name in TOLD}
    for group in TOLD_BY_NAME:
        listed = told.get(group)
        if isinstance(listed, dict):
            found |= {f"{group}.{name}": value for name, value in listed.items()}
    return found


def _licences(held: Holdings) -> dict[str, str]:
    found = {}
    for dataset in ("public_texts", "public_questions"):
        if CARD_PATH in held.paths.get(dataset, ()):
            named = LICENCE.search(held.read(dataset, CARD_PATH).decode(errors="replace"))
            found[f"licence.{dataset}"] = named[1] if named else "none"
    return found


def _changed(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in {*was, *now} if was.get(name) != now.get(name))
