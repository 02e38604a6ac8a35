"""The four tables of a release as Parquet files that hold nothing but their columns."""

import io
import re
from typing import cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub

PUBLIC = ("public_texts", "public_questions")
PRIVATE = ("private_texts", "private_qa")
DATASETS = (*PUBLIC, *PRIVATE)

TABLE_PATH = "data/train-00000-of-00001.parquet"
"""of a table of one piece"""
TABLE = re.compile(r"data/train-\d{5}-of-\d{5}\.parquet")
ROW_GROUP = 1_000
"""rows that a reader must hold at once"""
CARD_PATH = "README.md"
MANIFEST_PATH = "manifest.json"

SCHEMAS = {
    "public_texts": pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("url", pa.string(), nullable=False),
            pa.field("published_at", pa.string()),
        ]
    ),
    "public_questions": pa.schema(
        [pa.field("id", pa.int64(), nullable=False), pa.field("question", pa.string(), nullable=False)]
    ),
    "private_texts": pa.schema(
        [pa.field("id", pa.string(), nullable=False), pa.field("public_id", pa.int64(), nullable=False)]
    ),
    "private_qa": pa.schema(
        [
            pa.field("public_id", pa.int64(), nullable=False),
            pa.field("question", pa.string(), nullable=False),
            pa.field("answer", pa.string(), nullable=False),
            pa.field("answers", pa.list_(pa.string()), nullable=False),
            pa.field("type", pa.string(), nullable=False),
            pa.field("text_ids", pa.string(), nullable=False),
            pa.field("subgraph", pa.string(), nullable=False),
        ]
    ),
}
"""`text_ids` is a JSON list of private text ids; the published client reads it with `json.loads`."""


def table_path(place: int, number: int) -> str:
    """Path of a table's piece `place` (from 0) of `number`."""
    return f"data/train-{place:05}-of-{number:05}.parquet"


def is_table(path: str) -> bool:
    return TABLE.fullmatch(path) is not None


def of_rows(dataset: str, rows: list[dict]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMAS[dataset])


def to_parquet(table: pa.Table) -> bytes:
    """One file of a table: equal rows give equal bytes, without key-value metadata."""
    sink = io.BytesIO()
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", compression_level=9, version="2.6", data_page_version="1.0", store_schema=False
    ) as writer:
        writer.write_table(table, row_group_size=ROW_GROUP)
    return sink.getvalue()


def from_parquet(content: bytes, columns: list[str] | None = None) -> pl.DataFrame:
    return cast("pl.DataFrame", pl.from_arrow(pq.read_table(io.BytesIO(content), columns=columns)))


def columns_of(content: bytes) -> list[str]:
    return pq.read_schema(io.BytesIO(content)).names


def read_table(hub: Hub, dataset: str, version: str) -> pl.DataFrame:
    """One of the four tables at a version or commit, whole.

    Raises:
        PublicationFailed: the hub does not hold it.
    """
    files = {path: content for path, content in hub.read(dataset, version).items() if is_table(path)}
    if not files:
        raise PublicationFailed(f"{dataset} at {version} has no {TABLE_PATH}")
    return pl.concat([from_parquet(content) for _, content in sorted(files.items())])
