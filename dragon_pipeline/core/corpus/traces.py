"""By what a forgotten article is recognised in any text: addresses, ids, questions, and stretches of its own sentences."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

SHORTEST = 24
"""characters of a sentence below which it could be anybody's"""
LONGEST = 40
"""characters of a sentence that are looked for: what shows texts cut (samples of tables) shows at least as many"""
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass
class Traces:
    names_one: Callable[[str], bool] = lambda text: False
    """whether a text names a forgotten person"""
    name: Sequence[str] = ()
    """the words of that person's name"""
    addresses: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    """ids, questions and stretches of sentences"""
    texts: list[str] = field(default_factory=list)
    """the articles' titles and texts in full"""

    def add_address(self, url: str | None) -> None:
        bare = re.sub(r"^https?://(?:www\.)?", "", (url or "").strip()).partition("#")[0].rstrip("/")
        if bare.partition("/")[2]:
            self.addresses.add(bare)

    def add_ids(self, ids: Iterable[str]) -> None:
        self.said |= set(ids)

    def add_question(self, question: str) -> None:
        """Whole: many begin alike."""
        self.said.add(" ".join(question.split()))

    def add_text(self, text: str | None) -> None:
        """A title or a text, by its sentences."""
        for sentence in _SENTENCE.split(text or ""):
            stretch = " ".join(sentence.split())[:LONGEST].rstrip()
            if len(stretch) >= SHORTEST:
                self.said.add(stretch)

    def spare(self, texts: Sequence[str]) -> None:
        """What stands in texts that stay, a reprint or a phrase of the outlet, is no trace."""
        if not texts or not self.said:
            return
        found = pl.Series(texts).str.extract_many(sorted(self.said), overlapping=True)
        self.said -= set(found.explode().drop_nulls())

    def hits(self, texts: Sequence[str]) -> list[bool]:
        """Which texts tell of it."""
        plain = [readable(text) for text in texts]
        if not plain:
            return []
        series = pl.Series(plain, dtype=pl.String)
        by_words = series.str.contains_any(sorted(self.said)) if self.said else [False] * len(plain)
        by_address = series.str.contains_any(sorted(self.addresses)) if self.addresses else [False] * len(plain)
        return [
            bool(words) or (bool(address) and self._has_address(text)) or self._names(text)
            for text, words, address in zip(plain, by_words, by_address, strict=True)
        ]

    def _has_address(self, text: str) -> bool:
        """`a.ru/news/1` is not in `a.ru/news/12`."""
        return self._addresses.search(text) is not None

    @cached_property
    def _addresses(self) -> re.Pattern[str]:
        return re.compile(f"(?:{'|'.join(map(re.escape, sorted(self.addresses)))})(?!/?[\\w%-])")

    def _names(self, text: str) -> bool:
        longest = max(self.name, key=len, default="")
        return bool(longest) and longest[:3].lower() in text.lower() and self.names_one(text)


def readable(text: str) -> str:
    r"""Without JSON's `\uXXXX`, and with single spaces."""
    if "\\u" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return " ".join(text.encode("utf-8", "replace").decode().split())
