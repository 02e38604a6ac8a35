"""BM25 over Russian stems."""

from collections.abc import Sequence

import numpy as np

from rag_bench.installation import require
from rag_bench.tokens import stems


class Bm25:
    """A retriever over chunks. Needs the extra `baselines`."""

    name = "bm25"

    def __init__(self, chunk_texts: Sequence[str]):
        self._index = None
        words = [list(stems(text)) for text in chunk_texts]
        if any(words):
            self._index = require("bm25s", "baselines").BM25(method="lucene", backend="numpy")
            self._index.index(words, show_progress=False)

    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first; chunks that share no word with it are left out."""
        return [self._best(question, k) for question in questions]

    def _best(self, question: str, k: int) -> list[int]:
        # Not `retrieve`: its partial sort leaves the order of ties open.
        words = [word for word in stems(question) if self._index is not None and word in self._index.vocab_dict]
        if self._index is None or not words:
            return []
        return best(self._index.get_scores(words), k, above=0.0)


def best(scores: np.ndarray, k: int, above: float = -np.inf) -> list[int]:
    """Places of the k largest scores, largest first, ties in order of place; scores up to `above` are left out.

    Scores are compared by six digits: the last bits of a sum depend on the machine.
    """
    rounded = np.round(scores.astype(np.float64), 6)
    order = np.argsort(-rounded, kind="stable")[:k]
    return [int(place) for place in order if rounded[place] > above]
