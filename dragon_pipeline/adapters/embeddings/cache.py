"""Vectors that were computed once are never computed again, over runs and processes."""

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from dragon_pipeline.adapters.database import clean_slate, opened, parts
from dragon_pipeline.core.ports import Embedder

LOG = logging.getLogger("dragon.embedder")
BATCH = 64
"""texts that are embedded, then stored; a killed run pays again for one batch at most"""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, kind TEXT NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (embedder, kind, digest)
) WITHOUT ROWID
"""


class LoggedProgress:
    """Lines through the logger `dragon.embedder`, at intervals: what is embedded in a moment says nothing."""

    def __init__(self, seconds_between: float = 15.0):
        self._seconds = seconds_between
        self._begun = self._next = 0.0
        self._done = 0

    def __call__(self, done: int, missing: int) -> None:
        now = time.monotonic()
        if done <= self._done or not self._begun:
            self._begun, self._next = now, now + self._seconds
        elif now >= self._next:
            self._next = now + self._seconds
            left = (now - self._begun) / done * (missing - done)
            LOG.info("embedded %d of %d texts, %.0f s left", done, missing, left)
        self._done = done


class CachedEmbedder:
    """An embedder that looks into a SQLite file first. Several processes and threads may share the file.

    `progress(done, missing)` is called after every batch that had to be embedded.
    """

    def __init__(self, embedder: Embedder, path: Path, progress: Callable[[int, int], None] | None = None):
        self.name = embedder.name
        self._embedder = embedder
        self._path = Path(path)
        self._progress = progress

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        return self._embed("query", self._embedder.queries, texts)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        return self._embed("passage", self._embedder.passages, texts)

    def _embed(self, kind: str, embed: Callable[[Sequence[str]], np.ndarray], texts: Sequence[str]) -> np.ndarray:
        if not len(texts):
            return embed([])
        digests = [_digest(text) for text in texts]
        with opened(self._path, _SCHEMA) as cache:
            known = self._look_up(cache, kind, list(dict.fromkeys(digests)))
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
        order = list(missing)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors = np.ascontiguousarray(embed([missing[digest] for digest in batch]), np.float32)
            known.update(zip(batch, vectors, strict=True))
            self._store(kind, batch, vectors)
            if self._progress:
                self._progress(start + len(batch), len(order))
        return np.stack([known[digest] for digest in digests])

    def _look_up(self, cache: sqlite3.Connection, kind: str, digests: list[bytes]) -> dict[bytes, np.ndarray]:
        found: dict[bytes, np.ndarray] = {}
        for part, places in parts(digests):
            rows = cache.execute(
                f"SELECT digest, vector FROM vectors WHERE embedder = ? AND kind = ? AND digest IN ({places})",
                (self.name, kind, *part),
            )
            found.update((digest, np.frombuffer(vector, "<f4").astype(np.float32)) for digest, vector in rows)
        return found

    def _store(self, kind: str, digests: Sequence[bytes], vectors: np.ndarray) -> None:
        rows = [
            (self.name, kind, digest, vector.astype("<f4").tobytes()) for digest, vector in zip(digests, vectors, strict=True)
        ]
        with opened(self._path, _SCHEMA) as cache, cache:
            cache.execute("BEGIN IMMEDIATE")
            cache.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?, ?)", rows)


def forget_vectors(path: Path, texts: Iterable[str]) -> int:
    """Deletes what was computed for these texts, by every embedder; returns how many vectors.

    Raises:
        OSError: the file cannot be written; names it.
    """
    if not path.exists():
        return 0
    digests = [_digest(text) for text in dict.fromkeys(texts)]
    with clean_slate(path) as cache:
        before = cache.total_changes
        for part, places in parts(digests):
            cache.execute(f"DELETE FROM vectors WHERE digest IN ({places})", tuple(part))
        return cache.total_changes - before


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
