"""The four tables of a release as Parquet files that hold nothing but their columns."""

import io
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


def to_parquet(dataset: str, rows: list[dict]) -> bytes:
    """The file of one table: equal rows give equal bytes, without key-value metadata."""
    sink = io.BytesIO()
    table = pa.Table.from_pylist(rows, schema=SCHEMAS[dataset])
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", compression_level=9, version="2.6", data_page_version="1.0", store_schema=False
    ) as writer:
        writer.write_table(table, row_group_size=10_000)
    return sink.getvalue()


def from_parquet(content: bytes) -> pl.DataFrame:
    return cast("pl.DataFrame", pl.from_arrow(pq.read_table(io.BytesIO(content))))


def read_table(hub: Hub, dataset: str, version: str) -> pl.DataFrame:
    """One of the four tables at a version or commit.

    Raises:
        PublicationFailed: the hub does not hold it.
    """
    files = hub.read(dataset, version, [TABLE_PATH])
    if TABLE_PATH not in files:
        raise PublicationFailed(f"{dataset} at {version} has no {TABLE_PATH}")
    return from_parquet(files[TABLE_PATH])
