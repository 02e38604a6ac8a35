"""Comparison: two facts of one relation whose tails are quantities that surely differ. Bounded per relation."""

from collections.abc import Callable

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.candidates import OTHER, Candidates, Shape
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.graph import HEAD, Graph
from dragon_pipeline.core.questions.keys import mixed, ordered, places
from dragon_pipeline.core.questions.pairs import contain
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import DIRECTIONS, ENDS, LESS, MORE

VALUES_PER_RELATION = 1_000
"""Most values of one relation that are read, of those new that day and of the older ones each."""
ALL_PAIRS = 24
"""Values of one relation and unit up to which every pair is looked at."""
PARTNERS = 4
"""Of more values: how many smaller and how many larger ones each new one is held against."""
COMPARED = ("YEAR", "DATE", "NUMBER", "OTHER")
"""Kinds of tails that may be quantities."""


def comparison(graph: Graph, draw: Draw) -> Candidates:
    """Two heads of one kind, each with one value in the whole window: which has more, and which less."""
    values = _values(graph, draw)
    larger, smaller = (np.concatenate(sides) for sides in zip(*_pairs(graph, values, draw.seed), strict=True))
    at = ~contain(graph.names[larger], graph.names[smaller])
    left_out = {"one_name_in_the_other": int((~at).sum())}
    larger, smaller = larger[at], smaller[at]
    parts = []
    for direction, sides in ((MORE, (larger, smaller)), (LESS, (smaller, larger))):
        asks = graph.has("directions", DIRECTIONS.index(direction))[sides[0]]
        edges = np.stack(sides, axis=1)[asks]
        parts.append((edges, np.full(len(edges), DIRECTIONS.index(direction), np.int8)))
    edges, directions = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    cross = graph.apart(edges[:, 0], edges[:, 1])
    ends = np.full(edges.shape, HEAD, np.int8)
    return Candidates("comparison", edges, ends, cross, _comparison, direction=directions, left_out=left_out)


def _comparison(graph: Graph, found: Candidates, row: int) -> Shape:
    (answer, _), (other, _) = (found.edge(graph, row, place) for place in (0, 1))
    given = tuple(sorted((answer.name(HEAD), other.name(HEAD))))
    return Shape(
        "comparison", (answer, other), (answer.name(HEAD),), given, None, bool(found.cross[row]),
        (ENDS[HEAD], OTHER), found.asked_for(row),
    )  # fmt: skip


def _values(graph: Graph, draw: Draw) -> pl.DataFrame:
    """Edges that can be compared, by relation and unit; `low` and `high` are ranks of the ends of their intervals."""
    edges = _single(graph)
    groups = edges.group_by("group").agg(pl.len(), pl.col("new").any()).filter((pl.col("len") > 1) & pl.col("new"))
    edges = edges.join(groups.select("group"), on="group", how="semi")
    order = ordered(edges["group"].to_numpy(), ~edges["new"].to_numpy(), by=mixed(draw.seed, edges["key"].to_numpy()))
    edges = edges[order]
    edges = edges.filter(places(edges["group"].to_numpy(), edges["new"].to_numpy()) < VALUES_PER_RELATION)
    read = _read(edges.select("tail_kind", "tail").unique(), draw.quantity)
    return edges.join(read, on=["tail_kind", "tail"]).sort("group", "unit", "low", "edge")


