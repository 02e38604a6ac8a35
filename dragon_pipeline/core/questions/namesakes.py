"""What a reader takes for one thing: nodes of one id, and nodes of one name, whatever their ids and kinds."""

import re
from collections.abc import Mapping

import numpy as np
import polars as pl

QUOTES = "«»\"„“”'’"
_QUOTE = f"[{QUOTES}]"
_DOUBLED = re.compile(r"(\w)\1")
_SOUND = str.maketrans("эй", "еи")
_DROPPED = str.maketrans("ё", "е", QUOTES)


def folded(name: str) -> str:
    """In lower case, without quotes, ё as е, one space between words: what a reader takes for the same name."""
    return " ".join(name.lower().translate(_DROPPED).split())


def spelled(name: str) -> str:
    """A person's name, folded, without what two outlets spell in two ways: «Крэйвен», «Крейвен»; «Уильям», «Уилльям»."""
    return _DOUBLED.sub(r"\1", folded(name).translate(_SOUND))


def fold(names: pl.Series) -> pl.Series:
    """As `folded`, of a column."""
    bare = names.str.to_lowercase().str.replace_all("ё", "е", literal=True).str.replace_all(_QUOTE, "")
    return bare.str.replace_all(r"\s+", " ").str.strip_chars()


def components(nodes: np.ndarray, names: np.ndarray, count: int) -> np.ndarray:
    """Of each node: the least of the nodes that are the same to a reader, be it over several names.

    Args:
        nodes, names: codes; each row says that a node is known under a name.
        count: how many nodes there are, those without a name too.
    """
    pairs = pl.DataFrame({"node": nodes, "name": names}).unique()
    shared = pairs.group_by("name").agg(pl.col("node").sort()).filter(pl.col("node").list.len() > 1)["node"]
    parent = np.arange(count)
    for group in shared.to_list():
        roots = {_root(parent, node) for node in group}
        parent[list(roots)] = min(roots)
    for node in {node for group in shared.to_list() for node in group}:
        parent[node] = _root(parent, node)
    return parent


def alike(ids: pl.Series, names: pl.Series) -> Mapping[str, str]:
    """As `components`: of each id the first one that a reader takes for the same; each row says that an id has a name."""
    known = ids.unique().sort()
    nodes, codes = (column.rank("dense").cast(pl.Int64).to_numpy() - 1 for column in (ids, fold(names)))
    return dict(zip(known, known.gather(components(nodes, codes, len(known))), strict=True))


def _root(parent: np.ndarray, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return int(node)
