"""What BM25 and dense retrieval share, on the same chunks."""

import numpy as np
import pytest

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from rag_bench.bm25 import Bm25, best
from rag_bench.dense import Dense

CHUNKS = [
    "В Твери открылась новая школа на шестьсот мест.",
    "Завод в Казани выпустил тысячный трактор.",
    "Ёлку на площади зажгут в пятницу.",
    "Завод в Казани выпустил тысячный трактор.",
]
RETRIEVERS = [Bm25, lambda texts: Dense(FakeEmbedder(512), texts)]


@pytest.mark.parametrize("make", RETRIEVERS)
@pytest.mark.parametrize(
    ("question", "first"),
    [("Где открыли школу?", 0), ("Какой трактор выпустили казанские заводы?", 1), ("Когда зажгут елку?", 2)],
)
def test_other_forms_of_the_words_find_the_chunk(make, question, first):
    assert make(CHUNKS).search([question], 1) == [[first]]


@pytest.mark.parametrize("make", RETRIEVERS)
def test_equal_chunks_come_in_their_order_and_k_is_the_limit(make):
    retriever = make(CHUNKS)
    assert retriever.search(["трактор завода в Казани"], 2) == [[1, 3]]
    assert len(retriever.search(["трактор завода в Казани"], 100)[0]) <= len(CHUNKS)


@pytest.mark.parametrize("make", RETRIEVERS)
def test_nothing_to_search_finds_nothing(make):
    assert make([]).search(["Кто?"], 5) == [[]]
    assert make(CHUNKS).search([], 5) == []


def test_bm25_leaves_out_what_shares_no_word():
    assert Bm25(CHUNKS).search(["Лунная миссия", "", "ёлки"], 5) == [[], [], [2]]
    assert Bm25(["…", "!"]).search(["ёлки"], 5) == [[]]


def test_scores_that_differ_in_the_last_bits_are_ties():
    assert best(np.array([0.3, 0.1 + 0.2, 0.5], np.float64), 3) == [2, 0, 1]


def test_ties_come_in_order_of_place_among_many():
    scores = np.tile([0.1, 0.2], 500)
    assert best(scores, 1000) == [*range(1, 1000, 2), *range(0, 1000, 2)]
