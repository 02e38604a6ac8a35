"""Wikidata items and properties that a name may mean, nearest first."""

import polars as pl

from dragon_pipeline.core.ports import Embedder, Entity, KnowledgeBase
from dragon_pipeline.core.records import CANDIDATES

MOST = 5
VALUES = ("YEAR", "DATE", "NUMBER")


def find_candidates(triplets: pl.DataFrame, kb: KnowledgeBase, embedder: Embedder) -> pl.DataFrame:
    """At most five candidates per name, ranked by the cosine of name + context and label + description (paper §4.1).

    The context of a name is the first triplet, in id order, that holds it.
    """
    found: list[tuple[str, str, str, Entity]] = []
    for (kind, name), context in sorted(_names(triplets).items()):
        found += [(kind, name, context, entity) for entity in kb.search(name, kind)]
    if not found:
        return CANDIDATES.empty()
    queries = sorted({f"{name}. {context}" for _, name, context, _ in found})
    passages = sorted({_describe(entity) for *_, entity in found})
    query_at = dict(zip(queries, embedder.queries(queries), strict=True))
    passage_at = dict(zip(passages, embedder.passages(passages), strict=True))
    by_name: dict[tuple[str, str], list[tuple[float, Entity]]] = {}
    for kind, name, context, entity in found:
        cosine = float(query_at[f"{name}. {context}"] @ passage_at[_describe(entity)])
        by_name.setdefault((kind, name), []).append((round(cosine, 6), entity))
    rows = []
    for (kind, name), choices in by_name.items():
        choices.sort(key=lambda choice: (-choice[0], choice[1].wikidata_id))
        for rank, (cosine, entity) in enumerate(choices[:MOST], start=1):
            rows.append(
                {"kind": kind, "name": name, "rank": rank, "similarity": cosine, "wikidata_id": entity.wikidata_id,
                 "label": entity.label, "description": entity.description, "match": entity.match}
            )  # fmt: skip
    return CANDIDATES.frame(rows)


def _describe(entity: Entity) -> str:
    return f"{entity.label}. {entity.description}".strip()


def _names(triplets: pl.DataFrame) -> dict[tuple[str, str], str]:
    names: dict[tuple[str, str], str] = {}
    for row in triplets.filter(pl.col("status") == "kept").sort("triplet_id").iter_rows(named=True):
        context = f"{row['head']} {row['relation']} {row['tail']}"
        ends = [row[end] for end in ("head", "tail") if row[f"{end}_kind"] not in VALUES]
        for key in [*(("item", end) for end in ends), ("property", row["relation"])]:
            names.setdefault(key, context)
    return names
