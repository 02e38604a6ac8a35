"""Shapes that were found, as columns: what a draw chooses among before it looks at any of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from dragon_pipeline.core.questions.graph import HEAD, TAIL, Edge, Graph
from dragon_pipeline.core.questions.wordings import DIRECTIONS

NONE = -1
"""Stands for an edge where a set has fewer than others."""
BRIDGE, OTHER = "bridge", "other"


@dataclass(frozen=True)
class Shape:
    """A subgraph with roles, looked at."""

    type: str
    edges: tuple[Edge, ...]
    asked: tuple[str, ...]
    given: tuple[str, ...]
    bridge: str | None
    cross_story: bool
    end: tuple[str, ...]
    """of each edge, the end that is asked, `bridge`, or `other` of the one that is compared with"""
    direction: str | None = None

    @property
    def new(self) -> bool:
        return any(edge.new for edge in self.edges)


Look = Callable[[Graph, "Candidates", int], "Shape | str"]


@dataclass(frozen=True)
class Candidates:
    """What was found of one type, a row each, in an order that content alone decides."""

    type: str
    edges: np.ndarray
    """[row, place] number of an edge; NONE where there is none"""
    ends: np.ndarray
    """[row, place] HEAD or TAIL: the end at which the edge is asked or, where its place describes a bridge, the bridge"""
    cross: np.ndarray
    """whether its facts come from different stories"""
    look: Look
    """the row as a shape, or why it is none after all"""
    answer: int = 0
    """place of the edge whose end is the answer"""
    direction: np.ndarray | None = None
    """of comparisons: index into DIRECTIONS"""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """how many were found that may not be asked, by reason"""

    def __len__(self) -> int:
        return len(self.edges)

    def shapes(self, graph: Graph) -> Iterator[Shape]:
        for row in range(len(self)):
            found = self.look(graph, self, row)
            if isinstance(found, Shape):
                yield found

    def nodes(self, graph: Graph, rows: np.ndarray) -> np.ndarray:
        """[row, …] codes of the entities that the questions would name or ask for; the last code of all for no edge."""
        ends = (HEAD,) if self.type == "comparison" else (HEAD, TAIL)
        return np.concatenate([_at(graph.end(end), self.edges[rows]) for end in ends], axis=1)

    def relations(self, graph: Graph, rows: np.ndarray) -> np.ndarray:
        """[row, place] codes of the relations."""
        return _at(graph.column("relation"), self.edges[rows])

    def asked_for(self, row: int) -> str | None:
        return DIRECTIONS[self.direction[row]] if self.direction is not None else None

    def edge(self, graph: Graph, row: int, place: int) -> tuple[Edge, int]:
        """The edge and its end."""
        return graph.edge(int(self.edges[row, place])), int(self.ends[row, place])


def _at(column: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.where(edges == NONE, NONE, column[edges]) if len(column) else np.full(edges.shape, NONE)
