"""Servers that are slow, broken, or no embedding servers at all: never a wrong vector."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from dragon_pipeline.adapters.embeddings.opening import open_embedder
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.settings import EmbedderSettings

MODEL = "toy"
Reply = tuple[int, dict[str, str], bytes]


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, 0.5]


def answer(rows: list, model: str = MODEL) -> Reply:
    return 200, {}, json.dumps({"object": "list", "model": model, "data": rows}).encode()


def row(index: int, embedding: object) -> dict:
    return {"object": "embedding", "index": index, "embedding": embedding}


def good(texts: list[str]) -> Reply:
    return answer([row(number, vector(text)) for number, text in enumerate(texts)])


def refuse(status: int, message: str, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": {"message": message}}).encode()


class Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Who does not wait for the answer closes the connection."""


class Toy:
    """A server of embeddings: replies by `script` one after the other, then as it should."""

    def __init__(self) -> None:
        self.script: list[Callable[[list[str]], Reply]] = []
        self.asked: list[list[str]] = []
        self.keys: list[str | None] = []
        toy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert (self.path, body["model"]) == ("/v1/embeddings", MODEL)
                toy.asked.append(body["input"])
                toy.keys.append(self.headers["Authorization"])
                status, headers, data = (toy.script.pop(0) if toy.script else good)(body["input"])
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def embedder(self, key: str | None = None, **settings):
        chosen = {"engine": "server", "model": MODEL, "url": self.url, "attempts": 3, "patience": 2} | settings
        return open_embedder(EmbedderSettings(**chosen), key)


