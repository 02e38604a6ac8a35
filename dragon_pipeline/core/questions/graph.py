"""The facts of a window as a graph: nodes are linked ids, edges are facts, reprints of one fact are one edge."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

ENDS = ("head", "tail")
SHAPES = ("simple", "set", "multi_hop", "conditional")
VALUES = ("YEAR", "DATE", "NUMBER", "ROLE", "OTHER")
"""Kinds of ends that never join two facts."""


@dataclass(frozen=True)
class Edge:
    """One fact, with every row that states it; `row` is the one whose sentence is shown."""

    row: dict = field(hash=False, compare=False)
    fact_id: str
    head: str
    relation: str
    tail: str
    article_ids: tuple[str, ...]
    new: bool
    """stated first by an article of the day"""
    asks: frozenset[str]
    weight: int
    shapes: frozenset[str]
    """question types in which it may stand"""

    named: bool
    """a question that describes it names somebody or something"""
    apposition: bool
    """stated by an apposition: the tail stands right before or behind the head"""
    group: str
    """word that must stand in a sentence which adds an answer to an apposition; may be empty"""
    alone: frozenset[str]
    """ends that this fact alone, without another, may ask for"""
    many: frozenset[str]
    """ends of which several can be asked at once"""
    bridges: frozenset[str]
    """ends at which it can describe a bridge or be asked about one"""

    def name(self, node: str) -> str:
        return self.row["head"] if node == self.head else self.row["tail"]

    def other(self, node: str) -> str:
        return self.tail if node == self.head else self.head

    def end(self, node: str) -> str:
        return "head" if node == self.head else "tail"


class Graph:
    """Edges that may be asked, and what all facts of the window say, known and held back ones included."""

    def __init__(self, facts: pl.DataFrame, articles: pl.DataFrame, stories: pl.DataFrame, day: str) -> None:
        current = facts.join(latest(articles).select("article_id"), on="article_id", how="semi")
        self.superseded = facts.height - current.height
        self.mates = _mates(stories)
        self.story = dict(stories.select("article_id", "story_id").iter_rows())
        self.tails: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.heads: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.names: dict[str, str] = {}
        self.holders: set[str] = set()
        rows: dict[tuple[str, str, str], list[dict]] = defaultdict(list)
        for row in current.sort("fact_id").iter_rows(named=True):
            relation = row["relation_id"] or row["relation"]
            self.tails[row["head_id"], relation].add(row["tail_id"])
            self.heads[relation, row["tail_id"]].add(row["head_id"])
            if row["tail_kind"] == "ROLE":
                self.holders.add(row["head"])
            self.names.update({row["head_id"]: row["head"], row["tail_id"]: row["tail"]})
            rows[row["head_id"], relation, row["tail_id"]].append(row)
        self.edges = [edge for key, same in sorted(rows.items()) if (edge := self._edge(key, same, day)) is not None]
        self.at: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            for end in ("head", "tail"):
                if joins(edge.row[end], edge.row[f"{end}_kind"], edge.row[f"{end}_id"]):
                    self.at[edge.row[f"{end}_id"]].append(edge)

    def _edge(self, key: tuple[str, str, str], same: list[dict], day: str) -> Edge | None:
        if key[0] == key[2] or any(row["novelty"] != "novel" for row in same):  # a node with itself asks nothing
            return None
        usable = [row for row in same if row["held_back"] is None]
        if not usable:
            return None
        row = max(usable, key=lambda row: (row["day"] == day, _wording(row).get("weight", 0), row["fact_id"]))
        articles = sorted({mate for r in same for mate in self.mates.get(r["article_id"], (r["article_id"],))})
        wording = _wording(row)
        head, relation, tail = key
        return Edge(
            row=row,
            fact_id=row["fact_id"],
            head=head,
            relation=relation,
            tail=tail,
            article_ids=tuple(articles),
            new=all(r["day"] == day for r in same),
            asks=frozenset(wording.get("asks", ENDS)),
            alone=frozenset(wording.get("alone", wording.get("asks", ENDS))),
            many=frozenset(wording.get("many", ENDS)),
            bridges=frozenset(wording.get("bridges", ENDS)),
            shapes=frozenset(wording.get("shapes", SHAPES)),
            weight=int(wording.get("weight", 3)),
            named=bool(wording.get("named", True)),
            apposition=bool(wording.get("apposition")),
            group=str(wording.get("group", "")),
        )

    def determines(self, edge: Edge, asked: str) -> bool:
        """Whether the relation and the other end leave one answer for the asked end, over all facts of the window."""
        if edge.end(asked) == "head":
            return self.heads[edge.relation, edge.tail] == {edge.head}
        return self.tails[edge.head, edge.relation] == {edge.tail}

    def bridges(self) -> Iterator[tuple[str, list[Edge]]]:
        """Nodes with at least two edges, in id order."""
        for node in sorted(self.at):
            if len(self.at[node]) > 1:
                yield node, self.at[node]

    def different_stories(self, one: Edge, other: Edge) -> bool:
        first = {self.story.get(a, a) for a in one.article_ids}
        return first.isdisjoint(self.story.get(a, a) for a in other.article_ids)


def joins(name: str, kind: str, node: str) -> bool:
    """An unlinked person given by one word or initials never joins facts; values and roles neither."""
    if kind in VALUES:
        return False
    return kind != "PER" or not node.startswith("local:") or (" " in name and "." not in name)


def latest(articles: pl.DataFrame) -> pl.DataFrame:
    """The newest version of each URL in the window."""
    return articles.sort("url", "day", "version").unique("url", keep="last", maintain_order=True)


def _mates(stories: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    grouped = stories.group_by("story_id").agg(pl.col("article_id").sort())
    return {member: tuple(members) for members in grouped["article_id"].to_list() for member in members}


def _wording(row: dict) -> dict:
    return json.loads(row["wording"]) if row["wording"] else {}
