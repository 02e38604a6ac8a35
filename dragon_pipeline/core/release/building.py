"""From accepted questions and the window's articles to the files of a release.

Articles are read twice, a batch at a time: first what decides about them and gives them their place, then their texts, which
are written in pieces. What is held whole is some hundred bytes a text, and the questions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.records import ACCEPTED, VERDICTS
from dragon_pipeline.core.release import gate, ids, manifest, pieces
from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.gate import Withheld
from dragon_pipeline.core.release.manifest import Contents, Provenance
from dragon_pipeline.core.release.origin import TEXT, tables_digest
from dragon_pipeline.core.release.tables import (
    CARD_PATH,
    DATASETS,
    MANIFEST_PATH,
    PUBLIC,
    SCHEMAS,
    of_rows,
    table_path,
    to_parquet,
)
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY

LIGHT = ("article_id", "url", "outlet", "version", DAY)


def build_release(  # noqa: PLR0913 (the contract's signature)
    accepted: pl.DataFrame,
    articles: Batches,
    verdicts: pl.DataFrame,
    day: str,
    settings: Settings,
    key: bytes,
    provenance: Provenance,
    files: FileStore,
) -> pl.DataFrame:
    """The RELEASE files of a day, before they have a version; equal inputs and key give equal bytes.

    Args:
        accepted: ACCEPTED of the day.
        articles: ARTICLES of the window, with `day`.
        verdicts: VERDICTS of the day; a question without a passed verdict of every required screen is withheld.
        key: the home's release key, at least 16 random bytes.
        files: where the files are put.

    Returns:
        An empty frame when fewer than `settings.release.min_questions` questions may be released (see `gate.withhold`).

    Raises:
        Unreachable: an outage took more than `settings.models.lost_share` of a screen's verdicts.
    """
    accepted, verdicts = ACCEPTED.check(accepted), VERDICTS.check(verdicts)
    gate.refuse_outage(verdicts, settings.models.lost_share)
    listed = _listed(articles)
    withheld = gate.withhold(accepted, listed, verdicts, settings.screens.required)
    released = accepted.filter(~pl.col("qa_id").is_in(list(withheld.reasons)))
    if released.height < settings.release.min_questions:
        return RELEASE.empty()
    key, texts = ids.release_key(key, day), gate.texts_of(listed)
    question_ids = ids.permutation(key, "question", released["qa_id"])
    text_ids = ids.permutation(key, "text", texts["article_id"])
    made = _Made(files)
    texts = texts.with_columns(id=pl.col("article_id").replace_strict(text_ids, return_dtype=pl.Int64())).sort("id")
    made.add_texts(articles, texts)
    made.add("private_texts", _private_texts(texts["article_id"], key))
    for dataset, rows in _question_rows(released, listed, question_ids, key).items():
        made.add(dataset, of_rows(dataset, rows))
    contents = _contents(day, released, texts, manifest.screens_of(verdicts, provenance), withheld)
    public = manifest.public_manifest(contents, provenance, key, settings.seed)
    return made.finish(public, manifest.private_part(key, settings.seed, question_ids, text_ids))


def _listed(articles: Batches) -> pl.DataFrame:
    """What decides about every article version of the window, with the bytes of its text."""
    size = pl.sum_horizontal(pl.col("text", "title", "url").str.len_bytes()).cast(pl.Int64()).alias("bytes")
    found = [batch.select(*LIGHT, size) for batch in articles.read((*LIGHT, "text", "title"))]
    empty = articles.table.empty().select(*LIGHT[:-1]).with_columns(pl.lit("").alias(DAY), pl.lit(0, pl.Int64()).alias("bytes"))
    return pl.concat([empty, *found])


def _contents(
    day: str, released: pl.DataFrame, texts: pl.DataFrame, screens: Mapping[str, Any], withheld: Withheld
) -> Contents:
    return Contents(
        day=day,
        types=_counts(released["type"]),
        outlets=_counts(texts["outlet"]),
        writers=tuple(sorted(released["writer"].unique())),
        screens=screens,
        withheld=withheld.counts,
    )


def _private_texts(article_ids: pl.Series, key: bytes) -> pa.Table:
    """`article_ids`: by public id."""
    columns = [[ids.private_id(key, id) for id in article_ids], range(len(article_ids))]
    schema = SCHEMAS["private_texts"]
    return pa.Table.from_arrays(
        [pa.array(values, type) for values, type in zip(columns, schema.types, strict=True)], schema=schema
    )


def _question_rows(
    released: pl.DataFrame, articles: pl.DataFrame, question_ids: Mapping[str, int], key: bytes
) -> dict[str, list[dict]]:
    url_of = dict(articles.select("article_id", "url").iter_rows())
    current = dict(gate.texts_of(articles).select("url", "article_id").iter_rows())
    by_place = sorted(released.iter_rows(named=True), key=lambda row: question_ids[row["qa_id"]])
    private = []
    for place, row in enumerate(by_place):
        gold, _ = gate.gold_of(row, url_of, current)
        private.append(
            {
                "public_id": place,
                "question": row["question"],
                "answer": row["answer"],
                "answers": row["answers"],
                "type": row["type"],
                "text_ids": json.dumps(sorted(ids.private_id(key, id) for id in set(gold))),
                "subgraph": row["subgraph"],
            }
        )
    return {
        "public_questions": [{"id": row["public_id"], "question": row["question"]} for row in private],
        "private_qa": private,
    }


@dataclass
class _Made:
    """The files as they are made."""

    store: FileStore
    rows: list[dict] = field(default_factory=list)

    def add_texts(self, articles: Batches, texts: pl.DataFrame) -> None:
        """`texts`: the chosen article versions, with `id` and `bytes`, in order of `id`."""
        planned = pieces.plan(texts["bytes"])
        chosen = texts.select("article_id", DAY, "id")
        with self.store.scratch() as folder:
            read = (
                batch.join(chosen, ["article_id", DAY], validate="m:1").select("id", *TEXT)
                for batch in articles.read(("article_id", DAY, *TEXT))
            )
            self._add_tables("public_texts", pieces.in_order(read, planned, SCHEMAS["public_texts"], folder), len(planned))

    def add(self, dataset: str, table: pa.Table) -> None:
        self._add_tables(dataset, iter([table]), 1)

    def finish(self, public: dict[str, Any], private: dict[str, Any]) -> pl.DataFrame:
        """Adds cards and manifests, and gives RELEASE."""
        for dataset in DATASETS:
            told = {row["path"]: row["sha256"] for row in self.rows if row["dataset"] == dataset}
            height = sum(row["rows"] for row in self.rows if row["dataset"] == dataset)
            self._add(dataset, CARD_PATH, render_card(dataset, public, height, tables_digest(told)))
        public["files"] = {dataset: {} for dataset in DATASETS}
        for row in self.rows:
            public["files"][row["dataset"]][row["path"]] = row["sha256"]
        for dataset in DATASETS:
            told = public if dataset in PUBLIC else {**public, "private": private}
            self._add(dataset, MANIFEST_PATH, manifest.dump(told))
        return RELEASE.frame(self.rows)

    def _add_tables(self, dataset: str, tables: Iterator[pa.Table], number: int) -> None:
        for place, table in enumerate(tables):
            self._add(dataset, table_path(place, number), to_parquet(table), table.num_rows)

    def _add(self, dataset: str, path: str, content: bytes, rows: int = 0) -> None:
        def write(place: Path) -> None:
            place.write_bytes(content)

        stored = self.store.add(write)
        row = {"dataset": dataset, "path": path, "sha256": stored.sha256, "bytes": stored.bytes, "rows": rows}
        self.rows.append(row)


def _counts(values: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in sorted(values):
        found[value] = found.get(value, 0) + 1
    return found
