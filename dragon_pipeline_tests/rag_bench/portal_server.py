"""A portal on loopback that answers as it is told: a list of answers in order, the last one for ever."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs


class Said(NamedTuple):
    status: int = 200
    body: Any = None
    """JSON, or bytes as they are; None hangs up without an answer"""
    headers: tuple[tuple[str, str], ...] = ()


class Asked(NamedTuple):
    path: str
    fields: dict[str, str]
    files: dict[str, tuple[str, bytes]]
    """field name → file name, content"""


class Portal(ThreadingHTTPServer):
    def __init__(self, answers: Sequence[Said]):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.asked: list[Asked] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"


@contextmanager
def serving(*answers: Said) -> Iterator[Portal]:
    with Portal(answers) as portal:
        thread = threading.Thread(target=portal.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield portal
        finally:
            portal.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Portal

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append(_parsed(self.path, self.headers.get("Content-Type", ""), body))
        said = self.server.answers.pop(0) if len(self.server.answers) > 1 else self.server.answers[0]
        if said.body is None:
            self.close_connection = True
            return
        content = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
        self.send_response(said.status)
        for name, value in said.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read `asked`."""


def _parsed(path: str, kind: str, body: bytes) -> Asked:
    if not kind.startswith("multipart/form-data"):
        return Asked(path, {name: values[0] for name, values in parse_qs(body.decode(), keep_blank_values=True).items()}, {})
    message = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body, policy=HTTP)
    fields: dict[str, str] = {}
    files: dict[str, tuple[str, bytes]] = {}
    for part in message.iter_parts():  # type: ignore[attr-defined]
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if part.get_filename():
            files[name] = (part.get_filename(), content)
        else:
            fields[name] = content.decode()
    return Asked(path, fields, files)
