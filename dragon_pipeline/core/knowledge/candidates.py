"""Wikidata items and properties that a name may mean, nearest first."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.classes import can_mean
from dragon_pipeline.core.knowledge.names import Variant, Variants, holds, plain
from dragon_pipeline.core.ports import Embedder, Entity, KnowledgeBase, VectorIndex
from dragon_pipeline.core.records import CANDIDATES

MOST = 5
KNOWN = 50
"""namesakes that are compared, the best known ones: a given name alone is borne by thousands of items"""
VALUES = ("YEAR", "DATE", "NUMBER")
Key = tuple[str, str, str, str]
"""kind, name, name_kind, article_id"""
Found = tuple[Variant, Entity]


def find_candidates(
    triplets: pl.DataFrame,
    articles: pl.DataFrame,
    kb: KnowledgeBase,
    embedder: Embedder,
    index: VectorIndex,
    variants: Variants = plain,
) -> pl.DataFrame:
    """At most five candidates per name and article, ranked by the cosine of name + context and label + description (paper
    §4.1). The context is the first evidence sentence, in the article, of a triplet that holds the name.

    Of a name's variants the first that anything fits is taken; what fits is told by `fits`.

    Raises:
        Unreachable: the knowledge base, the embedder or the index does not answer.
    """
    names = _names(triplets, dict(articles.select("article_id", "text").iter_rows()))
    found: dict[Key, Sequence[Found]] = {}
    for kind in ("item", "property"):
        keys = sorted(key for key in names if key[0] == kind)
        of = _look_up(dict.fromkeys((key[1], key[2]) for key in keys), kind, kb, variants)
        found |= {key: of[key[1], key[2]] for key in keys if of[key[1], key[2]]}
    if not found:
        return CANDIDATES.empty()
    ranked = _rank({key: f"{key[1]}. {names[key]}" for key in found}, found, embedder, index)
    return CANDIDATES.frame([_row(key, rank, one) for key, best in ranked.items() for rank, one in enumerate(best, start=1)])


def fits(entity: Entity, kind: str, variant: Variant) -> bool:
    """Whether something found under a variant of a name may be meant by it.

    `kind`: of the name, empty for a relation.
    """
    return can_mean(kind, entity.types) and holds(entity.label, variant.needs)


def describe(entity: Entity) -> str:
    """The passage that stands for it."""
    return f"{entity.label}. {entity.description}".strip()


def _look_up(
    names: Iterable[tuple[str, str]], kind: str, kb: KnowledgeBase, variants: Variants
) -> dict[tuple[str, str], Sequence[Found]]:
    """(name, its kind) → what its first variant that fits anything fits. One search for all first variants, one for the
    second of those that found nothing, and so on."""
    found: dict[tuple[str, str], Sequence[Found]] = dict.fromkeys(names, ())
    waiting = {name: list(variants(*name)) for name in found}
    while waiting:
        turn = {name: rest.pop(0) for name, rest in waiting.items() if rest}
        asked = sorted({variant.name for variant in turn.values()})
        entities = dict(zip(asked, kb.search(asked, kind), strict=True)) if asked else {}
        for name, variant in turn.items():
            fitting = [one for one in entities[variant.name] if fits(one, name[1], variant)]
            fitting.sort(key=lambda one: (-one.sitelinks, one.wikidata_id))
            found[name] = [(variant, one) for one in fitting[:KNOWN]]
        waiting = {name: rest for name, rest in waiting.items() if rest and not found[name]}
    return found


def _rank(
    queries: Mapping[Key, str], found: Mapping[Key, Sequence[Found]], embedder: Embedder, index: VectorIndex
) -> dict[Key, list[tuple[float, Found]]]:
    """The nearest of each key with their cosines; equally near ones by id."""
    ids = {_vector_id(entity): describe(entity) for choices in found.values() for _, entity in choices}
    passages = sorted(set(ids.values()))
    passage_at = dict(zip(passages, embedder.passages(passages), strict=True))
    put = sorted(ids)
    index.put(put, np.stack([passage_at[ids[one]] for one in put]))
    texts = sorted(set(queries.values()))
    query_at = dict(zip(texts, embedder.queries(texts), strict=True))
    keys = sorted(found)
    among = [[_vector_id(entity) for _, entity in found[key]] for key in keys]
    nearest = index.nearest(np.stack([query_at[queries[key]] for key in keys]), MOST, among)
    return {
        key: [(cosine, next(one for one in found[key] if _vector_id(one[1]) == vector_id)) for vector_id, cosine in best]
        for key, best in zip(keys, nearest, strict=True)
    }


def _vector_id(entity: Entity) -> str:
    """Of what is said of an item, so that days that are linked at once, against two revisions, do not touch each other."""
    return f"{entity.wikidata_id} {content_id(describe(entity))}"


def _row(key: Key, rank: int, ranked: tuple[float, Found]) -> dict:
    cosine, (variant, entity) = ranked
    return {
        **dict(zip(("kind", "name", "name_kind", "article_id"), key, strict=True)),
        "rank": rank, "similarity": cosine, "wikidata_id": entity.wikidata_id, "label": entity.label,
        "description": entity.description, "match": entity.match, "variant": variant.why, "sitelinks": entity.sitelinks,
    }  # fmt: skip


def _names(triplets: pl.DataFrame, texts: dict[str, str]) -> dict[Key, str]:
    """Every name that is looked up, with its context."""
    names: dict[Key, str] = {}
    for row in triplets.filter(pl.col("status") == "kept").sort("article_id", "start", "triplet_id").iter_rows(named=True):
        sentence = texts[row["article_id"]][row["start"] : row["stop"]]
        for end in ("head", "tail"):
            if row[f"{end}_kind"] not in VALUES:
                names.setdefault(("item", row[end], row[f"{end}_kind"], row["article_id"]), sentence)
        names.setdefault(("property", row["relation"], "", ""), f"{row['head']} {row['relation']} {row['tail']}")
    return names
