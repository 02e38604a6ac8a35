"""The published client's reference implementation under its own names, without LangChain and Chroma.

`embedding_model` and `model` are LangChain's objects, or ours: an embedder has `embed_documents` and `embed_query`, or
`passages` and `queries`; a model has `invoke`, or `complete`, or is a function of the prompt. Chunks are searched by exact
cosine, where the published client diversifies what it finds (MMR). New code has `Baseline` and `rag_bench.run`.
"""

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_bench.chunks import Chunk, chunks
from rag_bench.dense import Dense
from rag_bench.errors import RagBenchError

BETWEEN = "\n\n"


@dataclass(frozen=True)
class ChunkRetriever:
    """The chunks of a dataset, and the `top_k` nearest to a question."""

    chunks: Sequence[Chunk]
    index: Dense
    top_k: int

    def invoke(self, question: str) -> list[Chunk]:
        return [self.chunks[place] for place in self.index.search([question], self.top_k)[0]]


@dataclass(frozen=True)
class GenerationChain:
    """`invoke({"input": question})` gives `{"input", "context": chunks, "answer"}`."""

    retriever: ChunkRetriever
    write: Callable[[str], str]
    prompt: str

    def invoke(self, asked: Mapping[str, str]) -> dict[str, Any]:
        context = self.retriever.invoke(asked["input"])
        shown = BETWEEN.join(chunk.text for chunk in context)
        before, _, after = self.prompt.partition("{context}")
        prompt = before.replace("{input}", asked["input"]) + shown + after.replace("{input}", asked["input"])
        return {"input": asked["input"], "context": context, "answer": self.write(prompt)}


def init_retriever(
    dataset: Mapping[str, Iterable[Mapping[str, Any]]],
    embedding_model: Any,
    top_k: int = 5,
    chunk_size: int = 500,
    chunk_overlap: int = 100,
    batch_size: int = 1000,
) -> ChunkRetriever:
    """A retriever over `{"train": texts}`; `batch_size` texts are embedded in one call."""
    pieces = chunks(dataset["train"], chunk_size, chunk_overlap)
    index = Dense(_Embedder(embedding_model, batch_size), [piece.text for piece in pieces])
    return ChunkRetriever(pieces, index, top_k)


def init_generation(retriever: ChunkRetriever, model: Any, llm_prompt: str = "") -> GenerationChain:
    """A chain that fills `{context}` and `{input}` of the prompt; without one, the paper's.

    Raises:
        RagBenchError: the model cannot be called, or the prompt lacks a part.
    """
    from rag_bench.llm import paper_prompt  # read late: a prompt of one's own needs no file

    prompt = llm_prompt or paper_prompt().replace("{question}", "{input}")
    for part in ("{context}", "{input}"):
        if part not in prompt:
            raise RagBenchError(f"llm_prompt has no {part}")
    return GenerationChain(retriever, _writer(model), prompt)


def get_results(
    generation_chain: Any,
    dataset: Mapping[str, Any],
    skip: int | None = None,
    take: int | None = None,
    write_logs: bool = False,
    sleep_time: float = 0,
) -> dict[int, dict[str, Any]]:
    """`{id: {"found_ids", "model_answer"}}` of `{"train": questions}`, after the first `skip`, at most `take`."""
    rows = list(dataset["train"])[skip or 0 :]
    answers: dict[int, dict[str, Any]] = {}
    for row in rows[: take or len(rows)]:
        answers[row["id"]] = generation_chain.invoke({"input": row["question"]})
        if write_logs:
            sys.stderr.write(f"{row['id']}: {row['question']} {answers[row['id']]['answer']}\n")
        if sleep_time > 0:
            time.sleep(sleep_time)
    return prepare_results(answers)


def prepare_results(data: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """The results of what a chain gave, ours or LangChain's; a text of which several chunks were found stands once."""
    return {
        id: {"found_ids": list(dict.fromkeys(map(_text_id, told["context"]))), "model_answer": told["answer"]}
        for id, told in data.items()
    }


def _text_id(found: Any) -> int:
    return found.text_id if isinstance(found, Chunk) else found.metadata["id"]


def _writer(model: Any) -> Callable[[str], str]:
    if hasattr(model, "complete"):
        return model.complete
    call = getattr(model, "invoke", model)
    if not callable(call):
        raise RagBenchError(f"a model is a LangChain chat model, rag_bench.llm.ChatModel or a function, not {model!r:.80}")

    def write(prompt: str) -> str:
        told = call(prompt)
        return str(getattr(told, "content", told))

    return write


class _Embedder:
    """LangChain's `Embeddings`, or ours, as `Dense` takes it."""

    def __init__(self, model: Any, batch_size: int):
        self.name = type(model).__name__
        self._model, self._batch_size = model, batch_size
        if not (hasattr(model, "embed_query") or hasattr(model, "queries")):
            raise RagBenchError(
                f"an embedder has embed_documents and embed_query, or passages and queries, unlike {model!r:.80}"
            )

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._unit([self._model.embed_query(t) for t in texts]) if self._foreign else self._model.queries(texts)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        batches = [texts[start : start + self._batch_size] for start in range(0, len(texts), self._batch_size)]
        if not self._foreign:
            return np.concatenate([self._model.passages(batch) for batch in batches] or [np.empty((0, 0), np.float32)])
        return self._unit([vector for batch in batches for vector in self._model.embed_documents(list(batch))])

    @property
    def _foreign(self) -> bool:
        return hasattr(self._model, "embed_query")

    def _unit(self, vectors: list[list[float]]) -> np.ndarray:
        found = np.array(vectors, np.float32)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12) if len(found) else found
