"""Chunks: windows of characters over each text, 500 with an overlap of 100 in the paper (§5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

SIZE, OVERLAP = 500, 100


@dataclass(frozen=True)
class Chunk:
    text_id: int
    start: int
    """first character in the text"""
    text: str


def chunks(texts: Iterable[Mapping[str, Any]], size: int = SIZE, overlap: int = OVERLAP) -> list[Chunk]:
    """The chunks of all texts (rows with `id` and `text`), in their order.

    Each starts `size - overlap` after the one before; the last may be shorter and always holds something new. A text without
    a visible character has none.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"the overlap must be at least 0 and below the size, and is {overlap} of {size}")
    step = size - overlap
    return [
        Chunk(row["id"], start, row["text"][start : start + size])
        for row in texts
        if row["text"].strip()
        for start in range(0, max(len(row["text"]) - overlap, 1), step)
    ]


def found_texts(chunk_ids: Iterable[int], all_chunks: list[Chunk]) -> list[int]:
    """The texts of these chunks in the same order, each once: a run's `found_ids`."""
    return list(dict.fromkeys(all_chunks[chunk].text_id for chunk in chunk_ids))
