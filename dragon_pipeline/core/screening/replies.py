"""Replies of models as the evidence of a verdict."""

import json
from collections.abc import Mapping, Sequence

from dragon_pipeline.core.prompts import visible


def as_evidence(rows: Sequence[Mapping[str, str | bool | None]]) -> str:
    """The rows as JSON. What a model says is the world's: characters that no table or terminal can hold are left out."""
    kept = [{name: visible(value) if isinstance(value, str) else value for name, value in row.items()} for row in rows]
    return json.dumps(kept, ensure_ascii=False)
