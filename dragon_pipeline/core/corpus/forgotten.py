"""What is to stay forgotten: keyed hashes of addresses, and of the dictionary forms of names' words. It names nothing."""

import hmac
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import polars as pl

from dragon_pipeline.core.corpus.ledger import canonical_of
from dragon_pipeline.core.corpus.traces import readable
from dragon_pipeline.core.corpus.urls import UrlRules, canonical_url
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.records import CRAWL

REASON = "forgotten"
HIDDEN = "forgotten:"
"""What an address that must not be shown begins with."""
HASH = 32
"""hex digits"""
LONGEST_NAME = 5
"""words"""
SAID = ("title", "lead", "text", "author")
"""columns of CRAWL in which a person is named"""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_URL = re.compile(r"https?://[^\s\"'<>\\|)\]}]{3,2000}")
_END = re.compile(r"(?<!\b[A-ZА-ЯЁ])[.!?;\n]+")

Forms = Callable[[str], Collection[str]]
"""A word's possible dictionary forms, folded."""
Name = tuple[frozenset[str], ...]
"""For each word the hashes of its possible dictionary forms."""


@dataclass(frozen=True)
class Forgotten:
    """The list, and what tells whether something is on it.

    A page is on it by its address, or because its article names somebody: all words of the name in one sentence, in any case
    and order, with at most one other word among them.
    """

    key: bytes
    forms: Forms
    urls: frozenset[str] = frozenset()
    names: tuple[Name, ...] = ()
    _known: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def __bool__(self) -> bool:
        return bool(self.urls or self.names)

    def hash(self, text: str) -> str:
        return hmac.new(self.key, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:HASH]

    def name(self, words: Sequence[str]) -> Name:
        """The entry of a person.

        Raises:
            BadInput: it is no full name.
        """
        return tuple(frozenset(map(self.hash, self.forms(word))) for word in words)

    def has_url(self, url: str, rules: UrlRules) -> bool:
        """Whether the page at this address is on the list; what is no address is not."""
        if not self.urls:
            return False
        try:
            return self.hash(canonical_url(url, rules)) in self.urls
        except BadInput:
            return False

    def has_name(self, text: str | None) -> bool:
        return bool(text and self.names) and any(self._names_one(sentence) for sentence in _END.split(text or ""))

    def has(self, row: Mapping, rules: UrlRules) -> bool:
        """Whether a row of CRAWL, or of ARTICLES, is on the list."""
        if self.has_url(row["url"], rules) or any(self.has_name(row.get(column)) for column in SAID):
            return True
        stated = row.get("canonical")
        try:
            return bool(stated and self.urls) and self.hash(canonical_of(row["url"], stated, rules)) in self.urls
        except BadInput:
            return False

    def is_in(self, text: str) -> bool:
        """Whether any text tells of it: by name, or by an address."""
        text = readable(text)
        return self.has_name(text) or bool(self.urls and any(self.has_url(url, UrlRules()) for url in _URL.findall(text)))

    def hidden(self, url: str) -> str:
        """What stands in the place of an address."""
        return url if url.startswith(HIDDEN) else HIDDEN + self.hash(url)[:16]

    def left(self, crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> pl.DataFrame:
        """CRAWL rows with one row that says nothing in the place of all of a forgotten page."""
        return blanked(crawled, self.going(crawled, rules), self.hidden) if self else crawled

    def going(self, crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> pl.Series:
        """Which CRAWL rows are of forgotten pages."""
        rows = crawled.iter_rows(named=True)
        return pl.Series([self.has(row, rules.get(row["outlet"], UrlRules())) for row in rows], dtype=pl.Boolean)

    @cached_property
    def _wanted(self) -> frozenset[str]:
        return frozenset().union(*(word for name in self.names for word in name))

    def _names_one(self, sentence: str) -> bool:
        words = [self._hashes(word) if word[0].isupper() else frozenset() for word in _WORD.findall(sentence)]
        hits = [place for place, hashes in enumerate(words) if hashes]
        return any(_stands(name, words, hits) for name in self.names) if len(hits) > 1 else False

    def _hashes(self, word: str) -> frozenset[str]:
        """Of the word's dictionary forms, those on the list."""
        if word not in self._known:
            self._known[word] = self._wanted & frozenset(map(self.hash, self.forms(word)))
        return self._known[word]


def blanked(crawled: pl.DataFrame, going: pl.Series, hidden: Callable[[str], str]) -> pl.DataFrame:
    """CRAWL with the rows in `going` replaced, one for each address, by rows that only say that they are forgotten."""
    if not going.any():
        return crawled
    nothing = dict.fromkeys(CRAWL.columns) | {"fetch": 0, "status": "left_out", "reason": REASON, "extractor": "none"}
    gone = crawled.filter(going).select("url", "outlet").unique().rows()
    rows = {hidden(url): {**nothing, "url": hidden(url), "outlet": outlet} for url, outlet in gone}
    return CRAWL.check(pl.concat([crawled.filter(~going), CRAWL.frame(list(rows.values()))]).sort(CRAWL.key))


def words_of(name: str) -> list[str]:
    """The words of a person's full name.

    Raises:
        BadInput: fewer than two, or too many, or something else than words.
    """
    words = _WORD.findall(name)
    said = re.sub(r"[\s.,'’-]+", "", "".join(_WORD.split(name)))
    if not 2 <= len(words) <= LONGEST_NAME or said or len(name) > 200:
        raise BadInput(f"{name[:60]!r} is no full name: give a given name and a surname, and at most {LONGEST_NAME} words")
    return [word[:1].upper() + word[1:] for word in words]


def _stands(name: Name, words: Sequence[frozenset[str]], hits: Sequence[int]) -> bool:
    """Whether every word of the name has a place of its own, all within its length and one more."""
    places = [[place for place in hits if not word.isdisjoint(words[place])] for word in name]
    for first in places[0]:
        near = [[place for place in of if abs(place - first) <= len(name)] for of in places[1:]]
        for others in product(*near):
            taken = {first, *others}
            if len(taken) == len(name) and max(taken) - min(taken) <= len(name):
                return True
    return False
