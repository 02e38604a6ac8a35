"""A Hub of datasets on loopback: the routes that huggingface_hub, `datasets` and clients built on them use.

    with LocalHub() as hub:
        HfApi(endpoint=hub.url, token=WRITE)                  in this process
        subprocess.run(…, env={**os.environ, **hub.env})      in another one

A client must not use Xet (`HF_HUB_DISABLE_XET=1`, read when huggingface_hub is imported). Anything may be made to fail: `fail`,
and `watch`, which is told of every request before and after it is acted on.
"""

import copy
import json
import socket
import struct
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from dragon_pipeline_tests.local_hub import routes
from dragon_pipeline_tests.local_hub.answers import WRITE, Answered, Asked, Upload, failed
from dragon_pipeline_tests.local_hub.faults import Answer, Dropped, Fault, Faults
from dragon_pipeline_tests.local_hub.repositories import PIECE, Blobs, Repository

PAGE = b"<!DOCTYPE html><html><body>Sign in to the guest network</body></html>"
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: closing resets"""


@dataclass(frozen=True)
class Request:
    route: str
    method: str
    path: str
    token: str | None


@dataclass(frozen=True)
class Snapshot:
    repositories: dict[str, Repository]
    blobs: set[str]


class LocalHub:
    """The server and what it holds; it runs while it is entered."""

    def __init__(self, port: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="local-hub-")
        self.blobs = Blobs(Path(self._folder.name))
        self.repositories: dict[str, Repository] = {}
        self.lock = threading.RLock()
        self.requests: list[Request] = []
        self.watch: Callable[[int, str, bool], None] | None = None
        """called with the number of the request from 1, its route, and whether it was acted on yet"""
        self._faults = Faults()
        self._server = _Server(self, port)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def env(self) -> dict[str, str]:
        """For a process that is to use this Hub: with a cache of its own, so that nothing is read from a warm one."""
        home = Path(self._folder.name) / "home"
        return {
            "HF_ENDPOINT": self.url,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_TOKEN": WRITE,
            "HF_HOME": str(home),
        }

    def fail(self, route: str, answer: Answer, times: int = 1, retry_after: str | None = None, acts: bool = False) -> None:
        """The next requests of this route (or `any`) go wrong: see `Fault`."""
        self._faults.planned.append(Fault(route, answer, times, retry_after, acts))

    def forgive(self) -> None:
        """Nothing goes wrong any more."""
        self._faults.planned.clear()

    def snapshot(self) -> Snapshot:
        return Snapshot(copy.deepcopy(self.repositories), self.blobs.names())

    def restore(self, snapshot: Snapshot | None = None) -> None:
        """As it was then, or empty; with no requests behind it."""
        self.repositories = copy.deepcopy(snapshot.repositories) if snapshot else {}
        self.blobs.forget(self.blobs.names() - (snapshot.blobs if snapshot else set()))
        self.requests.clear()

    def fault(self, route: str) -> Fault | None:
        return self._faults.next(route)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._folder.cleanup()

    def serve(self) -> None:
        """Until it is interrupted."""
        with self._folder:
            self._server.serve_forever()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, hub: LocalHub, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.hub = hub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are what tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _do(self) -> None:
        hub = self.server.hub
        target = urlsplit(self.path)
        found = routes.find(self.command, target.path)
        name = found.name if found else "unknown"
        with hub.lock:
            hub.requests.append(Request(name, self.command, unquote(self.path), self._token()))
            number = len(hub.requests)
        if hub.watch:
            hub.watch(number, name, False)
        asked = Asked(hub, self._token(), parse_qs(target.query), self._body(name), dict(self.headers.items()))
        fault = hub.fault(name)
        acts = not fault or fault.acts or fault.answer == "lost"
        if not acts and isinstance(asked.body, Upload):
            asked.body.source.read(asked.body.size)
        answer = found.act(asked) if found and acts else failed(404, "there is no such page")
        if hub.watch:
            hub.watch(number, name, True)
        if fault and isinstance(fault.answer, int):
            answer = failed(fault.answer, "told to fail")
            answer.headers.update({"Retry-After": fault.retry_after} if fault.retry_after else {})
        elif fault and fault.answer == "page":
            answer = Answered(200, PAGE, {"Content-Type": "text/html"})
        elif fault:
            raise Dropped
        self._send(answer)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _do

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (Dropped, ConnectionError):
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def _token(self) -> str | None:
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if scheme == "Bearer" and token else None

    def _body(self, route: str) -> bytes | Upload:
        if self.headers.get("Transfer-Encoding") == "chunked":
            return b"".join(iter(self._chunk, b""))
        size = int(self.headers.get("Content-Length") or 0)
        return Upload(self.rfile, size) if route == "upload" else self.rfile.read(size)

    def _chunk(self) -> bytes:
        size = int(self.rfile.readline().partition(b";")[0], 16)
        piece = self.rfile.read(size)
        self.rfile.readline()
        return piece

    def _send(self, answer: Answered) -> None:
        told = b"" if answer.body is None or isinstance(answer.body, Path) else answer.body
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        kind = "application/octet-stream" if isinstance(answer.body, Path) else "application/json"
        self.send_response(answer.status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body)
        if isinstance(answer.body, Path):
            with answer.body.open("rb") as file:
                file.seek(answer.start)
                left = int(answer.headers["Content-Length"])
                while left and (piece := file.read(min(left, PIECE))):
                    self.wfile.write(piece)
                    left -= len(piece)
