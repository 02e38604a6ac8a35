"""The shapes of one relation, paper §4.2: simple and set, in time linear in the edges."""

from itertools import permutations

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.candidates import NONE, Candidates, Shape
from dragon_pipeline.core.questions.graph import HEAD, TAIL, Edge, Graph
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
    left_out = {reason: int(found[reason].sum()) for reason in ("too_many", "not_new", "not_askable_at_once")}
    found = found.filter(~pl.any_horizontal(*left_out))
    edges = np.full((found.height, size[1]), NONE, np.int64)
    for place in range(size[1]):
        edges[:, place] = found["edges"].list.get(place, null_on_oob=True).fill_null(NONE).to_numpy()
    ends = np.repeat(found["end"].to_numpy()[:, None], size[1], axis=1)
    return Candidates("set", edges, ends, found["cross"].to_numpy(), _set, left_out=left_out)


def _groups(graph: Graph, end: int, size: tuple[int, int]) -> pl.DataFrame:
    """Edges of one relation and one other end, in the order of the relation and that end."""
    group = graph.holders(end).group[graph.triple]
    may = graph.has("shapes", TYPES.index("set"))
    may &= np.bincount(group[may], minlength=len(graph.holders(end).sizes))[group] >= size[0]
    edge = np.flatnonzero(may)
    lowest, highest = graph.story_bounds
    columns = {"new": graph.column("new"), "many": graph.has("many", end), "group": group, "lowest": lowest, "highest": highest}
    edges = pl.DataFrame({"edge": edge} | {name: column[edge] for name, column in columns.items()})
    groups = edges.group_by("group").agg(
        pl.len(), pl.col("new", "many").sum(), pl.col("edge").head(size[1]).sort().alias("edges"),
        cross=pl.col("lowest").min() != pl.col("highest").max(),
    )  # fmt: skip
    return groups.sort("group").select(
        "edges", "cross", end=pl.lit(end, pl.Int8()), too_many=pl.col("len") > size[1],
        not_new=(pl.col("len") <= size[1]) & (pl.col("new") == 0),
        not_askable_at_once=(pl.col("len") <= size[1]) & (pl.col("new") > 0) & (pl.col("many") < pl.col("len")),
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
    if len({name.lower() for name in asked}) < len(asked):
        return "one_name_twice"
    return Shape("set", tuple(edges), asked, (edges[0].name(1 - end),), None, bool(found.cross[row]), (ENDS[end],) * len(edges))


def _another(graph: Graph, edges: list[Edge], end: int) -> bool:
    """Whether the facts give another answer that cannot be asked for; a surname alone of one who is there is no other."""
    names = [edge.name(end).lower() for edge in edges]
    known = {word for name in names for word in (name, name.split()[-1], name.split()[0])}
    holders = graph.holders(end)
    own = {int(graph.triple[edge.number]) for edge in edges}
    others = (t for t in holders.triples(int(holders.group[graph.triple[edges[0].number]])).tolist() if t not in own)
    return any(name.lower() not in known for triple in others for name in graph.stated_names(triple, end))


def _one_twice(edges: list[Edge], end: int) -> bool:
    """Whether two answers may be one person: one name within the other, or the same surname and first letter."""
    words = [set(edge.name(end).lower().split()) for edge in edges]
    if any(one < other for one, other in permutations(words, 2)):
        return True
    people = [edge.name(end) for edge in edges if edge.row[f"{ENDS[end]}_kind"] == "PER"]
    keys = {(name.split()[-1].lower(), name[0].lower()) for name in people}
    return len(keys) < len(people)
