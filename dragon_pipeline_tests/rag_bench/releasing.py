"""Releases of a few rows in a folder hub or on a local Hub, written by hand so that a test may also break them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub
from rag_bench.choosing import GOLD, PUBLIC

Tables = Mapping[str, Sequence[Mapping[str, Any]]]

TABLES: Tables = {
    "public_texts": [
        {
            "id": 0,
            "text": "В Твери открыли новый мост через Волгу. Его строили три года.",
            "title": "Мост",
            "url": "https://a.example/1",
            "published_at": None,
        },
        {
            "id": 1,
            "text": "Завод в Казани выпустил тысячный трактор.",
            "title": "Завод",
            "url": "https://a.example/2",
            "published_at": None,
        },
        {
            "id": 2,
            "text": "На площади Пскова зажгли ёлку высотой двадцать метров.",
            "title": "Ёлка",
            "url": "https://a.example/3",
            "published_at": None,
        },
    ],
    "public_questions": [
        {"id": 0, "question": "В каком городе открыли новый мост через Волгу?"},
        {"id": 1, "question": "Какой по счёту трактор выпустил завод в Казани?"},
        {"id": 2, "question": "Где зажгли ёлку высотой двадцать метров?"},
    ],
    "private_texts": [{"id": "aa", "public_id": 0}, {"id": "bb", "public_id": 1}, {"id": "cc", "public_id": 2}],
    "private_qa": [
        {"public_id": 0, "answer": "Тверь", "answers": ["Тверь"], "type": "simple", "text_ids": '["aa"]'},
        {"public_id": 1, "answer": "тысячный", "answers": ["тысячный"], "type": "simple", "text_ids": '["bb"]'},
        {"public_id": 2, "answer": "Псков", "answers": ["Псков"], "type": "conditional", "text_ids": '["cc"]'},
    ],
}


def parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), sink)
    return sink.getvalue().to_pybytes()


def files_of(rows: Sequence[Mapping[str, Any]], pieces: int = 1) -> dict[str, bytes]:
    """The Parquet files of a table, cut into pieces."""
    size = -(-len(rows) // pieces)
    return {
        f"data/train-{piece:05d}-of-{pieces:05d}.parquet": parquet(rows[piece * size : (piece + 1) * size])
        for piece in range(pieces)
    }


def write_commit(folder: Path, version: str, files: Mapping[str, bytes]) -> str:
    """One commit of a dataset and its tag, as the folder hub keeps them."""
    commit = hashlib.sha256(json.dumps(sorted((path, sha256(files[path])) for path in files)).encode()).hexdigest()[:40]
    for path, content in files.items():
        file = folder / "commits" / commit / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "tags").mkdir(exist_ok=True)
    (folder / "tags" / version).symlink_to(Path("..", "commits", commit))
    return commit


def release_files(
    version: str,
    datasets: Sequence[str] = (*PUBLIC, *GOLD),
    prefix: str = "",
    tables: Tables = TABLES,
    pieces: int = 1,
) -> dict[str, dict[str, bytes]]:
    """Dataset → path → content of a release with its manifest."""
    held = {prefix + dataset: files_of(tables[dataset], pieces) for dataset in datasets}
    told = {
        "format": 1,
        "version": version,
        "day": "2026-03-01",
        "content": sha256(json.dumps([version, prefix, *sorted(tables)]).encode()),
        "files": {dataset: {path: sha256(content) for path, content in files.items()} for dataset, files in held.items()},
    }
    told["commits"] = {dataset: sha256(f"data of {dataset} {version}".encode())[:40] for dataset in held}
    manifest = json.dumps(told).encode()
    return {dataset: {**files, "manifest.json": manifest} for dataset, files in held.items()}


def publish(root: Path, version: str, datasets: Sequence[str] = (*PUBLIC, *GOLD), **how: Any) -> dict[str, str]:
    """A release in the folder hub at `root`, namespace `dragon`; returns dataset → commit."""
    held = release_files(version, datasets, **how)
    return {dataset: write_commit(root / "dragon" / dataset, version, files) for dataset, files in held.items()}


def upload(hub: LocalHub, version: str, datasets: Sequence[str] = (*PUBLIC, *GOLD), **how: Any) -> dict[str, str]:
    """The same on a Hub; the gold in private datasets."""
    held = release_files(version, datasets, **how)
    return {dataset: add_commit(hub, dataset, files, version) for dataset, files in held.items()}


def add_commit(hub: LocalHub, dataset: str, files: Mapping[str, bytes], version: str = "") -> str:
    """One commit of a dataset, and its tag; a version's files replace those of the one before."""
    api, name = HfApi(endpoint=hub.url, token=WRITE), f"dragon/{dataset}"
    api.create_repo(name, repo_type="dataset", private=dataset.startswith("private"), exist_ok=True)
    added: list[Any] = [CommitOperationAdd(path, content) for path, content in files.items()]
    if version and f"dragon/{dataset}" in hub.repositories and hub.repositories[name].commits:
        held = api.list_repo_files(name, repo_type="dataset")
        added += [CommitOperationDelete(path) for path in held if path.endswith(".parquet") and path not in files]
    told = api.create_commit(name, added, commit_message=version or "more", repo_type="dataset")
    if version:
        api.create_tag(name, tag=version, revision=told.oid, repo_type="dataset")
    return told.oid


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
