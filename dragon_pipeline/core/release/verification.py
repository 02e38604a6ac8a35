"""Is a version whole, and does it keep its secrets? Tables of texts are read a piece at a time."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pyarrow as pa

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.release import holdings, ids
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.holdings import Holdings
from dragon_pipeline.core.release.leaks import Secrets, find_leaks, questions_that_answer, said_in
from dragon_pipeline.core.release.manifest import shape_faults
from dragon_pipeline.core.release.origin import Origin
from dragon_pipeline.core.release.tables import (
    CARD_PATH,
    DATASETS,
    MANIFEST_PATH,
    PRIVATE,
    PUBLIC,
    SCHEMAS,
    columns_of,
    from_parquet,
    is_table,
    read_table,
    table_path,
)
from dragon_pipeline.core.release.versions import Published, latest, read_manifest, releases

__all__ = ["Published", "latest", "read_manifest", "read_table", "release_faults", "releases", "verify"]

HEX = re.compile(r"[0-9a-f]{16,}")
IDS = {"public_texts": "id", "private_texts": "public_id", "public_questions": "id", "private_qa": "public_id"}
"""dataset → its column of public ids, 0 … n-1 in row order"""


@dataclass
class _Seen:
    """What was read of a version, but for the texts."""

    digests: dict[str, dict[str, str]] = field(default_factory=dict)
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    """the private ones, and the questions"""
    rows: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def verify(hub: Hub, version: str) -> list[str]:
    """Faults of a published version as sentences; none: it is whole, consistent and leaks nothing."""
    faults = []
    for dataset in DATASETS:
        if version not in hub.tags(dataset):
            faults.append(f"{dataset} has no tag {version}")
    try:
        seen = _look(holdings.of_version(hub, version))
    except PublicationFailed as error:
        return [*faults, str(error)]
    for dataset, told in seen.manifests.items():
        if told.get("version") != version:
            faults.append(f"the manifest of {dataset} says version {told.get('version')}, the tag {version}")
        faults += _data_faults(hub, dataset, told)
        if dataset in PRIVATE and not told.get("sandbox") and not hub.is_private(dataset):
            faults.append(f"{dataset} can be read by everybody: make it private on the hub, and withdraw what it gave away")
    return faults + seen.faults + _faults(seen)


def _data_faults(hub: Hub, holder: str, told: Mapping[str, Any]) -> list[str]:
    """The manifest names a commit of its own dataset that has all but the manifest."""
    commit = str(told.get("commits", {}).get(holder))
    try:
        found = hub.digests(holder, commit)
    except PublicationFailed as error:
        return [f"the manifest of {holder} names a data commit that is not there: {error}"]
    wanted = told.get("files", {}).get(holder)
    return [] if found == wanted else [f"the data commit {commit} of {holder} does not hold what the manifest names"]


def release_faults(release: pl.DataFrame, accepted: pl.DataFrame, articles: Batches, store: FileStore) -> list[str]:
    """The same for a RELEASE that is not published yet. Its public files must also hold nothing but article texts, accepted
    questions and what their manifest makes of a card; and no id that the pipeline uses may stand in them.

    Args:
        accepted: ACCEPTED of the day.
        articles: ARTICLES of the window.
    """
    release = RELEASE.check(release)
    if release.is_empty():
        return []
    held = holdings.of_release(release, store)
    missing = [f"{dataset} is missing" for dataset in DATASETS if dataset not in held.paths]
    origin = Origin.of(accepted, articles)
    seen = _look(held, origin)
    return missing + seen.faults + _faults(seen) + origin.manifest_faults(seen.manifests)


def said_privately(hub: Hub, version: str, text: str) -> list[str]:
    """What a text for everybody says of the private half of a published version, as sentences."""
    held, seen = holdings.of_version(hub, version), _Seen()
    for dataset in PRIVATE:
        for path in held.paths.get(dataset, ()):
            _note(seen, dataset, path, held.read(dataset, path))
    secrets = _secrets(seen, None)
    return said_in("the text", text, secrets) + [f"the text holds the id {id}" for id in sorted(secrets.known.in_text(text))]


def _look(held: Holdings, origin: Origin | None = None) -> _Seen:
    """Reads every file once: private ones first, as public ones must not hold what is in them."""
    seen, cards = _Seen(), {}
    for dataset in PRIVATE:
        for path in held.paths.get(dataset, ()):
            _note(seen, dataset, path, content := held.read(dataset, path))
            cards |= {dataset: content} if path == CARD_PATH else {}
    secrets = _secrets(seen, origin)
    for dataset in PUBLIC:
        for path in held.paths.get(dataset, ()):
            _note(seen, dataset, path, content := held.read(dataset, path))
            cards |= {dataset: content} if path == CARD_PATH else {}
            seen.faults += find_leaks(dataset, path, content, secrets)
            if origin and is_table(path):
                seen.faults += origin.table_faults(dataset, path, content)
    for dataset in held.paths:
        seen.faults += _path_faults(dataset, seen)
    if origin:
        seen.faults += origin.card_faults(cards, seen.manifests, seen.digests, seen.rows)
    return seen


def _note(seen: _Seen, dataset: str, path: str, content: bytes) -> None:
    seen.digests.setdefault(dataset, {})[path] = sha256(content)
    if path == MANIFEST_PATH:
        _note_manifest(seen, dataset, content)
    elif is_table(path):
        try:
            columns = columns_of(content)
            if columns == SCHEMAS[dataset].names:
                _note_table(seen, dataset, from_parquet(content, [IDS[dataset]] if dataset == "public_texts" else None))
            else:
                seen.faults.append(f"{dataset} has the columns {', '.join(columns)}")
        except (pa.ArrowException, OSError) as error:
            seen.faults.append(f"{path} of {dataset} is no Parquet file: {error}")


def _note_manifest(seen: _Seen, dataset: str, content: bytes) -> None:
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        seen.faults.append(f"{MANIFEST_PATH} of {dataset} is not JSON: {error}")
        return
    public = {name: value for name, value in told.items() if name != "private"} if isinstance(told, dict) else told
    if faults := shape_faults(public):
        seen.faults += [f"{MANIFEST_PATH} of {dataset}: {fault}" for fault in faults]
    else:
        seen.manifests[dataset] = told


def _note_table(seen: _Seen, dataset: str, table: pl.DataFrame) -> None:
    first = seen.rows.get(dataset, 0)
    seen.rows[dataset] = last = first + table.height
    if table[IDS[dataset]].to_list() != list(range(first, last)):
        seen.faults.append(f"{dataset}.{IDS[dataset]} is not {first} … {last - 1} in row order")
    kept = table.clear() if dataset == "public_texts" else table
    seen.tables[dataset] = pl.concat([seen.tables[dataset], kept]) if dataset in seen.tables else kept


def _path_faults(dataset: str, seen: _Seen) -> list[str]:
    found = seen.digests.get(dataset, {})
    tables = sorted(path for path in found if is_table(path))
    faults = [] if MANIFEST_PATH in found else [f"{dataset} has no {MANIFEST_PATH}"]
    if not tables:
        faults.append(f"{dataset} has no {table_path(0, 1)}")
    elif tables != [table_path(place, len(tables)) for place in range(len(tables))]:
        faults.append(f"the files of {dataset} are not one table: {', '.join(tables)}")
    return faults


def _secrets(seen: _Seen, origin: Origin | None) -> Secrets:
    qa, texts = seen.tables.get("private_qa"), seen.tables.get("private_texts")
    told: set[str] = {str(told.get("private", {}).get("key", "")) for told in seen.manifests.values()}
    told |= origin.ids if origin else set()
    told |= set(texts["id"]) if texts is not None else set()
    if qa is None:
        return Secrets(told, ())
    strings = {text for subgraph in qa["subgraph"] for text in _strings(subgraph)}
    answers = {answer for row in qa.select("answer", "answers").rows() for answer in (row[0], *row[1]) if answer}
    return Secrets(told | {run for text in strings for run in HEX.findall(text)}, answers, strings)


def _strings(subgraph: str) -> list[str]:
    """The values of a subgraph's facts; of what is no JSON, itself."""
    try:
        facts = json.loads(subgraph)
        return [value for fact in facts for name, value in fact.items() if isinstance(value, str) and name != "asked"]
    except (ValueError, TypeError, AttributeError):
        return [subgraph]


