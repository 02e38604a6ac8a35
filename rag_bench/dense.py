"""Dense retrieval with any embedder."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rag_bench.bm25 import best


class Embedder(Protocol):
    name: str

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        ...

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32."""
        ...


class Dense:
    """A retriever over chunks by exact cosine."""

    def __init__(self, embedder: Embedder, chunk_texts: Sequence[str]):
        self.name = embedder.name
        self._embedder = embedder
        self._vectors = embedder.passages(chunk_texts)

    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        return [best(self._vectors @ vector, k) for vector in self._embedder.queries(questions)]
