"""What a local site answers, and what it was asked."""

import gzip
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256

from dragon_pipeline_tests.local_sites.fixtures import Site, SiteAnswer


class Dropped(Exception):
    """The connection ends without an answer."""


@dataclass(frozen=True)
class Asked:
    url: str
    day: date | None
    """from X-Newsroom-Day"""
    etag: str | None
    """from If-None-Match"""
    since: str | None
    """from If-Modified-Since"""
    agent: str | None


@dataclass(frozen=True)
class Answer:
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200


UNKNOWN = Answer("Такого адреса у этого сайта нет.".encode(), {"Content-Type": "text/plain; charset=utf-8"}, 404)


class Answers:
    """Everything that some sites have to say."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self._known = {(answer.url, answer.day): (site, answer) for site in sites for answer in site.answers}

    def find(self, asked: Asked) -> Answer | None:
        """None when nobody declared the address."""
        found = self._known.get((asked.url, asked.day)) or self._known.get((asked.url, None))
        return unchanged(_answer(*found), asked) if found else None


def _answer(site: Site, declared: SiteAnswer) -> Answer:
    body = site.body(declared)
    body = gzip.compress(body, mtime=0) if declared.gzip else body
    kind = site.content_type(declared)
    headers = {"Content-Type": kind} if kind and (body or declared.type) else {}
    return Answer(body, headers | declared.headers, declared.status)


def unchanged(answer: Answer, asked: Asked) -> Answer:
    """The answer with its ETag, or 304 when the asker holds it already."""
    if answer.status != 200:
        return answer
    etag = f'"{sha256(answer.body).hexdigest()[:16]}"'
    headers = {"ETag": etag, **answer.headers}
    modified = headers.get("Last-Modified")
    held = asked.etag == headers["ETag"] if asked.etag else modified is not None and asked.since == modified
    return Answer(b"", {"ETag": headers["ETag"]}, 304) if held else Answer(answer.body, headers)
