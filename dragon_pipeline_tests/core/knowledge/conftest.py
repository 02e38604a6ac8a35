"""Articles and triplets made from a few words."""

from collections.abc import Callable
from typing import Any

import pytest

from dragon_pipeline.core.ids import content_id


def make_article(text: str, article_id: str = "a1", **changes: Any) -> dict:
    return {
        "article_id": article_id,
        "url": f"https://vestnik.example/{article_id}",
        "outlet": "vestnik",
        "version": 1,
        "change": "new",
        "title": "Заголовок",
        "text": text,
        "author": None,
        "section": None,
        "published_at": "2024-03-15T10:00:00+03:00",
        **changes,
    }


def make_triplet(
    head: str, relation: str, tail: str, article_id: str = "a1", kinds: tuple[str, str] = ("ORG", "LOC"), **changes: Any
) -> dict:
    start = changes.get("start", 0)
    return {
        "triplet_id": content_id(article_id, start, head, relation, tail),
        "article_id": article_id,
        "head": head,
        "head_kind": kinds[0],
        "relation": relation,
        "tail": tail,
        "tail_kind": kinds[1],
        "start": start,
        "stop": start + 10,
        "wording": None,
        "status": "kept",
        "reason": None,
        "raw": None,
        **changes,
    }


@pytest.fixture(scope="session")
def article() -> Callable[..., dict]:
    return make_article


@pytest.fixture(scope="session")
def triplet() -> Callable[..., dict]:
    return make_triplet
