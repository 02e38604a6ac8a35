"""For tests: texts that share stems are near each other, without a model."""

import hashlib
from collections.abc import Sequence

import numpy as np

from rag_bench.tokens import stems


class FakeEmbedder:
    """Hashed bag of stems."""

    def __init__(self, dimensions: int = 64, name: str = "fake"):
        self.name = name
        self.dimensions = dimensions
        self.embedded: list[str] = []
        """every text that was embedded, in order, so that a test can see what was paid for"""

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.passages(texts)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        self.embedded += texts
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row, 0] = 0.01  # a text without words has a direction too
            for word in stems(text):
                digest = hashlib.sha256(word.encode()).digest()
                vectors[row, int.from_bytes(digest[:4], "big") % self.dimensions] += 1 if digest[4] % 2 else -1
        return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)).astype(np.float32)
