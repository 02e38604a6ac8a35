"""The shapes of paper §4.2 over a graph of facts, each found in time linear in the edges."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.questions.graph import Edge, Graph

PAIRS_PER_BRIDGE = 12
"""Most pairs of facts tried at one bridge: a president's bridge would else give millions."""


@dataclass(frozen=True)
class Shape:
    """A subgraph with roles. `asked`: (edge index, end) of each answer node."""

    type: str
    edges: tuple[Edge, ...]
    asked: tuple[str, ...]
    given: tuple[str, ...]
    bridge: str | None
    cross_story: bool
    end: tuple[str, ...]
    """of each edge, the end that is asked, or `bridge`"""

    @property
    def new(self) -> bool:
        return any(edge.new for edge in self.edges)

    @property
    def weight(self) -> int:
        return min(edge.weight for edge in self.edges)


def simple(graph: Graph) -> Iterator[Shape]:
    """A relation and one end that determine the other end."""
    for edge in graph.edges:
        for asked in (edge.head, edge.tail):
            if "simple" in edge.shapes and edge.end(asked) in edge.alone and graph.determines(edge, asked):
                given = edge.name(edge.other(asked))
                yield Shape("simple", (edge,), (edge.name(asked),), (given,), None, False, (edge.end(asked),))


def sets(graph: Graph, size: tuple[int, int]) -> Iterator[Shape]:
    """One-to-many facts that share a relation and one end: the other ends are the answers."""
    for end in ("head", "tail"):
        groups: dict[tuple[str, str], list[Edge]] = defaultdict(list)
        for edge in (e for e in graph.edges if "set" in e.shapes):
            shared = edge.tail if end == "head" else edge.head
            groups[edge.relation, shared].append(edge)
        everything = graph.heads if end == "head" else graph.tails
        for (relation, shared), edges in sorted(groups.items()):
            full = everything[(relation, shared) if end == "head" else (shared, relation)]
            if (
                _missing(full, edges, end, graph)
                or _one_twice(edges, end)
                or not size[0] <= len(edges) <= size[1]
                or not all(end in edge.many for edge in edges)
            ):
                continue
            edges = sorted(edges, key=lambda edge: edge.row[end])
            cross = any(graph.different_stories(edges[0], edge) for edge in edges[1:])
            asked = tuple(edge.row[end] for edge in edges)
            if len({name.lower() for name in asked}) == len(asked):
                yield Shape("set", tuple(edges), asked, (edges[0].name(shared),), None, cross, (end,) * len(edges))


def _missing(full: set[str], edges: list[Edge], end: str, graph: Graph) -> bool:
    """Whether the facts give another answer that cannot be asked for; a surname alone of one who is there is no other."""
    known = {
        word
        for edge in edges
        for word in (edge.row[end].lower(), edge.row[end].split()[-1].lower(), edge.row[end].split()[0].lower())
    }
    others = full - {edge.row[f"{end}_id"] for edge in edges}
    return any(graph.names.get(node, "").lower() not in known for node in others)


def _one_twice(edges: list[Edge], end: str) -> bool:
    """Whether two answers may be one person: one name within the other, or the same surname and first letter."""
    words = [set(edge.row[end].lower().split()) for edge in edges]
    if any(one < other for one, other in permutations(words, 2)):
        return True
    keys = [
        (row[end].split()[-1].lower(), row[end][0].lower()) for row in (e.row for e in edges) if row[f"{end}_kind"] == "PER"
    ]
    return len(set(keys)) < len(keys)


def multi_hop(graph: Graph, seed: int) -> Iterator[Shape]:
    """Two facts that share a bridge: the first describes it, the second asks for its other end."""
    for bridge, edges in graph.bridges():
        for first, second in _pairs(graph, "multi_hop", bridge, edges, seed):
            if _describes(graph, first, bridge) and _asks(graph, second, bridge):
                asked = second.other(bridge)
                if asked != first.other(bridge):
                    yield Shape(
                        "multi_hop", (first, second), (second.name(asked),), (first.name(first.other(bridge)),),
                        first.name(bridge), graph.different_stories(first, second), ("bridge", second.end(asked)),
                    )  # fmt: skip


def conditional(graph: Graph, seed: int) -> Iterator[Shape]:
    """Two facts that share a bridge, which both given ends together determine: the bridge is the answer."""
    for bridge, edges in graph.bridges():
        for first, second in _pairs(graph, "conditional", bridge, edges, seed):
            if first.fact_id > second.fact_id or not all(edge.end(bridge) in edge.asks for edge in (first, second)):
                continue
            if _holders(graph, first, bridge) & _holders(graph, second, bridge) != {bridge}:
                continue
            pair = sorted((first, second), key=lambda edge: (edge.row["tail_kind"] != "ROLE", edge.fact_id))
            given = tuple(edge.name(edge.other(bridge)) for edge in pair)
            cross = graph.different_stories(*pair)
            name = pair[0].name(bridge)
            yield Shape("conditional", tuple(pair), (name,), given, name, cross, (pair[0].end(bridge), pair[1].end(bridge)))


def _pairs(graph: Graph, type_: str, bridge: str, edges: list[Edge], seed: int) -> Iterator[tuple[Edge, Edge]]:
    """Ordered pairs of a bridge's facts from different sentences, those from different stories first, a bounded number."""
    order = sorted(
        (edge for edge in edges if type_ in edge.shapes and edge.end(bridge) in edge.bridges),
        key=lambda edge: content_id(seed, bridge, edge.fact_id),
    )
    pairs = [
        (one, other)
        for i, one in enumerate(order[: PAIRS_PER_BRIDGE * 2])
        for other in order[max(0, i - PAIRS_PER_BRIDGE) : i + PAIRS_PER_BRIDGE]
        if one is not other and one.new | other.new and _fit_together(one, other)
    ]
    pairs.sort(key=lambda pair: not graph.different_stories(*pair))
    yield from pairs[: PAIRS_PER_BRIDGE * 2]


def _fit_together(one: Edge, other: Edge) -> bool:
    """Facts of two sentences and two relations, of which at most one is an apposition (two posts make no path) and at least
    one names something to be found by."""
    if not (one.named or other.named) or _tells(one, other) or _tells(other, one):
        return False
    return _sentence(one) != _sentence(other) and one.relation != other.relation and not (one.apposition and other.apposition)


def _tells(one: Edge, other: Edge) -> bool:
    """Whether one fact's value holds the other's: «директор завода „Маяк“» and «возглавил завод „Маяк“» are one thing twice."""
    return other.row["tail"].lower() in one.row["tail"].lower()


def _sentence(edge: Edge) -> tuple[str, int]:
    return edge.row["article_id"], edge.row["start"]


def _describes(graph: Graph, edge: Edge, bridge: str) -> bool:
    return edge.end(bridge) in edge.asks and graph.determines(edge, bridge)


def _asks(graph: Graph, edge: Edge, bridge: str) -> bool:
    asked = edge.other(bridge)
    return edge.end(asked) in edge.asks and graph.determines(edge, asked)


def _holders(graph: Graph, edge: Edge, bridge: str) -> set[str]:
    if edge.end(bridge) == "head":
        return graph.heads[edge.relation, edge.tail]
    return graph.tails[edge.head, edge.relation]
