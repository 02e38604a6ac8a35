"""Fixture sites on loopback: an HTTP forward proxy that plays all their hosts, http and https alike.

`http://…` is asked for in absolute form, `https://…` by CONNECT; behind it stands TLS with a certificate for that host, issued
by an authority made for the test (`ca_file`). What nobody declared is answered with 404 and remembered in `strangers`.
"""

import socket
import ssl
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import trustme

from dragon_pipeline_tests.local_sites.answers import UNKNOWN, Answer, Answers, Asked, Dropped
from dragon_pipeline_tests.local_sites.faults import Fault, Faults
from dragon_pipeline_tests.local_sites.fixtures import Site

DAY_HEADER = "X-Newsroom-Day"


class LocalSites:
    """Serves while it is entered. `address` is the URL to use as HTTP proxy, `ca_file` the authority to trust."""

    def __init__(self, sites: Iterable[Site], port: int = 0) -> None:
        self.requests: list[Asked] = []
        """every request so far"""
        self.strangers: list[str] = []
        """addresses that were asked for and that no site declares"""
        self.day: date | None = None
        """what it shows to those who name no day"""
        self._answers = Answers(sites)
        self._faults = Faults()
        self._lock = threading.Lock()
        self._authority = trustme.CA()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="local-sites-")
        self.ca_file = str(Path(self._folder.name) / "authority.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)
        self._server = _Server(self, port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def faults(self) -> dict[str, Fault]:
        """Host or address → what it does wrong; may be changed at any time."""
        return self._faults.of

    @property
    def urls(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.url for asked in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._faults.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._folder.cleanup()

    def serve(self) -> None:
        """Until it is interrupted."""
        with self._folder:
            self._server.serve_forever()

    def answer(self, asked: Asked) -> Answer:
        """What the world answers.

        Raises:
            Dropped: nothing at all.
        """
        with self._lock:
            self.requests.append(asked)
        if wrong := self._faults.answer(urlsplit(asked.url).hostname or "", asked.url):
            return wrong
        found = self._answers.find(asked)
        if found is None:
            with self._lock:
                self.strangers.append(asked.url)
        return found or UNKNOWN

    def context(self, host: str) -> ssl.SSLContext:
        """The host's own certificate."""
        with self._lock:
            if host not in self._contexts:
                context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
                self._authority.issue_cert(host).configure_cert(context)
                self._contexts[host] = context
            return self._contexts[host]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, sites: LocalSites, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.sites = sites

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are what tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: _Server
    tunnel: str | None = None
    """the host behind CONNECT"""

    def do_CONNECT(self) -> None:
        host = self.path.rpartition(":")[0].lower()
        self.send_response(200, "Connection established")
        self.end_headers()
        self.wfile.flush()
        try:
            self.connection = self.server.sites.context(host).wrap_socket(self.connection, server_side=True)
        except (ssl.SSLError, OSError):  # who does not trust us goes away
            self.close_connection = True
            return
        self.rfile = self.connection.makefile("rb", self.rbufsize)
        self.wfile = self.connection.makefile("wb", self.wbufsize)
        self.tunnel, self.close_connection = host, False

    def do_GET(self) -> None:
        headers = self.headers
        day = headers.get(DAY_HEADER)
        url = f"https://{self.tunnel}{self.path}" if self.tunnel else self.path
        asked = Asked(
            url,
            date.fromisoformat(day) if day else self.server.sites.day,
            headers.get("If-None-Match"),
            headers.get("If-Modified-Since"),
            headers.get("User-Agent"),
        )
        try:
            self._send(self.server.sites.answer(asked))
        except (Dropped, ConnectionError):
            self.close_connection = True

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()
        if self.tunnel:
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            self.connection.close()

    def log_message(self, format: str, *args: object) -> None:
        """Requests are in `LocalSites.requests`, not on the terminal."""
