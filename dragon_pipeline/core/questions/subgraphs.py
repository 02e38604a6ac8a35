"""Subgraphs: seeded, stratified draws of the shapes, each with a fact that is new that day."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.questions.candidates import Candidates, Shape
from dragon_pipeline.core.questions.comparisons import comparison
from dragon_pipeline.core.questions.completeness import Window
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.graph import Graph
from dragon_pipeline.core.questions.pairs import conditional, multi_hop
from dragon_pipeline.core.questions.shapes import sets, simple
from dragon_pipeline.core.questions.strata import Caps, Tally, draw_from
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.records import SUBGRAPHS
from dragon_pipeline.core.settings import QuestionSettings


@dataclass(frozen=True)
class Sample:
    subgraphs: pl.DataFrame
    tallies: Mapping[str, Tally]
    """by question type: what was wanted, drawn and left out"""


def sample(
    facts: pl.DataFrame,
    stories: pl.DataFrame,
    articles: pl.DataFrame,
    day: str,
    settings: QuestionSettings,
    draw: Draw,
) -> Sample:
    """`settings.sampled_per_type` subgraphs of each type over the facts of the window, or as many as there are.

    Args:
        facts: `facts` of the window, with `day`.
        stories: `stories` of the day's window.
        articles: `articles` of the window, with `day`.
        day: the day whose facts must be in every subgraph.
        draw: seed, the language's lemmatiser and its reader of values.
    """
    graph = Graph(facts, articles, stories, day)
    window = Window(articles, draw.lemmas)
    caps = Caps.of(settings.sampled_per_type, settings.most_per_entity, settings.most_per_relation)
    rows, tallies = [], {}
    for type_ in TYPES:
        drawn, tallies[type_] = draw_from(
            graph, _candidates(graph, type_, settings, draw), settings.sampled_per_type, caps, f"{draw.seed} {day} {type_}",
            window.fault if type_ == "set" else None,
        )  # fmt: skip
        rows += map(_row, drawn)
    return Sample(SUBGRAPHS.frame(rows), tallies)


def _candidates(graph: Graph, type_: str, settings: QuestionSettings, draw: Draw) -> Candidates:
    match type_:
        case "simple":
            return simple(graph)
        case "set":
            return sets(graph, settings.set_size)
        case "multi_hop":
            return multi_hop(graph, draw.seed)
        case "conditional":
            return conditional(graph, draw.seed)
        case _:
            return comparison(graph, draw)


def qa_id(shape: Shape) -> str:
    """Of type and subgraph alone, in whatever order its facts come, so stable over re-runs and reprints."""
    parts = [[e.head, e.relation, e.tail, end] for e, end in zip(shape.edges, shape.end, strict=True)]
    return content_id(shape.type, sorted(parts))


def _row(shape: Shape) -> dict:
    nodes = [
        {
            "fact_id": edge.fact_id, "head": edge.row["head"], "relation": edge.row["relation"], "tail": edge.row["tail"],
            "head_id": edge.head, "relation_id": edge.row["relation_id"], "tail_id": edge.tail, "asked": end,
        }
        for edge, end in zip(shape.edges, shape.end, strict=True)
    ]  # fmt: skip
    return {
        "qa_id": qa_id(shape), "type": shape.type, "fact_ids": [edge.fact_id for edge in shape.edges],
        "asked": list(shape.asked), "given": list(dict.fromkeys(shape.given)), "bridge": shape.bridge,
        "direction": shape.direction, "cross_story": shape.cross_story,
        "one_article": bool(set.intersection(*(set(edge.article_ids) for edge in shape.edges))),
        "article_ids": sorted({article for edge in shape.edges for article in edge.article_ids}),
        "subgraph": json.dumps(nodes, ensure_ascii=False, sort_keys=True),
    }  # fmt: skip
