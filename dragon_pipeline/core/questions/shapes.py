"""The shapes of one relation, paper §4.2: simple and set, in time linear in the edges."""

from itertools import combinations, permutations

import numpy as np
import polars as pl
from Levenshtein import distance

from dragon_pipeline.core.questions.candidates import NONE, Candidates, Shape
from dragon_pipeline.core.questions.graph import HEAD, TAIL, Edge, Graph
from dragon_pipeline.core.questions.namesakes import folded, spelled
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import ENDS


def simple(graph: Graph) -> Candidates:
    """A relation and one end that determine the other end."""
    new, allowed = graph.column("new"), graph.has("shapes", TYPES.index("simple"))
    found, ends, left_out = [], [], {"not_unique": 0, "not_new": 0}
    for end in (HEAD, TAIL):
        asks, determined = allowed & graph.has("alone", end), graph.determined(end)
        at = np.flatnonzero(asks & determined & new)
        found.append(at)
        ends.append(np.full(len(at), end, np.int8))
        left_out["not_unique"] += int((asks & ~determined).sum())
        left_out["not_new"] += int((asks & determined & ~new).sum())
    edges = np.concatenate(found)[:, None]
    ends = np.concatenate(ends)[:, None]
    return Candidates("simple", edges, ends, np.zeros(len(edges), bool), _simple, left_out=left_out)


def _simple(graph: Graph, found: Candidates, row: int) -> Shape:
    edge, end = found.edge(graph, row, 0)
    return Shape("simple", (edge,), (edge.name(end),), (edge.name(1 - end),), None, False, (ENDS[end],))


def sets(graph: Graph, size: tuple[int, int]) -> Candidates:
    """One-to-many facts that share a relation and one end: the other ends are the answers."""
    parts = [_groups(graph, end, size) for end in (HEAD, TAIL)]
    found = pl.concat(parts)
    left_out = {
        reason: int(found[reason].sum()) for reason in ("too_many", "not_new", "not_askable_at_once", "not_one_subject")
    }
    found = found.filter(~pl.any_horizontal(*left_out))
    edges = np.full((found.height, size[1]), NONE, np.int64)
    for place in range(size[1]):
        edges[:, place] = found["edges"].list.get(place, null_on_oob=True).fill_null(NONE).to_numpy()
    ends = np.repeat(found["end"].to_numpy()[:, None], size[1], axis=1)
    return Candidates("set", edges, ends, found["cross"].to_numpy(), _set, left_out=left_out)


def _groups(graph: Graph, end: int, size: tuple[int, int]) -> pl.DataFrame:
    """Edges that say one thing of one other end, in the order of the relation and that end; those of two relations or of two
    nodes of one name are not asked as one."""
    group = graph.holders(end).group[graph.triple]
    may = graph.has("shapes", TYPES.index("set"))
    may &= np.bincount(group[may], minlength=len(graph.holders(end).sizes))[group] >= size[0]
    edge = np.flatnonzero(may)
    columns = {
        "new": graph.column("new"), "many": graph.has("many", end), "group": group,
        "relation": graph.column("relation"), "given": graph.end(1 - end),
    }  # fmt: skip
    edges = pl.DataFrame({"edge": edge} | {name: column[edge] for name, column in columns.items()})
    groups = edges.group_by("group").agg(
        pl.len(), pl.col("new", "many").sum(), pl.col("edge").head(size[1]).sort().alias("edges"),
        apart=(pl.col("relation").min() != pl.col("relation").max()) | (pl.col("given").min() != pl.col("given").max()),
    )  # fmt: skip
    told = (
        edges.join(graph.story_of, on="edge").group_by("group", "story").len("told").group_by("group").agg(pl.col("told").max())
    )
    groups = groups.join(told, on="group").with_columns(cross=pl.col("told") < pl.col("len"))
    few, new, at_once = pl.col("len") <= size[1], pl.col("new") > 0, pl.col("many") == pl.col("len")
    return groups.sort("group").select(
        "edges", "cross", end=pl.lit(end, pl.Int8()), too_many=~few, not_new=few & ~new,
        not_askable_at_once=few & new & ~at_once, not_one_subject=few & new & at_once & pl.col("apart"),
    )  # fmt: skip


def _set(graph: Graph, found: Candidates, row: int) -> Shape | str:
    numbers = [int(number) for number in found.edges[row] if number != NONE]
    end = int(found.ends[row, 0])
    edges = sorted((graph.edge(number) for number in numbers), key=lambda edge: edge.row[ENDS[end]])
    if _another(graph, edges, end):
        return "another_answer"
    if _one_twice(edges, end):
        return "one_person_twice"
    asked = tuple(edge.name(end) for edge in edges)
    to_a_reader = np.unique(graph.alike[graph.end(end)[numbers]])
    if min(len({folded(name) for name in asked}), len(to_a_reader)) < len(asked):
        return "one_name_twice"
    return Shape("set", tuple(edges), asked, (edges[0].name(1 - end),), None, bool(found.cross[row]), (ENDS[end],) * len(edges))


def _another(graph: Graph, edges: list[Edge], end: int) -> bool:
    """Whether the facts give another answer that cannot be asked for; of a person who is there the surname alone is none."""
    names = {folded(edge.name(end)) for edge in edges}
    parts = {part for edge in edges if _kind(edge, end) == "PER" for part in _outer(spelled(edge.name(end)))}
    holders = graph.holders(end)
    own = {int(graph.triple[edge.number]) for edge in edges}
    others = (t for t in holders.triples(int(holders.group[graph.triple[edges[0].number]])).tolist() if t not in own)
    stated = (said for triple in others for said in graph.stated_names(triple, end))
    return any(folded(name) not in names and not (kind == "PER" and spelled(name) in parts) for name, kind in stated)


def _one_twice(edges: list[Edge], end: int) -> bool:
    """Whether two answers may be one person: one name within the other, the same surname and first letter, or the same given
    name and a surname with one letter more, less or other."""
    people = [spelled(edge.name(end)) for edge in edges if _kind(edge, end) == "PER"]
    words = [set(name.split()) for name in (*people, *(folded(edge.name(end)) for edge in edges if _kind(edge, end) != "PER"))]
    if any(one < other for one, other in permutations(words, 2)):
        return True
    return any(_near(_outer(one), _outer(other)) for one, other in combinations(people, 2))


def _near(one: tuple[str, str], other: tuple[str, str]) -> bool:
    (given, surname), (other_given, other_surname) = one, other
    if surname == other_surname:
        return given[:1] == other_given[:1]
    return given == other_given and distance(surname, other_surname, score_cutoff=1) <= 1


def _outer(name: str) -> tuple[str, str]:
    """First and last word."""
    words = name.split() or [""]
    return words[0], words[-1]


def _kind(edge: Edge, end: int) -> str:
    return edge.row[f"{ENDS[end]}_kind"]
