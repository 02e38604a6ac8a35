"""A draw from candidates: stratified, seeded, nothing asked twice, under soft caps."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.candidates import Candidates, Shape
from dragon_pipeline.core.questions.graph import HEAD, TAIL, Graph
from dragon_pipeline.core.questions.keys import key, mixed, ordered
from dragon_pipeline.core.questions.namesakes import folded

BLOCK = 1024
"""Candidates that are held against the caps at once."""
ENOUGH = 4
"""Weight from which a fact is preferred no further."""


@dataclass(frozen=True)
class Caps:
    """How many questions of one type an entity and a relation may stand in. Soft: they are raised, by what they were at first,
    when the wanted number cannot be reached otherwise."""

    entity: int
    relation: int

    @classmethod
    def of(cls, wanted: int, most_per_entity: int, most_per_relation: float) -> "Caps":
        """`most_per_relation`: a share; in as many as an entity a relation may always stand."""
        return cls(most_per_entity, max(most_per_entity, ceil(most_per_relation * wanted)))


@dataclass(frozen=True)
class Tally:
    """What became of the candidates of one type: `candidates` = `drawn` + all that were left out."""

    wanted: int
    drawn: int
    candidates: int
    left_out: Mapping[str, int]
    """by reason; `number_reached`: they were not needed"""
    raised: Mapping[str, int] = field(default_factory=dict)
    """caps that were raised, and to what"""


def draw_from(
    graph: Graph, candidates: Candidates, wanted: int, caps: Caps, seed: str, check: Callable[[Shape], str | None] | None = None
) -> tuple[list[Shape], Tally]:
    """At most `wanted` shapes, and what became of the rest.

    Args:
        check: why a shape may not be asked after all; asked only of those that would else be drawn.
    """
    deal = _Deal(graph, candidates, seed, caps)
    drawn, reasons = [], Counter(candidates.left_out)
    at_first = needed = caps
    once: set[tuple[str, ...]] = set()
    while len(drawn) < wanted:
        row = deal.next(caps)
        if row is None:
            raised = deal.raised(caps, at_first)
            if raised == caps:
                break
            caps = raised
            continue
        shape = candidates.look(graph, candidates, row)
        reason = shape if isinstance(shape, str) else _refused(shape, once, check)
        if reason or isinstance(shape, str):
            reasons[str(reason)] += 1
            continue
        once.add(asked_once(shape))
        deal.count(row)
        drawn.append(shape)
        needed = caps
    for reason, number in deal.rest(caps).items():
        reasons[reason] += number
    told = {name: now for name in ("entity", "relation") if (now := getattr(needed, name)) > getattr(at_first, name)}
    left_out = {reason: number for reason, number in sorted(reasons.items()) if number}
    return drawn, Tally(wanted, len(drawn), len(drawn) + sum(left_out.values()), left_out, told)


def _refused(shape: Shape, once: set[tuple[str, ...]], check: Callable[[Shape], str | None] | None) -> str | None:
    return "asked_twice" if asked_once(shape) in once else check(shape) if check else None


def asked_once(shape: Shape) -> tuple[str, ...]:
    """What a draw asks only once: a set's answers, else the facts, by the names that a reader sees. An act beside several posts
    of one person is drawn with each, for a writer may refuse some; the ranking keeps one of them."""
    if shape.type == "set":
        return shape.asked
    return tuple(sorted(f"{folded(edge.name(HEAD))}\n{edge.relation}\n{folded(edge.name(TAIL))}" for edge in shape.edges))


class _Deal:
    """Candidates in the order in which they come to their turn."""

    def __init__(self, graph: Graph, candidates: Candidates, seed: str, caps: Caps) -> None:
        self.graph, self.candidates = graph, candidates
        traits = _traits(graph, candidates)
        widths = traits.max(axis=0, initial=0) + 1
        code = np.asarray(np.ravel_multi_index(tuple(traits.T), tuple(widths)))
        codes = pl.Series(code).unique().sort().to_numpy()  # by hashes: many candidates, few strata
        self.of: np.ndarray = np.asarray(np.searchsorted(codes, code))
        strata = np.stack(np.unravel_index(codes, tuple(widths)), axis=1)
        self.order = self._best_first(seed)
        self.starts = np.searchsorted(self.of[self.order], np.arange(len(strata) + 1))
        self.turn = mixed(key(seed), *(strata[:, column] for column in range(strata.shape[1])))
        """what decides among strata of which equally many were drawn"""
        self.strata = strata
        self.dealt = np.zeros(len(candidates), bool)
        self.place = self.starts[:-1].copy()
        self.drawn = [np.zeros(width, int) for width in widths]
        self.entities = np.zeros(graph.node_count + 1, int)  # the last is of no node
        self.relations = np.zeros(graph.relation_count + 1, int)

    def _best_first(self, seed: str) -> np.ndarray:
        """Of each stratum first what joins different stories, then what tells more."""
        graph, found = self.graph, self.candidates
        if not len(found):
            return np.zeros(0, int)
        missing = found.edges < 0
        weights = np.where(missing, ENOUGH, np.clip(graph.column("weight"), 0, ENOUGH)[found.edges])
        keys = np.where(missing, np.uint64(0), graph.column("key")[found.edges])
        tie = mixed(key(seed), *keys.T, *found.ends.T)
        return ordered(self.of, ~found.cross, ENOUGH - weights.min(axis=1), by=tie)

    def next(self, caps: Caps) -> int | None:
        """A candidate of the stratum of which fewest were drawn: by direction, then by outlet, topic and kind of the
        answer taken together. None when no candidate is within the caps."""
        while len(self.strata):
            waiting = np.flatnonzero(self.place < self.starts[1:])
            if not len(waiting):
                break
            directions, *others = [count[self.strata[waiting, column]] for column, count in enumerate(self.drawn)]
            stratum = int(waiting[np.lexsort((self.turn[waiting], np.sum(others, axis=0), directions))[0]])
            row = self._next_of(stratum, caps)
            if row is not None:
                self.dealt[row] = True
                return row
        return None

    def _next_of(self, stratum: int, caps: Caps) -> int | None:
        while self.place[stratum] < self.starts[stratum + 1]:
            stop = min(self.place[stratum] + BLOCK, self.starts[stratum + 1])
            rows = self.order[self.place[stratum] : stop]
            entity, relation = self._full(rows, caps)
            fit = np.flatnonzero(~(entity | relation | self.dealt[rows]))
            if len(fit):
                self.place[stratum] += fit[0] + 1
                return int(rows[fit[0]])
            self.place[stratum] = stop
        return None

    def _full(self, rows: np.ndarray, caps: Caps) -> tuple[np.ndarray, np.ndarray]:
        """Whether an entity, and whether a relation, of each candidate stands in as many questions as it may."""
        entities = self.entities[self.candidates.nodes(self.graph, rows)]
        relations = self.relations[self.candidates.relations(self.graph, rows)]
        return np.any(entities >= caps.entity, axis=1), np.any(relations >= caps.relation, axis=1)

    def count(self, row: int) -> None:
        """The candidate was drawn."""
        rows = np.array([row])
        for counts, codes in (
            (self.entities, self.candidates.nodes(self.graph, rows)),
            (self.relations, self.candidates.relations(self.graph, rows)),
        ):
            counts[np.unique(codes)] += 1
            counts[-1] = 0
        for column, count in enumerate(self.drawn):
            count[self.strata[self.of[row], column]] += 1

    def raised(self, caps: Caps, by: Caps) -> Caps:
        """The caps that let somebody in, of the two the one that does so alone; all candidates have another turn."""
        self.place = self.starts[:-1].copy()
        entity, relation = self._full(np.flatnonzero(~self.dealt), caps)
        if (relation & ~entity).any():
            return replace(caps, relation=caps.relation + by.relation)
        if (entity & ~relation).any():
            return replace(caps, entity=caps.entity + by.entity)
        if entity.any():
            return Caps(caps.entity + by.entity, caps.relation + by.relation)
        return caps

    def rest(self, caps: Caps) -> dict[str, int]:
        """Why what was never dealt was not."""
        entity, relation = self._full(np.flatnonzero(~self.dealt), caps)
        numbers = {"entity_cap": entity, "relation_cap": relation & ~entity, "number_reached": ~(entity | relation)}
        return {reason: int(which.sum()) for reason, which in numbers.items()}


def _traits(graph: Graph, found: Candidates) -> np.ndarray:
    """[row, trait]: of a comparison its direction, then outlet, topic and kind of the answer."""
    edges, ends = found.edges[:, found.answer], found.ends[:, found.answer]
    direction = found.direction if found.direction is not None else np.zeros(len(found), int)
    kind = np.where(ends == HEAD, graph.column("head_kind")[edges], graph.column("tail_kind")[edges])
    return np.stack([direction, graph.column("outlet")[edges], graph.column("topic")[edges], kind], axis=1).astype(int)
