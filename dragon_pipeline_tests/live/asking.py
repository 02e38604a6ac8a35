"""A client that tests can kill: `python asking.py URL MODEL CACHE NUMBER` asks for NUMBER replies, as `requests` makes them."""

import sys
from pathlib import Path

from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.language_model import Message, ModelRequest
from dragon_pipeline.core.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 40, "maxLength": 60}},
    "required": ["text"],
    "additionalProperties": False,
}


def requests(number: int) -> list[ModelRequest]:
    """All different, their replies of some 30 tokens."""
    return [ModelRequest((Message("user", f"Tell me of the city number {n}."),), SCHEMA) for n in range(number)]


if __name__ == "__main__":
    url, model, cache, number = sys.argv[1:]
    settings = ModelSettings(url=url, model=model, max_tokens=200, patience=300)
    open_model("writer", settings, Path(cache)).complete(requests(int(number)))
