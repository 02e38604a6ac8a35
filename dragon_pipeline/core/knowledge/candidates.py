"""Wikidata items and properties that a name may mean, nearest first."""

import polars as pl

from dragon_pipeline.core.ports import Embedder, Entity, KnowledgeBase
from dragon_pipeline.core.records import CANDIDATES

MOST = 5
VALUES = ("YEAR", "DATE", "NUMBER")
Key = tuple[str, str, str, str]
"""kind, name, name_kind, article_id"""


def find_candidates(triplets: pl.DataFrame, articles: pl.DataFrame, kb: KnowledgeBase, embedder: Embedder) -> pl.DataFrame:
    """At most five candidates per name and article, ranked by the cosine of name + context and label + description (paper
    §4.1). The context is the first evidence sentence, in the article, of a triplet that holds the name."""
    names = _names(triplets, dict(articles.select("article_id", "text").iter_rows()))
    found: list[tuple[Key, Entity]] = []
    for kind in ("item", "property"):
        keys = sorted(key for key in names if key[0] == kind)
        wanted = sorted({key[1] for key in keys})
        entities = dict(zip(wanted, kb.search(wanted, kind), strict=True))
        found += [(key, entity) for key in keys for entity in entities[key[1]]]
    if not found:
        return CANDIDATES.empty()
    queries = sorted({f"{key[1]}. {names[key]}" for key, _ in found})
    passages = sorted({_describe(entity) for _, entity in found})
    query_at = dict(zip(queries, embedder.queries(queries), strict=True))
    passage_at = dict(zip(passages, embedder.passages(passages), strict=True))
    by_name: dict[Key, list[tuple[float, Entity]]] = {}
    for key, entity in found:
        cosine = float(query_at[f"{key[1]}. {names[key]}"] @ passage_at[_describe(entity)])
        by_name.setdefault(key, []).append((round(cosine, 6), entity))
    rows = []
    for key, choices in by_name.items():
        choices.sort(key=lambda choice: (-choice[0], choice[1].wikidata_id))
        rows += [_row(key, rank, *choice) for rank, choice in enumerate(choices[:MOST], start=1)]
    return CANDIDATES.frame(rows)


def _row(key: Key, rank: int, cosine: float, entity: Entity) -> dict:
    return {
        **dict(zip(("kind", "name", "name_kind", "article_id"), key, strict=True)),
        "rank": rank, "similarity": cosine, "wikidata_id": entity.wikidata_id, "label": entity.label,
        "description": entity.description, "match": entity.match, "sitelinks": entity.sitelinks,
    }  # fmt: skip


def _describe(entity: Entity) -> str:
    return f"{entity.label}. {entity.description}".strip()


def _names(triplets: pl.DataFrame, texts: dict[str, str]) -> dict[Key, str]:
    names: dict[Key, str] = {}
    for row in triplets.filter(pl.col("status") == "kept").sort("article_id", "start", "triplet_id").iter_rows(named=True):
        sentence = texts[row["article_id"]][row["start"] : row["stop"]]
        for end in ("head", "tail"):
            if row[f"{end}_kind"] not in VALUES:
                names.setdefault(("item", row[end], row[f"{end}_kind"], row["article_id"]), sentence)
        names.setdefault(("property", row["relation"], "", ""), f"{row['head']} {row['relation']} {row['tail']}")
    return names
