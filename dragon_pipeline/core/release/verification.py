"""Is a published version whole, and does it keep its secrets?"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pyarrow as pa

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.records import ACCEPTED
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.leaks import Secrets, find_leaks
from dragon_pipeline.core.release.tables import (
    DATASETS,
    MANIFEST_PATH,
    PRIVATE,
    PUBLIC,
    SCHEMAS,
    TABLE_PATH,
    from_parquet,
    read_table,
)
from dragon_pipeline.core.release.versions import Published, latest, read_manifest, releases

__all__ = ["Published", "latest", "read_manifest", "read_table", "release_faults", "releases", "verify"]

FACT = re.compile(r"[0-9a-f]{16,}")
Files = dict[str, dict[str, bytes]]


@dataclass
class _Parts:
    """What could be read of a version."""

    files: Files
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def verify(hub: Hub, version: str) -> list[str]:
    """Faults of a published version as sentences; none: it is whole, consistent and leaks nothing."""
    files: Files = {}
    faults = []
    for dataset in DATASETS:
        try:
            files[dataset] = hub.read(dataset, hub.tags(dataset)[version])
        except KeyError:
            faults.append(f"{dataset} has no tag {version}")
        except PublicationFailed as error:
            faults.append(str(error))
    parts = _read(files)
    faults += parts.faults
    for dataset, told in parts.manifests.items():
        if told.get("version") != version:
            faults.append(f"the manifest of {dataset} says version {told.get('version')}, the tag {version}")
        faults += _data_faults(hub, dataset, told)
    return faults + _faults(parts)


def _data_faults(hub: Hub, holder: str, told: Mapping[str, Any]) -> list[str]:
    """The manifest names a commit of its own dataset that has all but the manifest."""
    commit = str(told.get("commits", {}).get(holder))
    try:
        found = hub.digests(holder, commit)
    except PublicationFailed as error:
        return [f"the manifest of {holder} names a data commit that is not there: {error}"]
    wanted = told.get("files", {}).get(holder)
    return [] if found == wanted else [f"the data commit {commit} of {holder} does not hold what the manifest names"]


def release_faults(release: pl.DataFrame, accepted: pl.DataFrame, articles: pl.DataFrame, store: FileStore) -> list[str]:
    """The same for a RELEASE that is not published yet, and a leak scan that also knows the pipeline's own ids.

    Args:
        accepted: ACCEPTED of the day.
        articles: ARTICLES of the window.
    """
    release, accepted = RELEASE.check(release), ACCEPTED.check(accepted)
    if release.is_empty():
        return []
    files: Files = {}
    for row in release.iter_rows(named=True):
        with store.local(row["sha256"]) as path:
            files.setdefault(row["dataset"], {})[row["path"]] = path.read_bytes()
    missing = [f"{dataset} is missing" for dataset in DATASETS if dataset not in files]
    internal = {*accepted["qa_id"], *articles["article_id"], *accepted["fact_ids"].explode().drop_nulls()}
    parts = _read(files)
    return missing + parts.faults + _faults(parts, internal)


def _read(files: Files) -> _Parts:
    parts = _Parts(files)
    for dataset, named in files.items():
        try:
            parts.manifests[dataset] = json.loads(named[MANIFEST_PATH])
        except KeyError:
            parts.faults.append(f"{dataset} has no {MANIFEST_PATH}")
        except ValueError as error:
            parts.faults.append(f"{MANIFEST_PATH} of {dataset} is not JSON: {error}")
        try:
            table = from_parquet(named[TABLE_PATH])
        except KeyError:
            parts.faults.append(f"{dataset} has no {TABLE_PATH}")
        except pa.ArrowException as error:
            parts.faults.append(f"{TABLE_PATH} of {dataset} is no Parquet file: {error}")
        else:
            if table.columns == SCHEMAS[dataset].names:
                parts.tables[dataset] = table
            else:
                parts.faults.append(f"{dataset} has the columns {', '.join(table.columns)}")
    return parts


def _faults(parts: _Parts, internal: set[str] | None = None) -> list[str]:
    faults = _manifest_faults(parts)
    if len(parts.tables) < len(DATASETS) or len(parts.manifests) < len(DATASETS):
        return [*faults, "not checked further: a table or manifest is missing"]
    faults += _count_faults(parts) + _id_faults(parts.tables) + _gold_faults(parts.tables)
    secrets = Secrets((internal or set()) | _private_ids(parts), _answers(parts.tables["private_qa"]))
    return faults + find_leaks({dataset: parts.files[dataset] for dataset in PUBLIC}, secrets)


def _manifest_faults(parts: _Parts) -> list[str]:
    faults = []
    hashes = {
        dataset: {path: sha256(content) for path, content in named.items() if path != MANIFEST_PATH}
        for dataset, named in parts.files.items()
    }
    for holder, told in parts.manifests.items():
        for dataset, found in hashes.items():
            named = told.get("files", {}).get(dataset, {})
            wrong = sorted(path for path in named.keys() | found.keys() if named.get(path) != found.get(path))
            faults += [f"{dataset}/{path} is not what the manifest of {holder} names" for path in wrong]
        if holder in PRIVATE:
            faults += _commitment_faults(holder, told)
    shared = {json.dumps(_shared(told), sort_keys=True) for told in parts.manifests.values()}
    if len(shared) > 1:
        faults.append("the manifests of the datasets differ")
    return faults


def _shared(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name != "private"}


def _commitment_faults(holder: str, told: Mapping[str, Any]) -> list[str]:
    try:
        key, seed = bytes.fromhex(told["private"]["key"]), told["private"]["seed"]
        wanted = {"key": ids.key_commitment(key), "seed": ids.seed_commitment(key, seed)}
        return [
            f"the {name} of {holder} is not the one committed to"
            for name in wanted
            if told["commitments"][name] != wanted[name]
        ]
    except (KeyError, TypeError, ValueError) as error:
        return [f"the manifest of {holder} has no key, seed or commitment: {error}"]


def _count_faults(parts: _Parts) -> list[str]:
    told = parts.manifests["private_qa"]
    tables = parts.tables
    types = dict(tables["private_qa"].group_by("type").len().iter_rows())
    wanted = {"public_texts": "texts", "private_texts": "texts", "public_questions": "questions", "private_qa": "questions"}
    faults = [
        f"{dataset} has {tables[dataset].height} rows, the manifest says {told.get(name, {}).get('all')}"
        for dataset, name in wanted.items()
        if tables[dataset].height != told.get(name, {}).get("all")
    ]
    if types != told.get("questions", {}).get("by_type"):
        faults.append(f"private_qa has the types {types}, the manifest says {told.get('questions', {}).get('by_type')}")
    return faults


def _id_faults(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    columns = {"public_texts": "id", "private_texts": "public_id", "public_questions": "id", "private_qa": "public_id"}
    faults = [
        f"{dataset}.{column} is not 0 … {tables[dataset].height - 1} in row order"
        for dataset, column in columns.items()
        if tables[dataset][column].to_list() != list(range(tables[dataset].height))
    ]
    if tables["private_texts"]["id"].n_unique() != tables["private_texts"].height:
        faults.append("private_texts.id repeats")
    if tables["private_qa"]["question"].to_list() != tables["public_questions"]["question"].to_list():
        faults.append("private_qa and public_questions hold different questions")
    return faults


def _gold_faults(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    known = set(tables["private_texts"]["id"])
    faults = []
    for row in tables["private_qa"].iter_rows(named=True):
        where = f"question {row['public_id']}"
        try:
            gold = _flat(json.loads(row["text_ids"]))
        except ValueError:
            faults.append(f"{where}: text_ids is not JSON")
            continue
        if not gold:
            faults.append(f"{where} has no gold text")
        faults += [f"{where}: gold text {id} is not in private_texts" for id in gold if id not in known]
        if not row["answers"] or not all(answer and answer.strip() for answer in row["answers"]):
            faults.append(f"{where} has no answer, or an empty one")
    return faults


def _flat(value: object) -> list[str]:
    return [id for part in value for id in _flat(part)] if isinstance(value, list) else [str(value)]


def _answers(qa: pl.DataFrame) -> dict[int, list[str]]:
    return {id: [answer, *answers] for id, answer, answers in qa.select("public_id", "answer", "answers").iter_rows()}


def _private_ids(parts: _Parts) -> set[str]:
    keys = {told.get("private", {}).get("key", "") for told in parts.manifests.values()}
    facts = {id for subgraph in parts.tables["private_qa"]["subgraph"] for id in FACT.findall(subgraph)}
    return keys | facts | set(parts.tables["private_texts"]["id"])
