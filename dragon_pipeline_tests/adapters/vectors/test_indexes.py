"""One suite over the fake, the embedded engine and the client of the server (in its local mode: no server is to be had)."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qdrant_client import QdrantClient

from dragon_pipeline.adapters.vectors.edge import EdgeIndex
from dragon_pipeline.adapters.vectors.fake import FakeIndex
from dragon_pipeline.adapters.vectors.qdrant import QdrantIndex
from dragon_pipeline.core.ports import VectorIndex

DIMENSIONS = 32
ENGINES: dict[str, Callable[[], VectorIndex]] = {
    "fake": FakeIndex,
    "edge": EdgeIndex,
    "qdrant": lambda: QdrantIndex(QdrantClient(":memory:"), "test/embedder"),
}


@pytest.fixture(params=sorted(ENGINES))
def index(request) -> Iterator[VectorIndex]:
    made = ENGINES[request.param]()
    yield made
    if isinstance(made, EdgeIndex):
        made.close()


def units(n: int, seed: int = 0, dimensions: int = DIMENSIONS) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(n, dimensions))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def axes(*numbers: int) -> np.ndarray:
    return np.eye(DIMENSIONS, dtype=np.float32)[list(numbers)]


def test_the_nearest_of_the_given_ids_come_first_with_their_cosine(index):
    vectors = units(40)
    ids = [f"Q{i}" for i in range(40)]
    index.put(ids, vectors)
    (found,) = index.nearest(vectors[7:8], 5, [ids[:20]])
    cosines = vectors[:20].astype(np.float64) @ vectors[7].astype(np.float64)
    order = np.argsort(-cosines)[:5]
    assert found == [(ids[i], round(float(cosines[i]), 6)) for i in order]
    assert found[0][0] == "Q7"
    assert found[0][1] == pytest.approx(1, abs=1e-6)


def test_every_query_has_ids_of_its_own(index):
    index.put(["a", "b", "c"], axes(0, 1, 2))
    assert index.nearest(axes(0, 0, 2), 1, [["a", "b"], ["b", "c"], []]) == [[("a", 1.0)], [("b", 0.0)], []]


def test_ties_come_in_id_order_however_many_there_are(index):
    ids = [f"id{i:03}" for i in range(60)]
    index.put(ids[::-1], np.repeat(axes(3), 60, axis=0))
    (found,) = index.nearest(axes(3), 5, [ids[::-1]])
    assert [one for one, _ in found] == ids[:5]


def test_a_nearer_one_stands_before_ties(index):
    ids = [f"id{i:03}" for i in range(40)]
    index.put([*ids, "z"], np.concatenate([np.repeat(axes(3), 40, axis=0), axes(4)]))
    (found,) = index.nearest(axes(4), 3, [[*ids, "z"]])
    assert found == [("z", 1.0), ("id000", 0.0), ("id001", 0.0)]


def test_ids_that_were_never_put_are_left_out(index):
    assert index.nearest(axes(0), 5, [["nobody"]]) == [[]]
    index.put(["a"], axes(0))
    assert index.nearest(axes(0), 5, [["nobody", "a", "Q1"]]) == [[("a", 1.0)]]


def test_an_id_given_twice_is_found_once(index):
    index.put(["a", "b"], axes(0, 1))
    assert index.nearest(axes(0), 5, [["a", "b", "a"]]) == [[("a", 1.0), ("b", 0.0)]]


def test_nothing_asked_or_put_is_nothing_found(index):
    index.put([], np.zeros((0, DIMENSIONS), np.float32))
    assert index.nearest(np.zeros((0, DIMENSIONS), np.float32), 5, []) == []
    assert index.nearest(axes(0), 5, [[]]) == [[]]
    index.put(["a"], axes(0))
    assert index.nearest(axes(0), 0, [["a"]]) == [[]]


def test_a_vector_put_again_replaces_the_first(index):
    index.put(["a", "b"], axes(0, 1))
    index.put(["a"], axes(2))
    assert index.nearest(axes(0, 2), 1, [["a"], ["a", "b"]]) == [[("a", 0.0)], [("a", 1.0)]]


def test_any_string_is_an_id(index):
    ids = ["", "Q1", "«Маяк»", "0", "a" * 300, "\udcff"]
    index.put(ids, axes(*range(6)))
    for at, one in enumerate(ids):
        assert index.nearest(axes(at), 1, [ids]) == [[(one, 1.0)]]


def test_opposite_vectors_are_farthest(index):
    index.put(["a", "b"], np.concatenate([-axes(0), axes(1)]))
    assert index.nearest(axes(0), 2, [["a", "b"]]) == [[("b", 0.0), ("a", -1.0)]]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 12), coarse=st.booleans())
def test_all_engines_give_the_same_to_the_last_digit(seed, k, coarse):
    """With many near ties too: vectors of few distinct numbers."""
    vectors = units(30, seed)
    if coarse:
        vectors = np.sign(vectors).astype(np.float32) / np.float32(np.sqrt(DIMENSIONS))
        vectors[15:] = vectors[:15]
    ids = [f"Q{i}" for i in np.random.default_rng(seed).permutation(30)]
    among = [ids[: 5 + i] for i in range(10)]
    answers = []
    for make in ENGINES.values():
        made = make()
        made.put(ids, vectors)
        answers.append(made.nearest(units(10, seed + 1), k, among))
    assert answers[0] == answers[1] == answers[2]


def test_ten_thousand_vectors_are_searched_exactly(index):
    vectors = units(10_000, seed=5)
    ids = [f"Q{i}" for i in range(10_000)]
    index.put(ids, vectors)
    queries = units(3, seed=6)
    cosines = queries.astype(np.float64) @ vectors.astype(np.float64).T
    found = index.nearest(queries, 5, [ids, ids[:5000], ids[-1:]])
    assert [one for one, _ in found[0]] == [ids[i] for i in np.argsort(-cosines[0])[:5]]
    assert [one for one, _ in found[1]] == [ids[i] for i in np.argsort(-cosines[1, :5000])[:5]]
    assert found[2] == [(ids[-1], round(float(cosines[2, -1]), 6))]
