"""Models in this process, where sentence-transformers is installed: `make models`."""

import importlib.util

import pytest

from dragon_pipeline.adapters.embeddings.opening import open_embedder
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import EmbedderSettings


def test_a_missing_package_says_what_to_install():
    if importlib.util.find_spec("sentence_transformers"):
        pytest.skip("it is installed here")
    with pytest.raises(BadInput, match=r"pip install torch.*dragon-pipeline\[models\]"):
        open_embedder(EmbedderSettings(engine="sentence_transformers", model="ai-forever/FRIDA"))


def test_a_model_that_is_nowhere_says_so(minilm, tmp_path):
    embedder = open_embedder(EmbedderSettings(engine="sentence_transformers", model=str(tmp_path / "none")))
    with pytest.raises(BadInput, match=r"embedder\.model: .*none is no folder with a model"):
        embedder.queries(["текст"])


def test_a_folder_goes_by_its_own_name_and_what_it_holds_not_by_its_path(minilm):
    name = open_embedder(EmbedderSettings(engine="sentence_transformers", model=minilm)).name
    assert name.startswith("sentence-transformers model@") and "/" not in name


def test_a_prefix_changes_the_vector_and_its_length_limit_is_the_model_s(minilm):
    plain, told = (
        open_embedder(EmbedderSettings(engine="sentence_transformers", model=minilm, query_prefix=prefix))
        for prefix in ("", "query: ")
    )
    assert plain.queries(["tractor"])[0] @ told.queries(["tractor"])[0] < 0.999
    assert plain.queries(["tractor " * 5000]).shape == (1, 384)
