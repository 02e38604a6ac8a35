"""Knowledge: from articles to facts, with what Wikidata knows of them."""

import dagster as dg
import polars as pl

from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.ports import Embedder, EntityFinder, Extractor, KnowledgeBase, Normaliser
from dragon_pipeline.defs.partitions import DAILY
from dragon_pipeline.defs.report import counts, report

GROUP = "knowledge"


@dg.asset(**DAILY, group_name=GROUP, kinds={"python"}, code_version="2")
def mentions(articles: pl.DataFrame, entity_finder: dg.ResourceParam[EntityFinder]) -> dg.Output[pl.DataFrame]:
    """Named entities of the articles, with character offsets and normal forms."""
    return report("mentions", find_mentions(articles, entity_finder), by="kind", recipe={"finder": entity_finder.name})


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"python"},
    code_version="2",
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "extractor"},
)
def triplets(articles: pl.DataFrame, mentions: pl.DataFrame, extractor: dg.ResourceParam[Extractor]) -> dg.Output[pl.DataFrame]:
    """Head, relation, tail with the evidence sentence each; the dropped stay in the table with the reason."""
    found = extract(articles, mentions, extractor)
    dropped = counts(found.filter(status="dropped"), "reason")
    return report("triplets", found, by="status", dropped=dropped, recipe={"extractor": extractor.name})


@dg.asset(**DAILY, group_name=GROUP, kinds={"wikidata"}, code_version="2", pool="wikidata")
def candidates(
    triplets: pl.DataFrame,
    articles: pl.DataFrame,
    knowledge_base: dg.ResourceParam[KnowledgeBase],
    embedder: dg.ResourceParam[Embedder],
) -> dg.Output[pl.DataFrame]:
    """The nearest Wikidata items or properties, at most five, for every name in the triplets."""
    recipe = {"wikidata": knowledge_base.revision, "embedder": embedder.name}
    return report("candidates", find_candidates(triplets, articles, knowledge_base, embedder), by="kind", recipe=recipe)


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"wikidata"},
    code_version="2",
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "normaliser"},
)
def facts(
    triplets: pl.DataFrame,
    candidates: pl.DataFrame,
    articles: pl.DataFrame,
    knowledge_base: dg.ResourceParam[KnowledgeBase],
    normaliser: dg.ResourceParam[Normaliser],
) -> dg.Output[pl.DataFrame]:
    """Triplets after linking: normalised names, ids, whether Wikidata knows them and why."""
    linked = link(triplets, candidates, articles, knowledge_base, normaliser)
    recipe = {"wikidata": knowledge_base.revision, "normaliser": normaliser.name}
    return report("facts", linked, by="novelty", dropped=counts(linked, "held_back"), recipe=recipe)
