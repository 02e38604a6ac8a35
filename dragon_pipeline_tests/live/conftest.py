"""The real vLLM that `make live` runs beside this suite (serving.py), and what tests do to it."""

import os
import re
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragon_pipeline.core.settings import ModelSettings

PATIENCE = 600
"""seconds until a killed server is there again"""
MARK = b"of the city number"
"""in every request of asking.py, once; what a client asks to know its server has it not"""


class Server:
    """`url`: base, with /v1; `model`: the name it offers."""

    def __init__(self) -> None:
        self.url = os.environ["LIVE_URL"]
        self.model = os.environ["LIVE_MODEL"]
        self.port = int(self.url.removesuffix("/v1").rpartition(":")[2])

    def settings(self, url: str | None = None, **chosen: object) -> ModelSettings:
        return ModelSettings.model_validate({"url": url or self.url, "model": self.model, "patience": PATIENCE} | chosen)

    def metrics(self, name: str) -> float:
        """A counter of vLLM's, summed over its labels; it starts at 0 with every server."""
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/metrics", timeout=30) as reply:
            lines = reply.read().decode()
        return sum(float(value) for value in re.findall(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\S+)$", lines, re.MULTILINE))

    def asked(self) -> float:
        """Completions that it has been asked for and is done with, those that the client left included."""
        return self.metrics("vllm:request_success_total")

    def kill(self) -> None:
        """-9, its engine too. serving.py starts another."""
        os.killpg(int(Path(os.environ["LIVE_PID"]).read_text()), signal.SIGKILL)

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/models", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        pytest.fail(f"no server at {self.url} within {PATIENCE} s")


class CountingProxy:
    """Between a client and the server: counts the requests of asking.py that reached it."""

    def __init__(self, port: int):
        self.asked = 0
        self._to = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            try:
                server = socket.create_connection(self._to)
            except OSError:
                return
            with server:
                back = threading.Thread(target=self._pass_on, args=(server, client, False), daemon=True)
                back.start()
                self._pass_on(client, server, True)
                back.join()

    def _pass_on(self, source: socket.socket, sink: socket.socket, counted: bool) -> None:
        """Until either end closes; then both are done."""
        try:
            while data := source.recv(1 << 16):
                self.asked += counted and data.count(MARK)  # so short a body comes at once
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@pytest.fixture(scope="session")
def server() -> Server:
    if "LIVE_URL" not in os.environ:
        pytest.fail("no server: this suite is run by `make live`")
    return Server()


@pytest.fixture
def proxy(server: Server) -> Iterator[CountingProxy]:
    made = CountingProxy(server.port)
    yield made
    made.close()
