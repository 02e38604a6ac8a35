import json
import subprocess
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import rag_bench
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline_tests.rag_bench.releasing import TABLES
from rag_bench.baseline import Baseline, answer_questions, get_results, init_generation, init_retriever, prepare_results
from rag_bench.bm25 import Bm25
from rag_bench.dense import Dense
from rag_bench.embeddings import ServedEmbedder
from rag_bench.errors import RagBenchError, Refused

DENSE = partial(Dense, FakeEmbedder(512))


@pytest.mark.parametrize("retriever", [Bm25, DENSE])
def test_a_baseline_run_by_the_client_answers_as_the_pipeline_s_function(release, retriever):
    run = rag_bench.run(Baseline(release.texts, retriever), release)
    assert dict(run) == answer_questions(release.questions, release.texts, retriever)
    assert run[0].found_ids[0] == 0 and run[2].found_ids[0] == 2 and "Пскова" in run[2].model_answer


def test_the_model_sees_the_chunks_and_the_name_says_what_answers(release):
    shown = []

    def echo(question, passages):
        shown.append(passages)
        return "Псков"

    system = Baseline(release.texts, Bm25, echo, chunking=(30, 10))
    rag_bench.run(system, release, k=2)
    assert system.name == "bm25, echo, 30/10" and all(len(passage) <= 30 for passages in shown for passage in passages)
    assert Baseline(release.texts, DENSE, name="моя").name == "моя"


class LangChainEmbeddings:
    """What LangChain's `Embeddings` looks like."""

    def __init__(self):
        self._fake = FakeEmbedder(512)
        self.batches = []

    def embed_documents(self, texts):
        self.batches.append(len(texts))
        return (3 * self._fake.passages(texts)).tolist()

    def embed_query(self, text):
        return self._fake.queries([text])[0].tolist()


class Message:
    def __init__(self, content):
        self.content = content


class LangChainModel:
    def invoke(self, prompt):
        return Message(prompt.rpartition("<context>")[2].strip()[:5])


@pytest.mark.parametrize("embedder", [LangChainEmbeddings, lambda: FakeEmbedder(512)])
def test_the_published_reference_runs_under_its_own_names(embedder, capsys):
    texts, questions = {"train": TABLES["public_texts"]}, {"train": TABLES["public_questions"]}
    chain = init_generation(init_retriever(texts, embedder(), top_k=2, batch_size=2), LangChainModel())
    results = get_results(chain, questions, skip=1, take=1, write_logs=True)
    assert list(results) == [1] and results[1]["found_ids"][0] == 1 and results[1]["model_answer"] == "Завод"
    assert "1: Какой по счёту трактор" in capsys.readouterr().err
    assert list(get_results(chain, questions)) == [0, 1, 2]


def test_texts_are_embedded_in_batches():
    embedder = LangChainEmbeddings()
    init_retriever({"train": TABLES["public_texts"]}, embedder, batch_size=2)
    assert embedder.batches == [2, 1]


def test_documents_of_langchain_are_results_too():
    class Document:
        def __init__(self, id):
            self.metadata = {"id": id}

    told = {7: {"context": [Document(3), Document(1), Document(3)], "answer": "да"}}
    assert prepare_results(told) == {7: {"found_ids": [3, 1], "model_answer": "да"}}


def test_a_prompt_and_a_model_of_one_s_own(release):
    retriever = init_retriever({"train": release.texts}, FakeEmbedder(512), top_k=1)
    chain = init_generation(retriever, lambda prompt: prompt, "{input}|{context}|{input}")
    question = "Где зажгли ёлку {context}?"
    assert chain.invoke({"input": question})["answer"] == f"{question}|{TABLES['public_texts'][2]['text']}|{question}"
    with pytest.raises(RagBenchError, match=r"llm_prompt has no \{input\}"):
        init_generation(retriever, str, "{context}")
    with pytest.raises(RagBenchError, match="a model is a LangChain chat model"):
        init_generation(retriever, 5)
    with pytest.raises(RagBenchError, match="an embedder has embed_documents"):
        init_retriever({"train": []}, 5)


class Embeddings(ThreadingHTTPServer):
    """Vectors whose first number is the length of the text, in no order."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[list[str]] = []
        self.spoil = lambda rows: rows


class _Handler(BaseHTTPRequestHandler):
    server: Embeddings

    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.asked.append(texts)
        rows = [{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(texts)]
        body = json.dumps({"data": self.server.spoil(rows[::-1])}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


@pytest.fixture
def embeddings():
    with Embeddings() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_served_embedder_gives_unit_vectors_in_order_with_its_prefixes(embeddings):
    embedder = ServedEmbedder(f"http://127.0.0.1:{embeddings.server_port}/v1", "m", prefixes=("query: ", ""))
    vectors = embedder.passages(["а" * length for length in range(1, 131)])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1) and (np.diff(vectors[:, 0]) > 0).all()
    assert [len(batch) for batch in embeddings.asked] == [64, 64, 2]
    embedder.queries(["Где?"])
    assert embeddings.asked[-1] == ["query: Где?"]


@pytest.mark.parametrize(
    "spoil", [lambda rows: rows[1:], lambda rows: [{**row, "embedding": [0, 0]} for row in rows], lambda rows: [1], dict]
)
def test_vectors_that_are_none_are_refused(embeddings, spoil):
    embeddings.spoil = (lambda rows: {}) if spoil is dict else spoil
    with pytest.raises(Refused, match="m gave no vector for each of 2 texts"):
        ServedEmbedder(f"http://127.0.0.1:{embeddings.server_port}/v1", "m").passages(["а", "б"])


def test_the_baseline_s_module_loads_no_hub():
    code = "import sys, rag_bench.baseline; print(sorted({'huggingface_hub', 'pyarrow', 'httpx2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