@pytest.fixture
def toy() -> Iterator[Toy]:
    made = Toy()
    thread = threading.Thread(target=made.http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.http.shutdown()
    thread.join()
    made.http.server_close()


def unit(texts: list[str]) -> np.ndarray:
    vectors = np.array([vector(text) for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_vectors_are_made_unit_and_placed_by_their_index(toy):
    toy.script = [lambda texts: answer([row(number, vector(texts[number])) for number in (2, 0, 1)])]
    texts = ["а", "бб", "ввв"]
    assert toy.embedder().passages(texts) == pytest.approx(unit(texts), abs=1e-6)


def test_no_request_holds_more_texts_than_a_batch(toy):
    texts = [f"{'x' * number}" for number in range(1, 24)]
    assert toy.embedder(batch=5).queries(texts) == pytest.approx(unit(texts), abs=1e-6)
    assert sorted(map(len, toy.asked)) == [3, 5, 5, 5, 5]


def test_an_error_that_passes_is_asked_again(toy):
    toy.script = [lambda _: refuse(503, "starting"), lambda _: refuse(500, "oops")]
    assert toy.embedder().passages(["а"]) == pytest.approx(unit(["а"]), abs=1e-6)
    assert len(toy.asked) == 3


def test_a_limit_is_waited_for_as_long_as_the_server_says(toy):
    toy.script = [lambda _: refuse(429, "slow down", Retry_After="1")]
    began = time.monotonic()
    assert toy.embedder().passages(["а"]).shape == (1, 3)
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (lambda _: (200, {"Content-Type": "text/html"}, b"<html><body>Please log in</body></html>"), "Please log in"),
        (lambda _: (200, {}, b'{"data": [{"emb'), "not_json"),
        (lambda _: (200, {}, b"[]"), "not_json"),
        (lambda _: (200, {}, b"{}"), "no vectors for 2 texts"),
        (lambda _: answer([row(0, [1.0])]), "1 vectors for 2 texts"),
        (lambda _: answer([row(0, [1.0]), row(0, [1.0])]), "no rows of numbers"),
        (lambda _: answer([row(0, [1.0]), row(2, [1.0])]), "no rows of numbers"),
        (lambda _: answer([row(0, [1.0]), row(1, [1.0, 2.0])]), "no rows of numbers"),
        (lambda _: answer([row(0, []), row(1, [])]), "no rows of numbers"),
        (lambda _: answer([row(0, [1.0]), row(1, None)]), "no rows of numbers"),
        (lambda _: answer([row(0, ["a"]), row(1, ["b"])]), "no rows of numbers"),
        (lambda _: answer([row(0, [[1.0]]), row(1, [[1.0]])]), "no rows of numbers"),
        (lambda _: answer(["a", "b"]), "no rows of numbers"),
        (lambda _: answer([row(0, [1.0]), row(1, [float("nan")])]), "NaN"),
        (lambda _: answer([row(0, [1.0]), row(1, [float("inf")])]), "NaN or infinity"),
        (lambda _: answer([row(0, [1.0, 0.0]), row(1, [0.0, 0.0])]), "a vector of zeros"),
        (lambda _: answer([row(0, [1.0]), row(1, [1.0])], model="another"), "an answer of another"),
        (lambda _: refuse(404, "no such route"), "404 no such route"),
        (lambda _: refuse(401, "who are you?"), "401 who are you?"),
    ],
)
def test_what_are_no_vectors_is_never_taken_for_some(toy, reply, told):
    toy.script = [reply]
    with pytest.raises(Unreachable) as raised:
        toy.embedder().passages(["а", "бб"])
    assert told in str(raised.value)
    assert "embedder.url" in str(raised.value) and MODEL in str(raised.value)
    assert len(toy.asked) == 1


def test_a_server_that_is_not_there_says_what_to_do(toy):
    embedder = toy.embedder(url="http://127.0.0.1:9/v1", attempts=2, patience=0.5)
    with pytest.raises(Unreachable, match=r"toy at http://127\.0\.0\.1:9/v1 does not answer .*start its server, or set"):
        embedder.passages(["а"])


def test_a_server_that_is_slow_is_not_waited_for_without_end(toy):
    toy.script = [lambda texts: time.sleep(1.5) or good(texts)]
    with pytest.raises(Unreachable, match=r"no answer within 0\.3 s"):
        toy.embedder(timeout=0.3, attempts=1).passages(["а"])


def test_vectors_of_another_width_than_before_are_not_mixed_in(toy):
    embedder = toy.embedder()
    embedder.passages(["а"])
    toy.script = [lambda _: answer([row(0, [1.0, 2.0])])]
    with pytest.raises(Unreachable, match="vectors of 2 numbers after such of 3"):
        embedder.passages(["б"])


def test_a_text_that_is_too_long_is_shortened_and_its_neighbours_are_not(toy, caplog):
    def short_only(texts: list[str]) -> Reply:
        if max(map(len, texts)) > 40:
            return refuse(400, "This model's maximum context length is 40 tokens")
        return good(texts)

    toy.script = [short_only] * 9
    texts = ["а", "д" * 300, "бб"]
    assert toy.embedder().passages(texts) == pytest.approx(unit(["а", "д" * 37, "бб"]), abs=1e-6)
    assert "reads 37 characters of a text of 75" in caplog.text


def test_a_server_that_finds_everything_too_long_is_not_asked_for_ever(toy):
    toy.script = [lambda _: refuse(400, "maximum context length is 0 tokens")] * 30
    with pytest.raises(Unreachable, match="window_exceeded"):
        toy.embedder().passages(["д" * 1000])
    assert len(toy.asked) < 10


def test_the_key_is_sent_and_never_said(toy):
    toy.script = [good, lambda _: refuse(403, "key s3cret is unknown")]
    embedder = toy.embedder(key="s3cret")
    embedder.passages(["а"])
    assert toy.keys == ["Bearer s3cret"]
    with pytest.raises(Unreachable) as raised:
        embedder.passages(["б"])
    assert "s3cret" not in str(raised.value) and "s3cret" not in embedder.name


def test_prefixes_stand_before_what_is_sent(toy):
    embedder = toy.embedder(query_prefix="q: ", passage_prefix="p: ")
    embedder.queries(["а\0", "\ud800"])
    embedder.passages([""])
    assert toy.asked == [["q: а ", "q: ?"], ["p: ."]]
