"""What stands before the texts that an embedding model reads."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import yaml

from dragon_pipeline.core.settings import EmbedderSettings

BLANK = "."
"""what is read for a text of white space alone, which servers refuse"""


@dataclass(frozen=True)
class Prefixes:
    query: str = ""
    passage: str = ""

    def __str__(self) -> str:
        return f"query {self.query!r}, passage {self.passage!r}"

    def before_queries(self, texts: Sequence[str]) -> list[str]:
        return [self.query + readable(text) for text in texts]

    def before_passages(self, texts: Sequence[str]) -> list[str]:
        return [self.passage + readable(text) for text in texts]


def prefixes_for(model: str, settings: EmbedderSettings) -> Prefixes:
    """Of the settings, else as prefixes.yaml knows the model, else none. `model`: a name, or the path of a folder."""
    known = next((entry for entry in _known() if re.search(entry["model"], model, re.IGNORECASE)), {})
    query, passage = settings.query_prefix, settings.passage_prefix
    return Prefixes(
        known.get("query", "") if query is None else query, known.get("passage", "") if passage is None else passage
    )


def readable(text: str) -> str:
    """What tokenizers and JSON can take: no NUL, no halves of surrogate pairs, and something at all."""
    text = text.replace("\0", " ").encode("utf-8", "replace").decode()
    return text if text.strip() else BLANK


def _known() -> list[dict[str, str]]:
    return yaml.safe_load(files("dragon_pipeline.adapters.embeddings").joinpath("prefixes.yaml").read_text("utf-8"))
