"""Whom and what an article names that little other news does: two articles that share it are of one matter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from dragon_pipeline.core.questions.wordings import ENDS

COMMON, LEAST_COMMON = 0.02, 5
"""Share of the articles, and number of them, up to which what they name tells them from others."""


@dataclass(frozen=True)
class Company:
    """By article: the nodes that few others name."""

    nodes: Mapping[str, frozenset[int]]

    def of(self, articles: Iterable[str]) -> frozenset[int]:
        return frozenset[int]().union(*(self.nodes.get(article, ()) for article in articles))


def named_by_few(rows: pl.DataFrame, alike: np.ndarray, values: Sequence[str]) -> Company:
    """Of the rows of facts, with the code of each end, and of each node the first that is the same to a reader.

    Args:
        values: kinds of ends that name nothing.
    """
    ends = [
        rows.filter(~pl.col(f"{end}_kind").is_in(values)).select("article_id", node=pl.col(f"{end}_code").cast(pl.Int64))
        for end in ENDS
    ]
    named = pl.concat(ends)
    once = named.with_columns(pl.Series("node", alike[named["node"].to_numpy()])).unique()
    most = max(once["article_id"].n_unique() * COMMON, LEAST_COMMON)
    few = once.filter(pl.len().over("node") <= most).group_by("article_id").agg("node")
    return Company({article: frozenset(nodes) for article, nodes in few.iter_rows()})
