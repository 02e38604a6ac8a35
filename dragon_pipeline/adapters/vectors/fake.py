"""For tests: vectors in a dictionary, every one of them looked at."""

from collections.abc import Sequence

import numpy as np

from dragon_pipeline.adapters.vectors.ranking import Ranked, Search, Shortlist, rank


class FakeIndex:
    """Implements ports.VectorIndex."""

    name = "fake"

    def __init__(self) -> None:
        self._vectors: dict[str, np.ndarray] = {}

    def put(self, ids: Sequence[str], vectors: np.ndarray) -> None:
        self._vectors.update(zip(ids, np.array(vectors, np.float32), strict=True))

    def nearest(self, queries: np.ndarray, k: int, among: Sequence[Sequence[str]]) -> list[Ranked]:
        return rank(queries, k, among, self._ask)

    def _ask(self, searches: Sequence[Search]) -> list[Shortlist]:
        found: list[Shortlist] = []
        for query, limit, ids in searches:
            put = [one for one in ids if one in self._vectors]
            put.sort(key=lambda one: -float(self._vectors[one] @ query))
            found.append([(one, self._vectors[one]) for one in put[:limit]])
        return found
