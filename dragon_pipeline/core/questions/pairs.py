"""The shapes of two facts that share a node, paper §4.2: multi_hop and conditional. Bounded per bridge, also at hubs."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.candidates import BRIDGE, Candidates, Shape
from dragon_pipeline.core.questions.graph import HEAD, TAIL, Edge, Graph
from dragon_pipeline.core.questions.holders import share_one
from dragon_pipeline.core.questions.keys import mixed, ordered, places
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import ENDS

FACTS_PER_BRIDGE = 12
"""Most facts of one bridge that are held against others, of those new that day and of the older ones each: a president's
bridge would else give millions of pairs."""
PAIRS_PER_BRIDGE = 24
"""Most pairs that are kept of one bridge, those from different stories first."""
LOOKED_AT = 1_000_000
"""Pairs held in memory at once."""

Pairs = list[np.ndarray]
"""bridge, first edge, its end there, second edge, its end there"""


def multi_hop(graph: Graph, seed: int) -> Candidates:
    """Two facts that share a bridge: the first describes it, the second asks for its other end."""
    shape = graph.has("shapes", TYPES.index("multi_hop"))
    may = [shape & graph.column(f"joins_{ENDS[end]}") & graph.has("bridges", end) for end in (HEAD, TAIL)]
    sure = [graph.has("asks", end) & graph.determined(end) for end in (HEAD, TAIL)]
    describing = incidences(graph, [may[end] & sure[end] & graph.has("describes", end) for end in (HEAD, TAIL)], seed)
    asking = incidences(graph, [may[end] & sure[1 - end] for end in (HEAD, TAIL)], seed)
    kept = [_kept(graph, pairs, seed) for pairs in _joined(graph, describing, asking)]
    _, first, first_end, second, second_end, cross = _together(kept)
    edges, ends = np.stack([first, second], axis=1), np.stack([first_end, 1 - second_end], axis=1)
    return Candidates("multi_hop", edges, ends, cross, _multi_hop, answer=1)


def _multi_hop(graph: Graph, found: Candidates, row: int) -> Shape | str:
    (first, at), (second, asked) = (found.edge(graph, row, place) for place in (0, 1))
    if found.cross[row] and _may_be_two(graph, first, at, second):
        return "perhaps_namesakes"
    return Shape(
        "multi_hop", (first, second), (second.name(asked),), (first.name(1 - at),), first.name(at), bool(found.cross[row]),
        (BRIDGE, ENDS[asked]),
    )  # fmt: skip


def conditional(graph: Graph, seed: int) -> Candidates:
    """Two facts that share a bridge, which both given ends together determine: the bridge is the answer."""
    shape = graph.has("shapes", TYPES.index("conditional"))
    may = [
        shape & graph.column(f"joins_{ENDS[end]}") & graph.has("bridges", end) & graph.has("asks", end) for end in (HEAD, TAIL)
    ]
    one = incidences(graph, may, seed)
    kept, left_out = [], {"not_unique": 0}
    for pairs in _joined(graph, one, one, beside=True):
        once = [part[pairs[1] < pairs[3]] for part in pairs]
        sole = _sole(graph, once)
        left_out["not_unique"] += int((~sole).sum())
        kept.append(_kept(graph, [part[sole] for part in once], seed))
    _, first, first_end, second, second_end, cross = _together(kept)
    edges, ends = np.stack([first, second], axis=1), np.stack([first_end, second_end], axis=1)
    return Candidates("conditional", edges, ends, cross, _conditional, left_out=left_out)


def _conditional(graph: Graph, found: Candidates, row: int) -> Shape | str:
    """The fact of somebody's role comes first: «Какой депутат …»."""
    both = [found.edge(graph, row, place) for place in (0, 1)]
    if found.cross[row] and _may_be_two(graph, *both[0], both[1][0]):
        return "perhaps_namesakes"
    both.sort(key=lambda one: (one[0].row["tail_kind"] != "ROLE", one[0].fact_id))
    (first, at), (second, other) = both
    given, name = (first.name(1 - at), second.name(1 - other)), first.name(at)
    return Shape(
        "conditional", (first, second), (name,), given, name, bool(found.cross[row]), (ENDS[at], ENDS[other])
    )  # fmt: skip


def _may_be_two(graph: Graph, one: Edge, end: int, other: Edge) -> bool:
    """Whether the person whom two edges of different stories share, one of them at this end, may be two: it is not linked, few
    articles name it, and these have nobody and nothing else in common but what much of the news names too."""
    if one.row[f"{ENDS[end]}_kind"] != "PER" or not one.row[f"{ENDS[end]}_id"].startswith("local:"):
        return False
    person = int(graph.alike[graph.end(end)[one.number]])
    ours, theirs = (graph.company.of(edge.article_ids) for edge in (one, other))
    return person in ours and not (ours & theirs) - {person}


