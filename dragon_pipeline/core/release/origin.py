"""What the public files of a release may be made of: a value that is from nowhere else is a leak or a fault, whatever it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import polars as pl
import pyarrow as pa

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.records import ACCEPTED
from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.tables import DATASETS, from_parquet, is_table

TEXT = ("text", "title", "url", "published_at")


@dataclass(frozen=True)
class Origin:
    """The articles of the window and the accepted questions of the day."""

    ids: set[str]
    """of articles, questions and facts"""
    texts: pl.Series
    """64-bit hashes of the articles' texts with title, URL and date"""
    questions: frozenset[str]
    outlets: frozenset[str]

    @classmethod
    def of(cls, accepted: pl.DataFrame, articles: Batches) -> "Origin":
        accepted = ACCEPTED.check(accepted)
        ids = {*accepted["qa_id"], *accepted["fact_ids"].explode(keep_nulls=False, empty_as_null=False)}
        hashes, outlets = [pl.Series("hash", [], pl.UInt64())], set()
        for batch in articles.read(("article_id", "outlet", *TEXT)):
            ids |= set(batch["article_id"])
            outlets |= set(batch["outlet"])
            hashes.append(_hashes(batch))
        return cls(ids, pl.concat(hashes).unique(), frozenset(accepted["question"]), frozenset(outlets))

    def table_faults(self, dataset: str, path: str, content: bytes) -> list[str]:
        """Rows of a public table that are no article's text, or no accepted question. Of what is no such table: none."""
        try:
            table = from_parquet(content)
            if dataset == "public_questions":
                strange = ~table["question"].is_in(list(self.questions))
            else:
                strange = ~_hashes(table).is_in(self.texts.implode())
            return [f"{dataset}/{path}: row {id} is of no article or question of the day" for id in table["id"].filter(strange)]
        except (pa.ArrowException, pl.exceptions.PolarsError, OSError):
            return []

    def card_faults(
        self,
        cards: Mapping[str, bytes],
        manifests: Mapping[str, dict[str, Any]],
        digests: Mapping[str, Mapping[str, str]],
        rows: Mapping[str, int],
    ) -> list[str]:
        """Cards that say another thing than their manifest and tables."""
        faults = []
        for dataset in DATASETS:
            told, files = manifests.get(dataset), digests.get(dataset, {})
            if told and cards.get(dataset) != render_card(dataset, told, rows.get(dataset, 0), tables_digest(files)):
                faults.append(f"the card of {dataset} is not what its manifest and tables give")
        return faults

    def manifest_faults(self, manifests: Mapping[str, dict[str, Any]]) -> list[str]:
        """Outlets of a manifest that no article is from."""
        told = {(holder, name) for holder, told in manifests.items() for name in told.get("texts", {}).get("by_outlet", {})}
        return [
            f"the manifest of {holder} has an outlet of no article" for holder, name in sorted(told) if name not in self.outlets
        ]


def tables_digest(files: Mapping[str, str]) -> str:
    """One hash for the pieces of a table; of path → SHA-256 others are left out."""
    return sha256(json.dumps({path: digest for path, digest in files.items() if is_table(path)}, sort_keys=True).encode())


def _hashes(rows: pl.DataFrame) -> pl.Series:
    return cast("pl.Series", rows.select(TEXT).hash_rows().alias("hash"))
