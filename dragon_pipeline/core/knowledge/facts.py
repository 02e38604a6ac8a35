"""Facts: triplets linked to Wikidata and normalised, with what Wikidata knows of them."""

import json

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.novelty import judge
from dragon_pipeline.core.ports import KnowledgeBase
from dragon_pipeline.core.records import FACTS

LINKED_KINDS = ("LOC", "ROLE", "PER")
"""Kinds whose names the rule normaliser links: a café may bear a planet's name, a city rarely does."""
NEAR = 0.75
"""Least similarity of the best candidate (cosines of the E5 family lie between .7 and 1)."""


def link(triplets: pl.DataFrame, candidates: pl.DataFrame, articles: pl.DataFrame, kb: KnowledgeBase) -> pl.DataFrame:
    """Every kept triplet as a fact; the same fact twice in an article keeps its first sentence."""
    best = {(row["kind"], row["name"]): row for row in candidates.filter(pl.col("rank") == 1).iter_rows(named=True)}
    by_id = {row["article_id"]: row for row in articles.iter_rows(named=True)}
    rows: dict[str, dict] = {}
    for row in triplets.filter(pl.col("status") == "kept").sort("article_id", "start", "triplet_id").iter_rows(named=True):
        fact = _fact(row, by_id[row["article_id"]], best, kb)
        rows.setdefault(fact["fact_id"], fact)
    return FACTS.frame(list(rows.values()))


def local_id(name: str, kind: str) -> str:
    """The id of an unlinked node: of its normal form and kind alone, so that days can be computed in any order."""
    return "local:" + content_id(name.lower().replace("ё", "е"), kind)


def _fact(row: dict, article: dict, best: dict[tuple[str, str], dict], kb: KnowledgeBase) -> dict:
    ends = {end: _node(row[end], row[f"{end}_kind"], best) for end in ("head", "tail")}
    relation = best.get(("property", row["relation"]))
    relation_id = relation["wikidata_id"] if relation else None
    (head, head_id), (tail, tail_id) = ends["head"], ends["tail"]
    known = judge(head_id, relation_id, tail_id, kb)
    wording = json.loads(row["wording"]) if row["wording"] else {}
    return {
        "fact_id": content_id(row["article_id"], head_id, relation_id or row["relation"], tail_id),
        "triplet_id": row["triplet_id"], "article_id": row["article_id"], "url": article["url"], "outlet": article["outlet"],
        "head": head, "head_id": head_id, "head_kind": row["head_kind"],
        "relation": row["relation"], "relation_id": relation_id,
        "tail": tail, "tail_id": tail_id, "tail_kind": row["tail_kind"],
        "novelty": known.novelty, "why": known.why, "statement_id": known.statement_id,
        "held_back": wording.get("held_back"),
        "sentence": article["text"][row["start"] : row["stop"]], "start": row["start"], "stop": row["stop"],
        "wording": row["wording"],
    }  # fmt: skip


def _node(name: str, kind: str, best: dict[tuple[str, str], dict]) -> tuple[str, str]:
    choice = best.get(("item", name))
    if kind in LINKED_KINDS and choice is not None and choice["similarity"] >= NEAR:
        return name, choice["wikidata_id"]
    return name, local_id(name, kind)