def _sole(graph: Graph, pairs: Pairs) -> np.ndarray:
    """Of each pair: whether nothing but the bridge stands where it stands in both facts, neither by id nor to a reader."""
    _, first, first_end, second, second_end = pairs
    sole = np.zeros(len(first), bool)
    for one in (HEAD, TAIL):
        for other in (HEAD, TAIL):
            at = np.flatnonzero((first_end == one) & (second_end == other))
            sole[at] = True
            for holders in (graph.holders, graph.same_holders):
                groups = [(holders(end), holders(end).group[graph.triple[edges[at]]])
                          for end, edges in ((one, first), (other, second))]  # fmt: skip
                sole[at] &= share_one(*groups)
    return sole


def incidences(graph: Graph, may: list[np.ndarray], seed: int) -> pl.DataFrame:
    """Edges at the nodes where they may be joined, a bounded number of each node: of those new that day and of the older."""
    number = [np.flatnonzero(mask) for mask in may]
    edge = np.concatenate(number)
    end = np.repeat(np.array([HEAD, TAIL], np.int8), [len(edges) for edges in number])
    node = np.concatenate([graph.end(at)[edges] for at, edges in enumerate(number)])
    old = ~graph.column("new")[edge]
    order = ordered(node, old, by=mixed(seed, graph.column("key")[edge], end))
    order = order[places(node[order], old[order]) < FACTS_PER_BRIDGE]
    return pl.DataFrame({"node": node[order], "edge": edge[order], "end": end[order]})


def _joined(graph: Graph, ones: pl.DataFrame, others: pl.DataFrame, beside: bool = False) -> Iterator[Pairs]:
    """Pairs that fit together, see `_fit_together`, a good many bridges at a time, in the order of the bridges."""
    counted = (frame.group_by("node").len() for frame in (ones, others))
    bridges = (
        next(counted)
        .join(next(counted), on="node")
        .sort("node")
        .select("node", part=(pl.col("len").cast(pl.Int64) * pl.col("len_right")).cum_sum() // LOOKED_AT)
    )
    for part in bridges.partition_by("part", maintain_order=True):
        ours, theirs = (frame.join(part.select("node"), on="node", how="semi") for frame in (ones, others))
        pairs = ours.join(theirs, on="node", maintain_order="left_right")
        found = [pairs[column].to_numpy() for column in ("node", "edge", "end", "edge_right", "end_right")]
        fit = _fit_together(graph, found, beside)
        yield [column[fit] for column in found]


def _fit_together(graph: Graph, pairs: Pairs, beside: bool) -> np.ndarray:
    """Rows of pairs with something new, of two sentences, two relations and two other ends, of which at most one is an
    apposition (two posts of one person make no path, those of two people in one place do), at least one names something to be
    found by, and neither other end tells the other: «директор завода „Маяк“» and «возглавил завод „Маяк“» are one thing twice.

    Args:
        beside: an apposition may stand in the other's sentence (what «директор завода „Маяк“» did is a condition on its own),
            but it is the other that must be new: under a new post an old act is the same question.
    """
    _, first, first_end, second, second_end = pairs
    new, named, apposition = (graph.column(name) for name in ("new", "named", "apposition"))
    fit = (first != second) & (new[first] | new[second]) & (named[first] | named[second])
    people = (first_end == TAIL) & (second_end == TAIL) & (graph.end(HEAD)[first] != graph.end(HEAD)[second])
    fit &= ~(apposition[first] & apposition[second]) | people
    fit &= graph.column("relation")[first] != graph.column("relation")[second]
    apart = graph.column("sentence")[first] != graph.column("sentence")[second]
    if beside:
        fit &= apart | (apposition[first] ^ apposition[second])
        fit &= (new[first] | apposition[first]) & (new[second] | apposition[second]) | ~(apposition[first] | apposition[second])
    else:
        fit &= apart
    at = np.flatnonzero(fit)
    one, other = (_other_names(graph, edges[at], ends[at]) for edges, ends in ((first, first_end), (second, second_end)))
    return at[~contain(one, other)]


def _other_names(graph: Graph, edges: np.ndarray, ends: np.ndarray) -> pl.Series:
    return graph.names[edges + np.where(ends == TAIL, HEAD, len(graph))]


def contain(ones: pl.Series, others: pl.Series) -> np.ndarray:
    """Of pairs of names: whether one stands within the other."""
    if not len(ones):
        return np.zeros(0, bool)
    pairs = pl.DataFrame({"one": ones, "other": others})
    either = pl.col("one").str.contains(pl.col("other"), literal=True) | pl.col("other").str.contains(
        pl.col("one"), literal=True
    )
    return pairs.select(either)["one"].to_numpy()


def _kept(graph: Graph, pairs: Pairs, seed: int) -> list[np.ndarray]:
    """The best pairs of each bridge, with whether their stories differ."""
    node, first, first_end, second, second_end = pairs
    cross = graph.apart(first, second)
    keys = graph.column("key")
    order = ordered(node, ~cross, by=mixed(seed, keys[first], first_end, keys[second], second_end))
    order = order[places(node[order]) < PAIRS_PER_BRIDGE]
    return [column[order] for column in (*pairs, cross)]


def _together(parts: list[list[np.ndarray]]) -> list[np.ndarray]:
    if parts:
        return [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    return [np.zeros(0, np.int64)] * 5 + [np.zeros(0, bool)]