def _faults(seen: _Seen) -> list[str]:
    faults = _manifest_faults(seen)
    if len(seen.tables) < len(DATASETS) or len(seen.manifests) < len(DATASETS):
        return [*faults, "not checked further: a table or manifest is missing"]
    return faults + _count_faults(seen) + _pair_faults(seen.tables) + _gold_faults(seen.tables)


def _manifest_faults(seen: _Seen) -> list[str]:
    faults = []
    for holder, told in seen.manifests.items():
        for dataset, found in seen.digests.items():
            named = {**told.get("files", {}).get(dataset, {}), MANIFEST_PATH: found.get(MANIFEST_PATH)}
            wrong = sorted(path for path in named.keys() | found.keys() if named.get(path) != found.get(path))
            faults += [f"{dataset}/{path} is not what the manifest of {holder} names" for path in wrong]
        if holder in PRIVATE:
            faults += _commitment_faults(holder, told)
    shared = {json.dumps(_shared(told), sort_keys=True) for told in seen.manifests.values()}
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


def _count_faults(seen: _Seen) -> list[str]:
    told = seen.manifests["private_qa"]
    types = dict(seen.tables["private_qa"].group_by("type").len().iter_rows())
    wanted = {"public_texts": "texts", "private_texts": "texts", "public_questions": "questions", "private_qa": "questions"}
    faults = [
        f"{dataset} has {seen.rows[dataset]} rows, the manifest says {told.get(name, {}).get('all')}"
        for dataset, name in wanted.items()
        if seen.rows[dataset] != told.get(name, {}).get("all")
    ]
    if types != told.get("questions", {}).get("by_type"):
        faults.append(f"private_qa has the types {types}, the manifest says {told.get('questions', {}).get('by_type')}")
    return faults


def _pair_faults(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    asked = tables["public_questions"].select(pl.col("id").alias("public_id"), "question")
    faults = questions_that_answer(tables["private_qa"].drop("question").join(asked, "public_id", maintain_order="left"))
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
