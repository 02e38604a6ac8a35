"""The manifest of a release: what it is made of, and by what. The private one adds what the public one commits to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl
from jsonschema import Draft202012Validator

from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.screening.screens import screens_that_ran

FORMAT = 1
RULES = "rules"


@dataclass(frozen=True)
class Provenance:
    """What made a release. Nothing in it may change from run to run: no times, no run ids."""

    source_commit: str
    """of the code; `unknown` when it is not under version control"""
    engines: Mapping[str, str] = field(default_factory=dict)
    """role (extractor, normaliser, writer, embedder, …) → engine or model"""
    screens: Mapping[str, str] = field(default_factory=dict)
    """screen → why it is configured as it is; those without a verdict are listed as `not_run`"""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """prompt → digest of its file"""
    knowledge_base: str = "none"
    """revision that novelty was decided against"""
    sandbox: bool = False
    """its gold is public"""


@dataclass(frozen=True)
class Contents:
    """What is in a release, as its manifest and cards tell it."""

    day: str
    types: Mapping[str, int]
    """questions by type"""
    outlets: Mapping[str, int]
    """texts by outlet"""
    writers: tuple[str, ...]
    screens: Mapping[str, Mapping[str, Any]]
    withheld: Mapping[str, int]

    @property
    def ranking(self) -> bool:
        """Questions by rules can be recomputed by anyone from the texts."""
        return RULES not in self.writers


def screens_of(verdicts: pl.DataFrame, provenance: Provenance) -> dict[str, dict[str, Any]]:
    """Screen → state (`ran`, `partly`, `not_run`) and outcomes, in cost order.

    A screen is spared the questions that an earlier one failed: they count for `not_run`, not for the state.
    """
    ran = screens_that_ran(verdicts)
    counted = verdicts.group_by("screen").agg(
        pl.col("order").min(), *((pl.col("outcome") == name).sum().alias(name) for name in ("passed", "failed", "not_run"))
    )
    found: dict[str, dict[str, Any]] = {}
    for row in counted.sort("order", "screen").iter_rows(named=True):
        found[row["screen"]] = {"state": ran[row["screen"]], **{name: row[name] for name in ("passed", "failed", "not_run")}}
    for screen in sorted(provenance.screens):
        found.setdefault(screen, {"state": "not_run", "passed": 0, "failed": 0, "not_run": 0})
    return found


def public_manifest(contents: Contents, provenance: Provenance, key: bytes, seed: int) -> dict[str, Any]:
    """What everyone may know. `files` (hashes) is added when the files are there; publishing adds version and commits."""
    commitment = ids.key_commitment(key)
    return {
        "format": FORMAT,
        **({"sandbox": True} if provenance.sandbox else {}),
        "day": contents.day,
        "ranking": contents.ranking,
        "questions": {"all": sum(contents.types.values()), "by_type": dict(contents.types)},
        "texts": {"all": sum(contents.outlets.values()), "by_outlet": dict(contents.outlets)},
        "withheld": dict(contents.withheld),
        "screens": {name: dict(screen) for name, screen in contents.screens.items()},
        "writers": list(contents.writers),
        "engines": dict(provenance.engines),
        "prompts": dict(provenance.prompts),
        "knowledge_base": provenance.knowledge_base,
        "source_commit": provenance.source_commit,
        "commitments": {"key": commitment, "seed": ids.seed_commitment(key, seed)},
        "canary": ids.canary(commitment),
    }


def private_part(key: bytes, seed: int, questions: Mapping[str, int], texts: Mapping[str, int]) -> dict[str, Any]:
    """What the private manifest adds under `private`: key, seed, and hashes of the content id → public id mappings."""
    return {"key": key.hex(), "seed": seed, "mappings": {"questions": _digest(questions), "texts": _digest(texts)}}


def dump(manifest: Mapping[str, Any]) -> bytes:
    """In the order in which it was made: screens stand in cost order."""
    return (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode()


def load(content: bytes) -> dict[str, Any]:
    return json.loads(content)


def shape_faults(manifest: Any) -> list[str]:
    """Where a public manifest is not what manifest.schema.json says."""
    found = sorted(_schema().iter_errors(manifest), key=lambda error: [str(part) for part in error.absolute_path])
    return [f"{'/'.join(str(part) for part in error.absolute_path) or 'it'}: {error.message}" for error in found]


@cache
def _schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads(files("dragon_pipeline.core.release").joinpath("manifest.schema.json").read_bytes()))


def _digest(mapping: Mapping[str, int]) -> str:
    return sha256(json.dumps(mapping, sort_keys=True).encode())
