"""What makes every engine rank alike, to the last digit.

Engines score in single precision, each in its own order of summing, and break ties as they like. So an engine only shortlists:
it gives back the vectors as they were put (dot product as its distance, for cosine would scale them), and they are scored anew.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import numpy as np

MARGIN = 8
"""candidates asked for beyond k, so that ties at its edge are seen"""
SAME = 1e-5
"""more than two engines' scores of one pair of unit vectors ever differ"""
DIGITS = 6

Ranked = list[tuple[str, float]]
Shortlist = Sequence[tuple[str, Any]]
"""ids with their vectors, best first"""
Search = tuple[np.ndarray, int, Sequence[str]]
"""query, limit, ids"""
Ask = Callable[[Sequence[Search]], list[Shortlist]]
"""for each search the engine's best of its ids"""


def rank(queries: np.ndarray, k: int, among: Sequence[Sequence[str]], ask: Ask) -> list[Ranked]:
    """The k nearest of each query's ids, by cosine rounded to six digits, then by id."""
    ids = [list(dict.fromkeys(some)) for some in among]
    found: list[Ranked] = [[] for _ in ids]
    todo = [(i, min(k + MARGIN, len(some))) for i, some in enumerate(ids) if some]
    while todo and k > 0:
        shortlists = ask([(queries[i], limit, ids[i]) for i, limit in todo])
        again = []
        for (i, limit), shortlist in zip(todo, shortlists, strict=True):
            scored = _score(queries[i], shortlist)
            found[i] = _best(scored, k)
            if len(scored) == limit < len(ids[i]) and found[i][-1][1] - min(score for _, score in scored) <= SAME:
                again.append((i, len(ids[i])))  # more of the same score than the margin holds
        todo = again
    return found


def point_id(name: str) -> UUID:
    """Qdrant's ids are numbers or UUIDs."""
    return UUID(bytes=sha256(name.encode("utf-8", "surrogatepass")).digest()[:16])


def _score(query: np.ndarray, shortlist: Shortlist) -> Ranked:
    if not shortlist:
        return []
    names, vectors = zip(*shortlist, strict=True)
    scores = np.asarray(vectors, np.float64) @ np.asarray(query, np.float64)
    return [(name, round(float(score), DIGITS)) for name, score in zip(names, scores, strict=True)]


def _best(scored: Ranked, k: int) -> Ranked:
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:k]
