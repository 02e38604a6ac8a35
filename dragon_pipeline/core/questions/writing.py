"""Questions written from subgraphs."""

import polars as pl

from dragon_pipeline.core.ports import Writer
from dragon_pipeline.core.records import QA

KEPT = ("qa_id", "type", "given", "bridge", "fact_ids", "article_ids", "cross_story", "subgraph")


def write(subgraphs: pl.DataFrame, facts: pl.DataFrame, writer: Writer) -> pl.DataFrame:
    """A row of `qa` for every subgraph; what the writer cannot say carries its reason.

    Args:
        facts: `facts` of the window.
    """
    by_id = {row["fact_id"]: row for row in facts.iter_rows(named=True)}
    rows = []
    for row in subgraphs.iter_rows(named=True):
        question, reason = None, None
        try:
            question = writer.write(row["type"], [by_id[fact_id] for fact_id in row["fact_ids"]], row["asked"])
        except ValueError as why:
            reason = str(why)
        rows.append(
            {
                **{name: row[name] for name in KEPT},
                "question": question, "answers": row["asked"], "answer": ", ".join(row["asked"]) if question else None,
                "writer": writer.name, "reason": reason,
            }
        )  # fmt: skip
    return QA.frame(rows)
