"""Named entities of the articles."""

import polars as pl

from dragon_pipeline.core.ports import EntityFinder
from dragon_pipeline.core.records import MENTIONS


def find_mentions(articles: pl.DataFrame, finder: EntityFinder) -> pl.DataFrame:
    """Every named entity of every article as a frame of `mentions`."""
    return MENTIONS.frame(list(finder.find(articles.to_dicts())))
