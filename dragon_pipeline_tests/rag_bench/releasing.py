"""Releases of a few rows in the layout of a folder hub, written by hand so that a test may also break them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

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


def publish(
    root: Path,
    version: str,
    datasets: Sequence[str] = (*PUBLIC, *GOLD),
    prefix: str = "",
    tables: Tables = TABLES,
    pieces: int = 1,
) -> dict[str, str]:
    """A release in the folder hub at `root`, namespace `dragon`; returns dataset → commit."""
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
    commits: dict[str, str] = {}
    for dataset, files in held.items():
        commits[dataset] = write_commit(root / "dragon" / dataset, version, {**files, "manifest.json": manifest})
    return commits


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
