"""Triplets of the articles, checked against their evidence sentence."""

import re
from collections.abc import Callable, Sequence

import polars as pl

from dragon_pipeline.core.ports import Extractor
from dragon_pipeline.core.records import TRIPLETS

VALUES = ("YEAR", "DATE", "NUMBER")


def extract(articles: pl.DataFrame, mentions: pl.DataFrame, extractor: Extractor) -> pl.DataFrame:
    """Triplets of all articles; one whose head or tail its sentence does not hold is dropped with that reason."""
    of = {key[0]: frame.to_dicts() for key, frame in mentions.group_by("article_id")}
    texts = dict(articles.select("article_id", "text").iter_rows())
    rows: dict[str, dict] = {}
    for row in extractor.extract(articles.to_dicts(), of):
        row = _checked(row, texts[row["article_id"]][row["start"] : row["stop"]], extractor.lemmas)
        rows.setdefault(row["triplet_id"], row)
    return TRIPLETS.frame(list(rows.values()))


def _checked(row: dict, sentence: str, lemmas: Callable[[str], list[str]]) -> dict:
    if row["status"] != "kept":
        return row
    words = lemmas(sentence)
    for end in ("head", "tail"):
        if not row[end].strip():
            return {**row, "status": "dropped", "reason": f"empty_{end}"}
        if row[f"{end}_kind"] in VALUES:
            found = re.search(rf"(?<!\w){re.escape(row[end])}(?!\w)", sentence) is not None
        else:
            found = occurs(lemmas(row[end]), words, last_only=row[f"{end}_kind"] == "PER")
        if not found:
            return {**row, "status": "dropped", "reason": f"{end}_not_in_sentence"}
    return row


def occurs(name: Sequence[str], words: Sequence[str], last_only: bool = False) -> bool:
    """Whether all lemmas of a name stand among the words; of a person, the surname is enough.

    Lemmas of unknown names differ by case, so two words are the same when all but their last two letters agree.
    """
    wanted = name[-1:] if last_only else name
    return bool(wanted) and all(any(same_word(one, other) for other in words) for one in wanted)


def same_word(one: str, other: str) -> bool:
    """Whether two lemmas are of one word: equal but for their last two letters, in each part of a hyphenated one."""
    parts, others = one.split("-"), other.split("-")
    return _same(one, other) or (len(parts) == len(others) and all(map(_same, parts, others)))


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    keep = max(len(one), len(other)) - 2
    return keep >= 3 and one[:keep] == other[:keep]
