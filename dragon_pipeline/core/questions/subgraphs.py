"""Subgraphs: seeded, stratified draws of the shapes, each with a fact that is new that day."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.questions.completeness import Window
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.graph import Graph
from dragon_pipeline.core.questions.shapes import Shape, conditional, multi_hop, sets, simple
from dragon_pipeline.core.records import SUBGRAPHS
from dragon_pipeline.core.settings import QuestionSettings


def sample(
    facts: pl.DataFrame,
    stories: pl.DataFrame,
    articles: pl.DataFrame,
    day: str,
    settings: QuestionSettings,
    draw: Draw,
) -> pl.DataFrame:
    """At most `settings.sampled_per_type` subgraphs of each type over the facts of the window.

    Args:
        facts: `facts` of the window, with `day`.
        stories: `stories` of the day's window.
        articles: `articles` of the window, with `day`.
        day: the day whose facts must be in every subgraph.
        draw: seed and the language's lemmatiser.
    """
    graph = Graph(facts, articles, stories, day)
    window = Window(articles, draw.lemmas, graph.holders)
    shapes = {
        "simple": simple(graph),
        "set": (shape for shape in sets(graph, settings.set_size) if shape.new and window.complete(shape)),
        "multi_hop": multi_hop(graph, draw.seed),
        "conditional": conditional(graph, draw.seed),
    }
    rows = []
    for type_, found in shapes.items():
        rows += [_row(shape) for shape in _drawn(found, settings, f"{draw.seed} {day} {type_}")]
    return SUBGRAPHS.frame(rows)


def _drawn(shapes: Iterable[Shape], settings: QuestionSettings, seed: str) -> list[Shape]:
    """Round robin over strata (outlet, kind of the answer), no entity in more than `most_per_entity`, nothing asked twice."""
    strata: dict[tuple[str, str], list[Shape]] = defaultdict(list)
    for shape in shapes:
        if shape.new:
            last = shape.edges[-1].row
            strata[last["outlet"], last["tail_kind" if shape.end[-1] == "tail" else "head_kind"]].append(shape)
    for stratum in strata.values():
        stratum.sort(key=lambda s: (not s.cross_story, -min(s.weight, 4), content_id(seed, qa_id(s))), reverse=True)
    entities: Counter[str] = Counter()
    sentences: Counter[tuple[str, ...]] = Counter()
    drawn: list[Shape] = []
    while strata and len(drawn) < settings.sampled_per_type:
        for stratum in sorted(strata):
            shape = strata[stratum].pop()
            if not strata[stratum]:
                del strata[stratum]
            names = {*shape.asked, *shape.given, *([shape.bridge] if shape.bridge else [])}
            facts = _once(shape)
            if sentences[facts] or any(entities[name] >= settings.most_per_entity for name in names):
                continue
            sentences[facts] += 1
            entities.update(names)
            drawn.append(shape)
            if len(drawn) >= settings.sampled_per_type:
                break
    return drawn


def _once(shape: Shape) -> tuple[str, ...]:
    """What a draw asks only once: a set's answers, a condition whoever's post stands beside it, else the facts."""
    if shape.type == "set":
        return shape.asked
    kept = [e for e in shape.edges if shape.type != "conditional" or not e.apposition]
    return tuple(sorted(edge.fact_id for edge in kept))


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
        "direction": None, "cross_story": shape.cross_story,
        "one_article": bool(set.intersection(*(set(edge.article_ids) for edge in shape.edges))),
        "article_ids": sorted({article for edge in shape.edges for article in edge.article_ids}),
        "subgraph": json.dumps(nodes, ensure_ascii=False, sort_keys=True),
    }  # fmt: skip
