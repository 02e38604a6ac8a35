"""A Qdrant server, which several machines share: one collection per embedder."""

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from json import JSONDecodeError
from typing import Any, Self, TypeVar

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from dragon_pipeline.adapters.vectors.ranking import Ranked, Search, Shortlist, point_id, rank
from dragon_pipeline.core.errors import BadInput, Unreachable

BATCH = 256
"""queries in one call"""
FLOATS = 1_000_000
"""in one call that puts vectors: under the server's limit of 32 MB"""
TIMEOUT = 60
"""seconds"""
ATTEMPTS = 4
EXISTS = 409

Answer = TypeVar("Answer")


class QdrantIndex:
    """Implements ports.VectorIndex; every method raises Unreachable when the server does not answer as it must.

    Vectors of several days and runs may lie in the collection: they are searched only among given ids. So it has no graph
    (HNSW with m = 0), which exact search would not use.

    Args:
        client: of a server, or `QdrantClient(":memory:")` in tests.
        embedder: whose vectors these are; it names the collection.
        wait: seconds before the second attempt, doubled before every other.
    """

    name = "qdrant"

    def __init__(self, client: QdrantClient, embedder: str, where: str = "in memory", wait: float = 0.5) -> None:
        self.collection = (
            f"dragon-{re.sub(r'[^a-z0-9]+', '-', embedder.lower())[:40]}-{sha256(embedder.encode()).hexdigest()[:8]}"
        )
        self._client = client
        self._where = where
        self._local = where == "in memory"
        self._known_dimensions: int | None = None
        self._attempts = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=lambda state: _pause(state, wait),
            retry=retry_if_exception(_may_pass),
            reraise=True,
        )

    @classmethod
    def connect(cls, url: str, api_key: str | None, embedder: str, timeout: int = TIMEOUT, wait: float = 0.5) -> Self:
        """No request is made yet."""
        return cls(QdrantClient(url=url, api_key=api_key, timeout=timeout, check_compatibility=False), embedder, url, wait)

    def put(self, ids: Sequence[str], vectors: np.ndarray) -> None:
        if not len(ids):
            return
        self._make(vectors.shape[1])
        points: list[Any] = [str(point_id(one)) for one in ids]
        step = max(1, FLOATS // vectors.shape[1])
        for start in range(0, len(points), step):
            batch = models.Batch(ids=points[start : start + step], vectors=vectors[start : start + step].tolist())
            self._call(lambda batch=batch: self._client.upsert(self.collection, batch, wait=True))

    def nearest(self, queries: np.ndarray, k: int, among: Sequence[Sequence[str]]) -> list[Ranked]:
        if not any(among) or not self._call(lambda: self._client.collection_exists(self.collection)):
            return [[] for _ in among]
        return rank(queries, k, among, self._ask)

    def _ask(self, searches: Sequence[Search]) -> list[Shortlist]:
        found: list[Shortlist] = []
        for start in range(0, len(searches), BATCH):
            part = searches[start : start + BATCH]
            names = [{str(point_id(one)): one for one in ids} for _, _, ids in part]
            asked = [self._request(query, limit, list(of)) for (query, limit, _), of in zip(part, names, strict=True)]
            answers = self._call(lambda asked=asked: self._client.query_batch_points(self.collection, asked))
            found += [[(of[str(p.id)], p.vector) for p in answer.points] for of, answer in zip(names, answers, strict=True)]
        return found

    def _request(self, query: np.ndarray, limit: int, ids: list[Any]) -> models.QueryRequest:
        exact = None if self._local else models.SearchParams(exact=True)  # local mode is exact, and warns when told so
        among = models.Filter(must=models.HasIdCondition(has_id=ids))
        return models.QueryRequest(query=query.tolist(), limit=limit, filter=among, params=exact, with_vector=True)

    def _make(self, dimensions: int) -> None:
        """The collection, when it is not there yet.

        Raises:
            BadInput: it is there with another size or distance.
        """
        if self._known_dimensions == dimensions:
            return
        if not self._call(lambda: self._client.collection_exists(self.collection)):
            self._call(lambda: self._create(dimensions))
        params = self._call(lambda: self._client.get_collection(self.collection)).config.params.vectors
        found = (params.size, params.distance) if isinstance(params, models.VectorParams) else None
        if found != (dimensions, models.Distance.DOT):
            raise BadInput(
                f"Qdrant at {self._where}: the collection {self.collection} does not hold vectors of {dimensions} numbers "
                "under the dot product; delete it, or give the embedder another name"
            )
        self._known_dimensions = dimensions

    def _create(self, dimensions: int) -> None:
        params = models.VectorParams(size=dimensions, distance=models.Distance.DOT)
        try:
            self._client.create_collection(self.collection, vectors_config=params, hnsw_config=models.HnswConfigDiff(m=0))
        except UnexpectedResponse as error:
            if error.status_code != EXISTS:  # another process was first
                raise

    def _call(self, ask: Callable[[], Answer]) -> Answer:
        try:
            return self._attempts(ask)
        except (ApiException, ResourceExhaustedResponse, JSONDecodeError) as error:
            raise Unreachable(f"Qdrant at {self._where}: {_reason(error)}; start it, or set vectors.engine to edge") from error


def _may_pass(error: BaseException) -> bool:
    """No connection, a time-out, an overloaded server; but not one that understood and refused."""
    if isinstance(error, UnexpectedResponse):
        return error.status_code is None or error.status_code == 429 or error.status_code >= 500
    return isinstance(error, ResponseHandlingException | ResourceExhaustedResponse | JSONDecodeError)


def _pause(state: RetryCallState, wait: float) -> float:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, ResourceExhaustedResponse):
        return min(error.retry_after_s, TIMEOUT)
    return wait_exponential_jitter(multiplier=wait, jitter=wait)(state)


def _reason(error: Exception) -> str:
    if isinstance(error, UnexpectedResponse):
        return f"answers {error.status_code} {error.reason_phrase}"
    source = getattr(error, "source", error)
    if isinstance(error, JSONDecodeError):
        return "answers, but not as Qdrant does"
    return f"{type(source).__name__}: {source}".splitlines()[0][:200]