def _single(graph: Graph) -> pl.DataFrame:
    """Edges with a value in the tail whose head, or one that a reader takes for it, has no other value of the relation under
    which they compare, over all facts of the window, be they known, unsure or held back."""
    heads = graph.alike[graph.rows["head_code"].to_numpy()]
    rows = graph.rows.with_columns(head_code=heads).select(
        "head_code", "tail_code", "relation_code", key=pl.coalesce("compare", "relation_key"),
        keyed=pl.col("compare").is_not_null(), value=pl.col("tail_kind").is_in(COMPARED),
    )  # fmt: skip
    each = rows.group_by("head_code", "key").agg(least=pl.col("tail_code").min(), most=pl.col("tail_code").max())
    loose = rows.filter("value", ~pl.col("keyed")).group_by("head_code", "relation_code")
    loose = loose.agg(loosest=pl.col("tail_code").min(), tightest=pl.col("tail_code").max())
    shown = graph.rows[graph.edges["row"]]
    edges = shown.with_columns(head_code=graph.alike[graph.end(HEAD)]).select(
        "head_code", "tail_code", "relation_code", "tail", "tail_kind", "head_kind",
        compared=pl.coalesce("compare", "relation_key"),
    ).with_columns(
        edge=pl.int_range(pl.len()), new=graph.edges["new"], key=graph.edges["key"],
        may=pl.Series(graph.has("shapes", TYPES.index("comparison"))) & (graph.edges["directions"] > 0),
    )  # fmt: skip
    edges = edges.filter("may", pl.col("tail_kind").is_in(COMPARED))
    edges = edges.join(each, left_on=["head_code", "compared"], right_on=["head_code", "key"], maintain_order="left")
    edges = edges.join(loose, on=["head_code", "relation_code"], how="left", maintain_order="left")
    alone = [
        pl.col(name).fill_null(pl.col("tail_code")) == pl.col("tail_code") for name in ("least", "most", "loosest", "tightest")
    ]
    return edges.filter(*alone).with_columns(group=pl.concat_str("compared", "head_kind", separator="\n").rank("dense"))


def _read(texts: pl.DataFrame, quantity: Callable[[str, str], Quantity | None]) -> pl.DataFrame:
    """Kind and text with unit and interval; texts that are no quantity are left out."""
    found = [(kind, text, value) for kind, text in texts.iter_rows() if (value := quantity(kind, text)) is not None]
    ranks = {bound: rank for rank, bound in enumerate(sorted({b for *_, value in found for b in (value.low, value.high)}))}
    rows = [(kind, text, value.unit, ranks[value.low], ranks[value.high]) for kind, text, value in found]
    schema = {"tail_kind": pl.String(), "tail": pl.String(), "unit": pl.String(), "low": pl.Int64(), "high": pl.Int64()}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _pairs(graph: Graph, values: pl.DataFrame, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Larger and smaller edges of one relation and unit, one of them new."""
    columns = ["group", "unit"]
    counted = values.with_columns(size=pl.len().over(columns))
    few = counted.filter(pl.col("size") <= ALL_PAIRS)
    pairs = few.join(few, on=columns, maintain_order="left_right").filter(
        pl.col("low") > pl.col("high_right"),
        pl.col("new") | pl.col("new_right"),
        pl.col("head_code") != pl.col("head_code_right"),
    )
    found = [(pairs["edge"].to_numpy(), pairs["edge_right"].to_numpy())]
    many = counted.filter(pl.col("size") > ALL_PAIRS)
    return found + [_some(group, seed) for group in many.partition_by(columns, maintain_order=True)]


def _some(group: pl.DataFrame, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Each new value with a few that are surely smaller and a few that are surely larger."""
    edge, key, low, high = (group[name].to_numpy() for name in ("edge", "key", "low", "high"))
    anchors = np.flatnonzero(group["new"].to_numpy())
    by_high = np.lexsort((edge, high))
    by_low = np.lexsort((edge, low))
    smaller = np.searchsorted(high[by_high], low[anchors], side="left")
    larger = len(edge) - np.searchsorted(low[by_low], high[anchors], side="right")
    found = []
    for turn in range(PARTNERS):
        pick = mixed(seed, key[anchors], turn)
        below, above = smaller > 0, larger > 0
        place = (pick[below] % smaller[below].astype(np.uint64)).astype(np.int64)
        found.append((anchors[below], by_high[place]))
        place = len(edge) - 1 - (pick[above] % larger[above].astype(np.uint64)).astype(np.int64)
        found.append((by_low[place], anchors[above]))
    pairs = np.unique(np.concatenate([np.stack(sides, axis=1) for sides in found]), axis=0)
    return edge[pairs[:, 0]], edge[pairs[:, 1]]
