"""Qdrant's in-process engine (the embedded default), in a scratch folder that lives as long as the index.

Nothing in it is worth keeping: vectors are cached by the embedder, and putting them back takes 20 µs each. A folder of its
own per index is what lets several processes work at once: the engine locks its folder to one.
"""

import fcntl
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from qdrant_edge import (
    Distance,
    EdgeConfig,
    EdgeShard,
    EdgeVectorParams,
    Filter,
    HasIdCondition,
    Point,
    Query,
    QueryBatchRequest,
    QueryRequest,
    SearchParams,
    UpdateOperation,
)

from dragon_pipeline.adapters.vectors.ranking import Ranked, Search, Shortlist, point_id, rank

BATCH = 256
"""queries in one call"""
PUT = 4096
"""points in one call"""
LOCK = "lock"


class EdgeIndex:
    """Implements ports.VectorIndex.

    Args:
        folder: where the scratch folder is made; none: where the system keeps temporary files. What processes that were
            killed left in it is removed.
    """

    name = "qdrant-edge"

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            self._scratch, lock = _make(None)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            with _alone(folder):
                _sweep(folder)
                self._scratch, lock = _make(folder)
        self._shard: EdgeShard | None = None
        self._close = weakref.finalize(self, _remove, self._scratch, lock)

    def put(self, ids: Sequence[str], vectors: np.ndarray) -> None:
        if not len(ids):
            return
        if self._shard is None:
            params = EdgeVectorParams(size=vectors.shape[1], distance=Distance.Dot)
            self._shard = EdgeShard.create(str(self._scratch / "shard"), EdgeConfig(vectors=params, wal_enabled=False))
        points = [Point(point_id(one), vector.tolist()) for one, vector in zip(ids, vectors, strict=True)]
        for start in range(0, len(points), PUT):
            self._shard.update(UpdateOperation.upsert_points(points[start : start + PUT]))

    def nearest(self, queries: np.ndarray, k: int, among: Sequence[Sequence[str]]) -> list[Ranked]:
        return rank(queries, k, among, self._ask)

    def close(self) -> None:
        """Removes the scratch folder; done at exit too."""
        if self._shard is not None:
            self._shard.close()
            self._shard = None
        self._close()

    def _ask(self, searches: Sequence[Search]) -> list[Shortlist]:
        if self._shard is None:
            return [[] for _ in searches]
        found: list[Shortlist] = []
        for start in range(0, len(searches), BATCH):
            part = searches[start : start + BATCH]
            names: list[dict[Any, str]] = [{point_id(one): one for one in ids} for _, _, ids in part]
            asked = [_request(query, limit, set(of)) for (query, limit, _), of in zip(part, names, strict=True)]
            answers = self._shard.query_batch(QueryBatchRequest(asked))
            found += [[(of[p.id], p.vector) for p in points] for of, points in zip(names, answers, strict=True)]
        return found


def _request(query: np.ndarray, limit: int, ids: set) -> QueryRequest:
    return QueryRequest(
        limit=limit,
        query=Query.Nearest(query.tolist()),
        filter=Filter(must=[HasIdCondition(ids)]),
        params=SearchParams(exact=True),
        with_vector=True,
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Waits until no other process makes or sweeps scratch folders here: one that is made and not yet locked looks dead."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _make(folder: Path | None) -> tuple[Path, IO[str]]:
    """A new scratch folder, and the lock that says that its process lives."""
    scratch = Path(tempfile.mkdtemp(prefix="edge-", dir=folder))
    lock = (scratch / LOCK).open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return scratch, lock


def _sweep(folder: Path) -> None:
    """Removes scratch folders whose process is gone: nobody holds their lock, or it did not live to make one."""
    for scratch in sorted(folder.glob("edge-*")):
        try:
            with (scratch / LOCK).open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(scratch, ignore_errors=True)
        except FileNotFoundError:
            shutil.rmtree(scratch, ignore_errors=True)
        except BlockingIOError:  # alive
            continue


def _remove(scratch: Path, lock: IO[str]) -> None:
    shutil.rmtree(scratch, ignore_errors=True)
    lock.close()
