"""What the Russian rules read in a sentence; Natasha's models are loaded once and a text is parsed once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.ports import Sketch, Written
from dragon_pipeline.core.records import ARTICLES, MENTIONS
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.wording import RuleWriter

PUBLISHED = "2024-03-15T10:00:00+03:00"
"""a Friday"""


@dataclass(frozen=True)
class Reading:
    """Triplets of one text, `wording` opened as `words`."""

    rows: tuple[dict, ...]

    @property
    def kept(self) -> list[dict]:
        return [row for row in self.rows if row["status"] == "kept"]

    @property
    def asked(self) -> list[dict]:
        """those that may be asked about"""
        return [row for row in self.kept if row["words"] and "held_back" not in row["words"]]

    def of(self, form: str) -> list[dict]:
        return [row for row in self.asked if row["words"]["form"] == form]

    def reasons(self) -> set[str]:
        return {row["reason"] for row in self.rows if row["status"] == "dropped"}

    def tail(self, tail: str) -> dict:
        """the one kept triplet of this tail that a clause states"""
        (row,) = [row for row in self.kept if row["tail"] == tail and row["words"].get("form") != "list"]
        return row


def read_text(text: str, published: str | None = PUBLISHED, article_id: str = "a1") -> Reading:
    article = {
        "article_id": article_id, "url": f"https://vestnik.example/{article_id}", "outlet": "vestnik", "version": 1,
        "change": "new", "title": "Заголовок", "text": text, "author": None, "section": None, "published_at": published,
    }  # fmt: skip
    mentions = MENTIONS.frame(list(NatashaEntities().find([article])))
    rows = extract(ARTICLES.frame([article]), mentions, RuleExtractor()).to_dicts()
    return Reading(tuple({**row, "words": json.loads(row["wording"]) if row["wording"] else {}} for row in rows))


@pytest.fixture(scope="session")
def read() -> Callable[..., Reading]:
    return read_text


@pytest.fixture(scope="session")
def normal() -> Callable[[str], list[str]]:
    """Normal forms of the names of a text, in order."""
    return lambda text: [row["normal"] for row in NatashaEntities().find([{"article_id": "a1", "text": text}])]


def write_one(type_: str, rows: Sequence[dict], *asked: str) -> Written:
    (written,) = RuleWriter().write([Sketch(type_, rows, asked)])
    assert (written.question is None) == (written.reason is not None)
    return written


@pytest.fixture(scope="session")
def written() -> Callable[..., Written]:
    """What the rules say of triplets, asked for these names: a question, or a reason."""
    return write_one


@pytest.fixture(scope="session")
def question() -> Callable[..., str]:
    """The question of a type that asks for these names, from triplets; there must be one."""

    def said(type_: str, rows: Sequence[dict], *asked: str) -> str:
        written = write_one(type_, rows, *asked)
        assert written.question, written.reason
        return written.question

    return said
