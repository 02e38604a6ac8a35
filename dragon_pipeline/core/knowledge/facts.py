"""Facts: triplets linked to Wikidata and normalised, with what Wikidata knows of them."""

import json
from collections.abc import Mapping

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.candidates import VALUES
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.knowledge.novelty import Novelty, is_linked, judge
from dragon_pipeline.core.ports import Choice, KnowledgeBase, Naming, Normaliser, Stated
from dragon_pipeline.core.records import FACTS

ENDS = ("head", "tail")
Key = tuple[str, str, str, str]
"""kind, name, name_kind, article_id: as in `candidates`"""


def link(
    triplets: pl.DataFrame, candidates: pl.DataFrame, articles: pl.DataFrame, kb: KnowledgeBase, normaliser: Normaliser
) -> pl.DataFrame:
    """Every kept triplet as a fact; the same fact twice in an article keeps its first sentence.

    Raises:
        Unreachable: the knowledge base does not answer; what cannot be looked up is never taken for new.
    """
    by_id = {row["article_id"]: row for row in articles.iter_rows(named=True)}
    kept = triplets.filter(pl.col("status") == "kept").sort("article_id", "start", "triplet_id").to_dicts()
    choices = _choose(kept, candidates, by_id, normaliser)
    stated = kb.stated(sorted({choice.wikidata_id for choice in choices.values() if choice.wikidata_id}))
    rows: dict[str, dict] = {}
    for row in kept:
        fact = _fact(row, by_id[row["article_id"]], choices, stated, kb.revision)
        rows.setdefault(fact["fact_id"], fact)
    return FACTS.frame(list(rows.values()))


def local_id(name: str, kind: str) -> str:
    """The id of an unlinked node: of its normal form and kind alone, so that days can be computed in any order."""
    return "local:" + content_id(fold(name) or name, kind)


def _choose(
    kept: list[dict], candidates: pl.DataFrame, articles: Mapping[str, dict], normaliser: Normaliser
) -> dict[Key, Choice]:
    found: dict[Key, list[dict]] = {}
    for row in candidates.sort("rank").iter_rows(named=True):
        found.setdefault((row["kind"], row["name"], row["name_kind"], row["article_id"]), []).append(row)
    namings: dict[Key, Naming] = {}
    for row in kept:
        sentence = articles[row["article_id"]]["text"][row["start"] : row["stop"]]
        for key in _keys(row):
            namings.setdefault(key, Naming(*key[:3], sentence, found.get(key, [])))
    return dict(zip(namings, normaliser.choose(list(namings.values())), strict=True))


def _keys(row: dict) -> list[Key]:
    return [_key(row, end) for end in ENDS if row[f"{end}_kind"] not in VALUES] + [_relation_key(row)]


def _key(row: dict, end: str) -> Key:
    return "item", row[end], row[f"{end}_kind"], row["article_id"]


def _relation_key(row: dict) -> Key:
    return "property", row["relation"], "", ""


def _unresolved(head: Choice, tail: Choice) -> str | None:
    """The end that a model failed to resolve, when it decides whether Wikidata could state the fact; where the other end is no
    item for certain, it could not."""
    ends = {"head": head, "tail": tail}
    if all(choice.wikidata_id or choice.failed for choice in ends.values()):
        return next((f"unresolved_{end}" for end, choice in ends.items() if choice.failed), None)
    return None


def _fact(row: dict, article: dict, choices: Mapping[Key, Choice], stated: Mapping[str, Stated], revision: str) -> dict:
    value = Choice(None, "value")
    head, tail = (choices.get(_key(row, end), value) for end in ENDS)
    relation = choices[_relation_key(row)]
    head_id = head.wikidata_id or local_id(row["head"], row["head_kind"])
    tail_id = tail.wikidata_id or local_id(row["tail"], row["tail_kind"])
    unresolved = _unresolved(head, tail)
    known = Novelty("unsure", unresolved) if unresolved else judge(head_id, relation.wikidata_id, tail_id, stated)
    linked = sorted(end for end in {head_id, tail_id} if is_linked(end) and stated[end].revision != revision)
    wording = json.loads(row["wording"]) if row["wording"] else {}
    return {
        "fact_id": content_id(row["article_id"], head_id, relation.wikidata_id or row["relation"], tail_id),
        "triplet_id": row["triplet_id"], "article_id": row["article_id"], "url": article["url"], "outlet": article["outlet"],
        "head": row["head"], "head_id": head_id, "head_kind": row["head_kind"],
        "relation": row["relation"], "relation_id": relation.wikidata_id,
        "tail": row["tail"], "tail_id": tail_id, "tail_kind": row["tail_kind"],
        "novelty": known.novelty, "why": known.why, "statement_id": known.statement_id,
        "revision": " ".join([revision, *(f"{end}@{stated[end].revision}" for end in linked)]),
        "head_link": head.why, "relation_link": relation.why, "tail_link": tail.why,
        "held_back": wording.get("held_back"),
        "sentence": article["text"][row["start"] : row["stop"]], "start": row["start"], "stop": row["stop"],
        "wording": row["wording"],
    }  # fmt: skip
