"""The facts of a window as a graph: nodes are linked ids, edges are facts, reprints of one fact are one edge.

It is columnar (ADR 0025): nodes, relations and edges are numbers, in the order of their ids; a fact becomes an `Edge` with its
row only when it is looked at.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.company import Company, named_by_few
from dragon_pipeline.core.questions.holders import Holders
from dragon_pipeline.core.questions.keys import keys, mixed
from dragon_pipeline.core.questions.namesakes import components, fold
from dragon_pipeline.core.questions.wordings import ENDS, read_wordings
from dragon_pipeline.core.table import DAY

HEAD, TAIL = 0, 1
VALUES = ("YEAR", "DATE", "NUMBER", "ROLE", "OTHER")
"""Kinds of ends that never join two facts."""
SHOWN = (
    "fact_id", "article_id", "outlet", "head", "head_id", "head_kind", "relation", "relation_id", "tail", "tail_id",
    "tail_kind", "sentence", "start", "wording", DAY,
)  # fmt: skip
"""Columns of the facts that are kept; `section` of the article comes to them."""
BOUNDS = (np.minimum, np.maximum)


@dataclass(frozen=True)
class Edge:
    """One fact, looked at; `row` is the one of its rows whose sentence is shown."""

    number: int
    row: dict = field(hash=False, compare=False)
    fact_id: str
    head: str
    relation: str
    tail: str
    article_ids: tuple[str, ...]
    """every article that states it, with story mates"""
    new: bool
    """stated first by an article of the day"""
    weight: int
    apposition: bool

    def name(self, end: int) -> str:
        return self.row[ENDS[end]]


class Graph:
    """Edges that may be asked, and what all facts of the window say, known and held back ones included.

    `edges` has a row per edge, whose number is the index; they are sorted by head, relation and tail. Its columns: `head`,
    `tail`, `relation`: codes; `new`; those of `read_wordings`; `outlet`, `topic`, `head_kind`, `tail_kind`: codes;
    `sentence`: a hash; `joins_head`, `joins_tail`: see `joins`; `key`: of its content; `row`: of `rows`.
    """

    def __init__(self, facts: pl.DataFrame, articles: pl.DataFrame, stories: pl.DataFrame, day: str) -> None:
        current = facts.join(latest(articles).select("article_id", "section"), on="article_id", how="inner")
        self.superseded = facts.height - current.height
        self._mates = _mates(stories)
        self.rows = _sorted(current, stories, day)
        self._shown = self.rows.select(*SHOWN, "relation_key")
        triples = _triples(self.rows)
        self._first = triples["row"].to_numpy()
        codes = [triples[name].to_numpy() for name in ("head", "relation", "tail")]
        self.node_count, self.relation_count = (_count(*of) for of in ((codes[0], codes[2]), (codes[1],)))
        self._names = _name_codes(self.rows, *ENDS)
        """of each row: codes of the folded names at its head and tail"""
        nodes = [self.rows[f"{end}_code"].to_numpy() for end in ENDS]
        self.alike = components(np.concatenate(nodes), np.concatenate(self._names), self.node_count)
        """of each node: the first one that a reader takes for the same"""
        relations = components(
            self.rows["relation_code"].to_numpy(), _name_codes(self.rows, "relation")[0], self.relation_count
        )
        said = _posts_as_one(relations[codes[1]], triples["post"].to_numpy(), self.relation_count)
        same = (self.alike[codes[0]], self.alike[codes[2]])
        self._holders = (Holders(said, same[1], codes[0]), Holders(said, same[0], codes[2]))
        apart = np.array_equal(self.alike, np.arange(self.node_count))
        self._same = self._holders if apart else (Holders(said, same[1], same[0]), Holders(said, same[0], same[1]))
        asked = (triples["novel"] & triples["usable"]).to_numpy() & (same[0] != same[1])
        self.triple = np.flatnonzero(asked)
        """of each edge"""
        self.edges = self._edges(triples)
        self._columns: dict[str, np.ndarray] = {}

    def _edges(self, triples: pl.DataFrame) -> pl.DataFrame:
        chosen = triples[self.triple]["last"]
        rows = self.rows[chosen]
        kinds = pl.Enum(pl.concat([rows["head_kind"], rows["tail_kind"]]).unique().sort())
        ids = [rows[column].unique() for column in ("head_id", "relation_key", "tail_id")]
        key = pl.DataFrame({"text": pl.concat(ids).unique()}).with_columns(
            pl.col("text").map_batches(lambda texts: pl.Series(keys(texts)), return_dtype=pl.UInt64()).alias("key")
        )
        parts = [
            rows.select(text=pl.col(column)).join(key, on="text", how="left", maintain_order="left")["key"].to_numpy()
            for column in ("head_id", "relation_key", "tail_id")
        ]
        return rows.select(
            pl.col("head_code").alias("head"), pl.col("relation_code").alias("relation"), pl.col("tail_code").alias("tail"),
            "asks", "alone", "many", "bridges", "describes", "shapes", "directions", "weight", "named", "apposition", "compare",
            pl.col("sentence").hash(), pl.col("outlet").rank("dense").cast(pl.Int64),
            pl.col("section").fill_null("").rank("dense").cast(pl.Int64).alias("topic"),
            *(pl.col(f"{end}_kind").cast(kinds).to_physical().cast(pl.Int64) for end in ENDS),
            *(joins(pl.col(end), pl.col(f"{end}_kind"), pl.col(f"{end}_id")).alias(f"joins_{end}") for end in ENDS),
        ).with_columns(
            new=triples[self.triple]["new"], row=chosen, key=pl.Series(mixed(*parts) if len(rows) else [], dtype=pl.UInt64()),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.triple)

    def column(self, name: str) -> np.ndarray:
        """A column of `edges`."""
        if name not in self._columns:
            self._columns[name] = self.edges[name].to_numpy()
        return self._columns[name]

    def has(self, column: str, bit: int) -> np.ndarray:
        """Of each edge: whether the bit is in the set."""
        return (self.column(column) & (1 << bit)).astype(bool)

    def end(self, end: int) -> np.ndarray:
        """Of each edge: the node at its head or tail."""
        return self.column(ENDS[end])

    @cached_property
    def names(self) -> pl.Series:
        """In lower case: of every edge the name at its head, then of every edge the name at its tail."""
        shown = self._shown[self.edges["row"]]
        return pl.concat([shown[end].str.to_lowercase() for end in ENDS])

    def holders(self, end: int) -> Holders:
        """What stands at this end of facts that say one thing of one other end: relations of one id or name, those of posts
        all as one; nodes that are the same to a reader."""
        return self._holders[end]

    def same_holders(self, end: int) -> Holders:
        """The same groups; of members that are the same to a reader the first."""
        return self._same[end]

    def determined(self, end: int) -> np.ndarray:
        """Of each edge: whether what it says of its other end leaves one answer for this end, over all facts of the window: one
        node, or nodes of one name."""
        return self._sole[end][self.holders(end).group[self.triple]]

    @cached_property
    def _sole(self) -> list[np.ndarray]:
        """By end, of each group of holders."""
        sole = []
        for holders, names in zip(self._holders, self._names, strict=True):
            one = holders.sizes == 1
            if len(one):
                bounds = (of.reduceat(of.reduceat(names, self._first)[holders.order], holders.spans[:-1]) for of in BOUNDS)
                one |= np.equal(*bounds)
            sole.append(one)
        return sole

    def edge(self, number: int) -> Edge:
        row = self._shown.row(self.column("row")[number], named=True)
        own = set(self._shown["article_id"][self._span(self.triple[number])].to_list())
        return Edge(
            number=number,
            row=row,
            fact_id=row["fact_id"],
            head=row["head_id"],
            relation=row["relation_key"],
            tail=row["tail_id"],
            article_ids=tuple(sorted({mate for article in own for mate in self._mates.get(article, (article,))})),
            new=bool(self.column("new")[number]),
            weight=int(self.column("weight")[number]),
            apposition=bool(self.column("apposition")[number]),
        )

    def stated_names(self, triple: int, end: int) -> list[tuple[str, str]]:
        """The names and kinds under which the rows of a triple, asked or not, have its head or tail."""
        return self.rows[self._span(triple)].select(ENDS[end], f"{ENDS[end]}_kind").rows()

    @cached_property
    def company(self) -> Company:
        return named_by_few(self.rows, self.alike, VALUES)

    def _span(self, triple: int) -> slice:
        last = self._first[triple + 1] if triple + 1 < len(self._first) else self.rows.height
        return slice(int(self._first[triple]), int(last))

    def apart(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Of pairs of edges: whether no article of one is a reprint of an article of the other."""
        lowest, highest = self.story_bounds
        apart = lowest[first] != lowest[second]
        several = np.flatnonzero((lowest != highest)[first] | (lowest != highest)[second])
        if len(several):
            ones, others = (
                pl.DataFrame({"pair": several, "edge": edges[several]}).join(self.story_of, on="edge")
                for edges in (first, second)
            )
            shared = ones.join(others, on=["pair", "story"])["pair"].unique().to_numpy()
            apart[several] = True
            apart[shared] = False
        return apart

    @cached_property
    def story_of(self) -> pl.DataFrame:
        """Edge and story, a row for each of an edge's stories."""
        spans = np.diff(np.append(self._first, self.rows.height))
        triple = np.repeat(np.arange(len(spans)), spans)
        number = np.full(len(spans), -1)
        number[self.triple] = np.arange(len(self.triple))
        return pl.DataFrame({"edge": number[triple], "story": self.rows["story"]}).filter(pl.col("edge") >= 0).unique()

    @cached_property
    def story_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The first and the last story of each edge: equal for one that stands in one story."""
        of = self.story_of.group_by("edge").agg(lowest=pl.col("story").min(), highest=pl.col("story").max()).sort("edge")
        return of["lowest"].to_numpy(), of["highest"].to_numpy()


def _count(*codes: np.ndarray) -> int:
    return 1 + max(int(column.max(initial=-1)) for column in codes)


def joins(name: pl.Expr, kind: pl.Expr, node: pl.Expr) -> pl.Expr:
    """An unlinked person given by one word or initials never joins facts; values and roles neither."""
    full = name.str.contains(" ", literal=True) & ~name.str.contains(".", literal=True)
    return ~kind.is_in(VALUES) & ((kind != "PER") | ~node.str.starts_with("local:") | full)


def latest(articles: pl.DataFrame) -> pl.DataFrame:
    """The newest version of each URL in the window."""
    return articles.sort("url", DAY, "version", "article_id").unique("url", keep="last", maintain_order=True)


def _mates(stories: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    grouped = stories.group_by("story_id").agg(pl.col("article_id").sort()).sort("story_id")
    return {member: tuple(members) for members in grouped["article_id"].to_list() for member in members}


def _node_ids(rows: pl.DataFrame) -> pl.Series:
    return pl.concat([rows["head_id"], rows["tail_id"]]).unique().sort()


def _sorted(current: pl.DataFrame, stories: pl.DataFrame, day: str) -> pl.DataFrame:
    """The rows by triple, of each triple the one to show last; with codes, story and what their wording says."""
    story = stories.sort("story_id").unique("article_id", keep="last", maintain_order=True).select("article_id", "story_id")
    rows = current.select(
        *SHOWN, "section", "novelty", usable=pl.col("held_back").is_null(), today=pl.col(DAY) == day,
        relation_key=pl.when(pl.col("relation_id").fill_null("") == "").then("relation").otherwise("relation_id"),
    ).join(story, on="article_id", how="left")  # fmt: skip
    rows = rows.join(read_wordings(rows["wording"]), on="wording", how="left", nulls_equal=True)
    nodes = pl.Enum(_node_ids(rows))
    relations = pl.Enum(rows["relation_key"].unique().sort())
    return rows.with_columns(
        head_code=pl.col("head_id").cast(nodes).to_physical().cast(pl.Int64),
        tail_code=pl.col("tail_id").cast(nodes).to_physical().cast(pl.Int64),
        relation_code=pl.col("relation_key").cast(relations).to_physical().cast(pl.Int64),
        story=pl.coalesce("story_id", "article_id").rank("dense"),
        preference=pl.when(pl.col("wording").is_null()).then(0).otherwise("weight"),
    ).sort(
        "head_code", "relation_code", "tail_code", "usable", "today", "preference", "fact_id", "article_id", DAY, "start",
        maintain_order=True,
    )  # fmt: skip


def _triples(rows: pl.DataFrame) -> pl.DataFrame:
    """One row per head, relation and tail, in code order; `row`: its first row, `last`: the one to show."""
    codes = ["head_code", "relation_code", "tail_code"]
    return (
        rows.with_row_index("row")
        .group_by(codes, maintain_order=True)
        .agg(
            pl.col("row").first().cast(pl.Int64),
            last=pl.col("row").last().cast(pl.Int64),
            post=(pl.col("tail_kind") == "ROLE").any(),
            novel=(pl.col("novelty") == "novel").all(),
            usable=pl.col("usable").any(),
            new=pl.col("today").all(),
        )
        .rename({code: code.removesuffix("_code") for code in codes})
    )


def _posts_as_one(relation: np.ndarray, post: np.ndarray, count: int) -> np.ndarray:
    """Relations, where all that some post is the tail of are one: what somebody is, is said under several («занимаемая
    должность», «род занятий»)."""
    of_posts = np.zeros(count, bool)
    of_posts[relation[post]] = True
    return np.where(of_posts[relation], count, relation)


def _name_codes(rows: pl.DataFrame, *columns: str) -> list[np.ndarray]:
    """Of each row of each column: a number that equal folded names share."""
    names = pl.DataFrame({"name": pl.concat([rows[column] for column in columns]).unique()})
    codes = names.with_columns(code=fold(names["name"]).rank("dense").cast(pl.Int64))
    return [
        rows.select(name=column).join(codes, on="name", how="left", maintain_order="left")["code"].to_numpy()
        for column in columns
    ]
