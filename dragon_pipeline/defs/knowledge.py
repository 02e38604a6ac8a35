"""Knowledge: from articles to facts, with what Wikidata knows of them."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.names import Variants
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.ports import Embedder, EntityFinder, Extractor, KnowledgeBase, Normaliser, VectorIndex
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.metering import Meter, answered, answered_result, recipe
from dragon_pipeline.defs.partitions import DAILY
from dragon_pipeline.defs.report import counts, report

GROUP = "knowledge"


@dg.asset(**DAILY, group_name=GROUP, kinds={"python"}, code_version="5")
def mentions(articles: pl.DataFrame, entity_finder: dg.ResourceParam[EntityFinder]) -> dg.Output[pl.DataFrame]:
    """Named entities of the articles, with character offsets and normal forms."""
    return report("mentions", find_mentions(articles, entity_finder), by="kind", recipe={"finder": entity_finder.name})


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"python"},
    code_version="6",
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "extractor"},
    check_specs=[answered("triplets")],
)
def triplets(
    articles: pl.DataFrame,
    mentions: pl.DataFrame,
    extractor: dg.ResourceParam[Extractor],
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """Head, relation, tail with the evidence sentence each; the dropped and failed stay in the table with the reason."""
    meter = Meter(extractor.models)
    found = extract(articles, mentions, extractor)
    dropped = counts(found.filter(pl.col("status") != "kept"), "reason")
    made_with = recipe(extractor.prompts, extractor=settings.models.extractor)
    yield report("triplets", found, by="status", dropped=dropped, recipe=made_with, **meter.metadata())
    yield answered_result("triplets", meter.losses(found.filter(status="failed")["reason"]), settings)


@dg.asset(**DAILY, group_name=GROUP, kinds={"wikidata"}, code_version="5", pool="wikidata")
def candidates(
    triplets: pl.DataFrame,
    articles: pl.DataFrame,
    knowledge_base: dg.ResourceParam[KnowledgeBase],
    embedder: dg.ResourceParam[Embedder],
    vectors: dg.ResourceParam[VectorIndex],
    name_variants: dg.ResourceParam[Variants],
) -> dg.Output[pl.DataFrame]:
    """The nearest Wikidata items or properties, at most five, for every name in the triplets."""
    recipe = {"wikidata": knowledge_base.revision, "embedder": embedder.name}
    found = find_candidates(triplets, articles, knowledge_base, embedder, vectors, name_variants)
    return report("candidates", found, by="kind", recipe=recipe)


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"wikidata"},
    code_version="5",
    pool="gpu",
    op_tags={"gpu": "true", "dragon/role": "normaliser"},
    check_specs=[answered("facts")],
)
def facts(  # noqa: PLR0913 (what flows in, and what it is made with)
    context: dg.AssetExecutionContext,
    triplets: pl.DataFrame,
    candidates: pl.DataFrame,
    articles: pl.DataFrame,
    knowledge_base: dg.ResourceParam[KnowledgeBase],
    normaliser: dg.ResourceParam[Normaliser],
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """Triplets after linking: normalised names, ids, whether Wikidata knows them and why."""
    meter = Meter(normaliser.models)
    linked = link(triplets, candidates, articles, knowledge_base, normaliser)
    made_with = {"wikidata": knowledge_base.revision, **recipe(normaliser.prompts, normaliser=settings.models.normaliser)}
    dropped = counts(linked, "held_back")
    as_of = f"Wikidata {knowledge_base.revision}; what it learned after {context.partition_key} counts as known too"
    shown = {"novelty as of": as_of, **meter.metadata()}
    yield report("facts", linked, by="novelty", dropped=dropped, recipe=made_with, **shown)
    links = pl.concat([linked["head_link"], linked["relation_link"], linked["tail_link"]])
    yield answered_result("facts", meter.losses(links), settings)
