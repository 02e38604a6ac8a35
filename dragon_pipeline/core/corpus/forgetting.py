"""Which rows go when a page or a person is forgotten: those of its articles, and everything that was made of them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.ledger import canonical_of
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput

FLOW = ("articles", "ledger", "triplets", "facts", "subgraphs", "qa", "accepted", "rejected")
"""Tables that tell what has to go, in the order in which they are to be read, after `crawl`."""
OF_QUESTIONS = ("subgraphs", "qa", "accepted", "rejected")
OF_ARTICLES = ("mentions", "triplets", "candidates", "facts")
_GOING = "is going"
NO_TEXT = ("outlets", "funnel", "scores", "revision")
"""Tables that hold counts and reasons, and nothing of any article."""

Hits = Callable[[Sequence[str]], Sequence[bool]]
"""Which texts tell of what is being forgotten."""


@dataclass
class Doomed:
    """What has to go, by id; it grows as tables are read."""

    known: Forgotten
    """only what is being forgotten now"""
    rules: Mapping[str, UrlRules]
    pages: set[str] = field(default_factory=set)
    """canonical URLs"""
    articles: set[str] = field(default_factory=set)
    """`article_id` of every version"""
    triplets: set[str] = field(default_factory=set)
    facts: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)
    """`qa_id`"""
    relations: set[tuple[str, str]] = field(default_factory=set)
    """day, relation: said by no other article of the day"""

    def note_crawl(self, crawled: pl.DataFrame) -> pl.DataFrame:
        """Learns pages from CRAWL rows; returns those that go as far as is known now."""
        going = crawled.filter(self.known.going(crawled, self.rules))
        for row in going.iter_rows(named=True):
            rules = self.rules.get(row["outlet"], UrlRules())
            try:
                self.pages.add(canonical_of(row["url"], row["canonical"], rules))
            except BadInput:
                continue
        return going

    def everywhere(self) -> Forgotten:
        """By which all versions of the pages are recognised, those too that name nobody."""
        return Forgotten(self.known.key, self.known.forms, frozenset(map(self.known.hash, self.pages)) | self.known.urls)

    def note(self, table: str, frame: pl.DataFrame, day: str) -> pl.DataFrame:
        """Learns ids from a day's table of FLOW; returns the rows that go."""
        if table == "articles" and self.known.names:
            self.pages |= {row["url"] for row in frame.iter_rows(named=True) if self.known.has(row, UrlRules())}
        going = frame.filter(self.going(table, frame, day))
        if table in ("articles", "ledger"):
            self.articles |= set(going["article_id"])
        elif table == "triplets":
            self.triplets |= set(going["triplet_id"])
            said = set(going["relation"]) - set(frame.filter(~pl.col("article_id").is_in(list(self.articles)))["relation"])
            self.relations |= {(day, relation) for relation in said}
        elif table == "facts":
            self.facts |= set(going["fact_id"])
        elif table in OF_QUESTIONS:
            self.questions |= set(going["qa_id"])
        return going

    def going(self, table: str, frame: pl.DataFrame, day: str) -> pl.Series:
        """Which rows of a day's table go; all of a table that cannot be taken apart (`answers`, `release`)."""
        if table in ("articles", "ledger"):
            going = pl.col("url").is_in(list(self.pages))
        elif table in OF_QUESTIONS:
            going = pl.col("qa_id").is_in(list(self.questions)) | _any_of("fact_ids", self.facts)
            going |= _any_of("article_ids", self.articles)
        elif table == "verdicts":
            going = pl.col("qa_id").is_in(list(self.questions))
        elif table == "stories" or table in OF_ARTICLES:
            going = pl.col("article_id").is_in(list(self.articles))
            if table == "candidates":
                said = [relation for of, relation in self.relations if of == day]
                going |= (pl.col("kind") == "property") & pl.col("name").is_in(said)
        else:
            going = pl.lit(table not in NO_TEXT)
        return frame.with_columns(going.fill_null(value=False).alias(_GOING))[_GOING]

    def left(self, table: str, frame: pl.DataFrame, day: str, hits: Hits) -> pl.DataFrame:
        """What stays of a day's table; what other rows say of it is taken out of them."""
        if table == "crawl":
            return self.everywhere().left(frame, self.rules)
        if frame.is_empty():
            return frame
        rest = frame.filter(~self.going(table, frame, day))
        if table == "stories":
            return _led_anew(rest, self.articles)
        if table in ("verdicts", "rejected"):
            return _silent(rest, hits)
        return rest


def _any_of(column: str, ids: set[str]) -> pl.Expr:
    return pl.col(column).list.eval(pl.element().is_in(list(ids))).list.any()


def _led_anew(stories: pl.DataFrame, gone: set[str]) -> pl.DataFrame:
    """STORIES in which a story that has lost its first article is named after the smallest id of those left."""
    lost = stories.filter(pl.col("story_id").is_in(list(gone)))
    if lost.is_empty():
        return stories
    leader = dict(lost.group_by("story_id").agg(pl.col("article_id").min()).iter_rows())
    led = stories.with_columns(pl.col("story_id").replace(leader))
    return led.sort("story_id", "article_id")


def _silent(frame: pl.DataFrame, hits: Hits) -> pl.DataFrame:
    """VERDICTS or REJECTED without the details that tell of it: the screen, outcome and kind of reason stay."""
    how = {"reason": _kind, "because": _kind, "evidence": lambda text: None, "verdicts": lambda text: _verdicts(text, hits)}
    kept = []
    for name in (name for name in how if name in frame.columns):
        told = hits([text or "" for text in frame[name]])
        values = [how[name](text) if hit and text else text for text, hit in zip(frame[name], told, strict=True)]
        kept.append(pl.Series(name, values, frame.schema[name]))
    return frame.with_columns(kept)


def _kind(reason: str) -> str:
    return reason.partition(":")[0]


def _verdicts(text: str, hits: Hits) -> str:
    told = json.loads(text)
    for one in told:
        reason, evidence = (bool(one.get(name)) and hits([one[name]])[0] for name in ("reason", "evidence"))
        one |= {"reason": _kind(one["reason"])} if reason else {}
        one |= {"evidence": None} if evidence else {}
    return json.dumps(told, ensure_ascii=False)
