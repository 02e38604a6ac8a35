"""Questions written from subgraphs."""

import polars as pl

from dragon_pipeline.core.ports import Sketch, Writer, Written
from dragon_pipeline.core.records import QA

KEPT = ("qa_id", "type", "given", "bridge", "direction", "fact_ids", "article_ids", "cross_story", "one_article", "subgraph")


def write(subgraphs: pl.DataFrame, facts: pl.DataFrame, writer: Writer) -> pl.DataFrame:
    """A row of `qa` for every subgraph; what the writer cannot say carries its reason.

    Args:
        facts: `facts` of the window.
    """
    by_id = {row["fact_id"]: row for row in facts.iter_rows(named=True)}
    rows = subgraphs.to_dicts()
    sketches = [
        Sketch(
            row["type"],
            [by_id[fact_id] for fact_id in row["fact_ids"]],
            row["asked"],
            row["given"],
            row["bridge"],
            row["direction"],
        )
        for row in rows
    ]
    return QA.frame([_row(row, said, writer.name) for row, said in zip(rows, writer.write(sketches), strict=True)])


def _row(row: dict, said: Written, writer: str) -> dict:
    answers = list(said.answers or row["asked"])
    return {
        **{name: row[name] for name in KEPT},
        "question": said.question, "answers": answers, "answer": ", ".join(answers) if said.question else None,
        "writer": writer, "reason": said.reason, "raw": said.raw,
    }  # fmt: skip
