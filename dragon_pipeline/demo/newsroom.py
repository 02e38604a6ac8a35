"""The bundled newsroom: four invented news sites on loopback, as they were on any day.

It is an HTTP forward proxy, so that the sites keep addresses like `http://severny-kurier.example/…`. The header
`X-Newsroom-Day: YYYY-MM-DD` chooses the day whose state of the world is shown; without it, the newest. Nothing is stored
between requests, so days can be asked for in any order and at the same time.
"""

import threading
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import urlsplit

from dragon_pipeline.demo.articles import Story, read_stories, world
from dragon_pipeline.demo.pages import SITES, Answer, render_site

DAY_HEADER = "X-Newsroom-Day"
MISSING = Answer("Нет такой страницы".encode(), "text/plain; charset=utf-8", 404)


class Newsroom:
    """Serves while it is entered. `address` is the URL to use as HTTP proxy.

    The faults are for tests and may be changed at any time; hosts are those of `pages.SITES`.
    """

    def __init__(self, port: int = 0, articles: Iterable[Story] | None = None):
        self.stories = tuple(read_stories() if articles is None else articles)
        self.pages = lru_cache(maxsize=64)(self._pages)
        self.requests: list[tuple[str, str, str | None]] = []
        """host, path with query, and day of every request so far"""
        self.hanging: set[str] = set()
        """hosts that never answer"""
        self.statuses: dict[str, int] = {}
        """host → status of all its answers"""
        self.extra: dict[tuple[str, str], Answer] = {}
        """(host, path) → an answer instead of the site's own"""
        self.slow: dict[tuple[str, str], float] = {}
        """(host, path) → seconds before it answers"""
        self.dies_after: int | None = None
        """number of requests after which connections are refused"""
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.newsroom = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, host: str, target: str, day: str | None) -> Answer | None:
        """What the world answers; None when the connection is to be dropped."""
        with self._lock:
            if self.dies_after is not None and len(self.requests) >= self.dies_after:
                self._server.stop_listening()
                return None
            self.requests.append((host, target, day))
        if host in self.hanging:
            self._closing.wait()
            return None
        if host in self.statuses:
            return Answer(b"", "text/html", self.statuses[host])
        path = urlsplit(target).path
        self._closing.wait(self.slow.get((host, path), 0))
        return self.extra.get((host, path)) or self.pages(host, date.fromisoformat(day) if day else None).get(path, MISSING)

    def _pages(self, host: str, day: date | None) -> dict[str, Answer]:
        site = next((site for site in SITES.values() if site.host == host.removeprefix("www.")), None)
        if site is None:
            return {}
        return render_site(site, [story for story in world(self.stories, day) if story.outlet == site.name])


class _Server(ThreadingHTTPServer):
    newsroom: Newsroom
    daemon_threads = True
    request_queue_size = 128

    def stop_listening(self) -> None:
        """Connections are refused from now on. Not to be called from the serving thread."""
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        host = (parts.hostname or self.headers.get("Host", "").partition(":")[0]).lower()
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        answer = self.server.newsroom.answer(host, target, self.headers.get(DAY_HEADER))
        if answer is None:
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are in `Newsroom.requests`, not on the terminal."""
