"""Triplets of the articles, checked against their evidence sentence."""

import polars as pl

from dragon_pipeline.core.knowledge.evidence import Evidence
from dragon_pipeline.core.ports import Extractor
from dragon_pipeline.core.records import TRIPLETS


def extract(articles: pl.DataFrame, mentions: pl.DataFrame, extractor: Extractor) -> pl.DataFrame:
    """Triplets of all articles; one whose head or tail its sentence does not name (see Evidence.holds) is dropped with that
    reason."""
    of = {key[0]: frame.to_dicts() for key, frame in mentions.group_by("article_id")}
    given = articles.to_dicts()
    read = {row["article_id"]: Evidence(row, of.get(row["article_id"], ()), extractor.lemmas) for row in given}
    rows: dict[str, dict] = {}
    for row in extractor.extract(given, of):
        row = _checked(row, read[row["article_id"]])
        rows.setdefault(row["triplet_id"], row)
    return TRIPLETS.frame(list(rows.values()))


def _checked(row: dict, evidence: Evidence) -> dict:
    if row["status"] != "kept":
        return row
    for end in ("head", "tail"):
        if not row[end].strip():
            return {**row, "status": "dropped", "reason": f"empty_{end}"}
        if not evidence.holds(row[end], row[f"{end}_kind"], row["start"], row["stop"]):
            return {**row, "status": "dropped", "reason": f"{end}_not_in_sentence"}
    return row
