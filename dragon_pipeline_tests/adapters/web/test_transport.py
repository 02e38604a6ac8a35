"""Answers that are an attack or a mess on the wire: each is one row, and no other page or outlet suffers."""

import gzip
import socketserver
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import BinaryIO

import brotli
import polars as pl
import pytest

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline_tests.adapters.web.conftest import article

BAD, GOOD = "http://wire.example/news/1", "http://wire.example/news/2"
MOST = 5_000_000
MANY = 50_000_000
Send = Callable[[BinaryIO], object]


def plain(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    given = ["Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join([f"HTTP/1.1 {status}", *given, "", ""]).encode() + body


@pytest.fixture
def wire() -> Iterator[tuple[str, dict[str, Send]]]:
    """A gateway that sends what a test says, byte by byte if it likes; and how to say it, by address."""
    answers: dict[str, Send] = {}
    links = f'<a href="{BAD}">1</a><a href="{GOOD}">2</a>'.encode()
    usual = {"http://wire.example/": plain(links), GOOD: plain(article(1, "Мост через реку открыли утром.").encode())}

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                address = self.rfile.readline().decode("latin-1").split(" ")[1]
                while self.rfile.readline().strip():
                    pass
                if address in answers:
                    answers[address](self.wfile)  # type: ignore[arg-type]
                else:
                    self.wfile.write(usual.get(address) or plain(b"", status="404 Not Found"))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True

        def handle_error(self, request: object, client_address: object) -> None:
            """Clients that hang up are what these tests are about."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", answers
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def outlet() -> Outlet:
    entry = Entry(kind="page", url="http://wire.example/")
    return Outlet(name="wire", hosts=("wire.example",), entries=(entry,), articles=(r"/news/\d+",))


@pytest.fixture
def reason_of(wire, crawled, outlet) -> Callable[..., str]:
    """reason_of(send): what the table says of the page that is answered so, the other page having come whole."""
    gateway, answers = wire

    def run(send: Send, **settings: float) -> str:
        answers[BAD] = send
        table = crawled(gateway, 1, outlet, gateway_shows_days=True, **settings)["wire"]
        found = dict(table.select("url", pl.col("reason").fill_null("ok")).iter_rows())
        assert found.pop(GOOD) == "ok"
        return found[BAD]

    return run


def test_a_page_of_fifty_megabytes_is_not_downloaded_to_its_end(reason_of):
    sent = []

    def send(wire: BinaryIO) -> None:
        wire.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        for _ in range(MANY // 100_000):
            wire.write(b"x" * 100_000)
            sent.append(100_000)

    assert reason_of(send) == "too_large"
    assert sum(sent) < MANY / 2


def test_a_page_that_announces_fifty_megabytes_is_not_downloaded(reason_of):
    assert reason_of(lambda wire: wire.write(plain(b"x", length=MANY))) == "too_large"


def zeros(pack: Callable[[bytes], bytes]) -> bytes:
    return pack(b"\0" * MANY)


@pytest.mark.parametrize(
    ("name", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", lambda body: brotli.compress(body, quality=1))],
)
def test_a_bomb_is_not_unpacked(reason_of, name, pack):
    body = zeros(pack)
    assert len(body) < MOST
    assert reason_of(lambda wire: wire.write(plain(body, f"Content-Encoding: {name}"))) == "too_large"


def test_a_bomb_in_a_bomb_is_not_unpacked(reason_of):
    body = gzip.compress(zeros(gzip.compress))
    assert reason_of(lambda wire: wire.write(plain(body, "Content-Encoding: gzip, gzip"))) == "too_large"


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "gzip, gzip", "rot13"])
def test_a_body_that_is_not_packed_as_it_says_is_a_row(reason_of, encoding):
    assert reason_of(lambda wire: wire.write(plain(b"\x1f\x8bnot packed", f"Content-Encoding: {encoding}"))) != "ok"


def test_an_answer_that_drips_ends_with_its_time(reason_of):
    def send(wire: BinaryIO) -> None:
        wire.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            wire.write(b"x")
            wire.flush()
            time.sleep(0.1)

    assert reason_of(send, seconds_per_outlet=2) == "timeout"


def test_headers_that_drip_end_with_their_time(reason_of):
    def send(wire: BinaryIO) -> None:
        wire.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1000):
            wire.write(f"X-{number}: x\r\n".encode())
            wire.flush()
            time.sleep(0.1)

    assert reason_of(send, seconds_per_outlet=2) == "timeout"


@pytest.mark.parametrize(
    "headers",
    [[f"X-{number}: {'x' * 50}" for number in range(100_000)], [f"X: {'x' * 5_000_000}"], ["X-\x00: \x01"], ["No colon"]],
    ids=["many", "long", "control characters", "no colon"],
)
def test_a_flood_of_headers_is_a_row(reason_of, headers):
    assert reason_of(lambda wire: wire.write(plain(b"x", *headers))) in ("fetch_error", "no_connection", "no_body")


@pytest.mark.parametrize("length", ["10", "1000", "-5", "viel", "99999999999999999999"])
def test_a_wrong_content_length_is_a_row(reason_of, length):
    answer = plain(b"<html><p>Most.</p></html>").replace(b"Content-Length: 25", f"Content-Length: {length}".encode())
    assert reason_of(lambda wire: wire.write(answer)) != "ok"


@pytest.mark.parametrize(
    "answer", [b"", b"\r\n\r\n", b"SSH-2.0-OpenSSH_9\r\n", b"HTTP/9.9 999 \xff\r\n\r\n", b"\x16\x03\x01" * 50]
)
def test_what_is_no_http_is_a_row(reason_of, answer):
    assert reason_of(lambda wire: wire.write(answer)) in ("fetch_error", "no_connection", "not_html")


def test_endless_redirects_end(reason_of, wire):
    asked = []

    def send(wire: BinaryIO) -> None:
        asked.append(1)
        wire.write(plain(b"", f"Location: {BAD}?{len(asked)}", status="302 Found"))

    _, answers = wire
    answers.update({f"{BAD}?{number}": send for number in range(100)})
    assert reason_of(send) == "redirects"
    assert len(asked) < 10


def test_a_sitemap_bomb_is_a_bad_listing_and_pages_still_come(wire, crawled, outlet):
    gateway, answers = wire
    sitemap = Entry(kind="sitemap", url="http://wire.example/sitemap.xml.gz")
    packed = gzip.compress(b"<urlset>" + b" " * 60_000_000)
    answers["http://wire.example/sitemap.xml.gz"] = lambda wire: wire.write(plain(packed))
    both = outlet.model_copy(update={"entries": (sitemap, *outlet.entries)})
    table = crawled(gateway, 1, both, gateway_shows_days=True)["wire"]
    found = dict(table.select("url", "reason").iter_rows())
    assert found["http://wire.example/sitemap.xml.gz"] == "listing: bad_listing"
    assert found[GOOD] is None
