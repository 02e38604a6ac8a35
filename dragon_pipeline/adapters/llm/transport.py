"""HTTP with one server: what it sent, or why nothing usable came."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import aiohttp

KEEP_ALIVE = 4.0
"""seconds: below uvicorn's 5, so that no request goes into a connection that the server (vLLM) is just closing"""
SECONDS_TO_CONNECT = 15.0
LARGEST = 64 << 20
"""bytes of one response"""

_OVERFLOW = re.compile(
    r"context[ _]length|context[ _]size|context[ _]window|maximum context|max_model_len|exceed_context|prompt is too long"
    r"|input (?:is )?too long|longer than the maximum model length",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Failure:
    """Why an exchange brought nothing."""

    reason: str
    """one of core.language_model.LOST or UNREADABLE, details after a colon"""
    passing: bool = False
    """it may go well when it is asked again"""
    wait: float | None = None
    """seconds that the server asks to wait"""
    status: int | None = None
    closed: bool = False
    """the server took no request: it is down, or asks to come later. That lasts as long as it lasts, however often one asks"""


class Transport:
    """One session with one server. The key goes to that host alone: redirects are not followed."""

    def __init__(self, session: aiohttp.ClientSession, url: str, key: str | None, timeout: float):
        """`url`: base with /v1; `timeout`: seconds that one answer may take."""
        self.base = url.rstrip("/")
        self.root = self.base.removesuffix("/v1")
        self.shown = shown(self.base)
        self._session = session
        self._key = key
        self._timeout = aiohttp.ClientTimeout(total=timeout, sock_connect=min(timeout, SECONDS_TO_CONNECT))
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    async def get(self, url: str) -> dict[str, Any] | Failure:
        return await self._send("GET", url, None)

    async def post(self, url: str, body: dict[str, Any]) -> dict[str, Any] | Failure:
        return await self._send("POST", url, json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))

    async def _send(self, method: str, url: str, body: bytes | None) -> dict[str, Any] | Failure:
        try:
            async with self._session.request(
                method, url, data=body, headers=self._headers, timeout=self._timeout, allow_redirects=False
            ) as response:
                data = await _read(response)
        except TimeoutError:
            return Failure(f"timeout: no answer within {self._timeout.total:g} s", passing=True)
        except (aiohttp.ClientError, OSError) as error:
            closed = isinstance(error, aiohttp.ClientConnectorError)
            return Failure(self._say("no_connection", str(error) or type(error).__name__), passing=True, closed=closed)
        if response.status != 200:
            return self._refusal(response, data)
        return self._payload(data)

    def _payload(self, data: bytes) -> dict[str, Any] | Failure:
        try:
            payload = json.loads(data)
        except (ValueError, RecursionError):
            return Failure(self._say("not_json", _snippet(data) or "an empty answer"))
        if not isinstance(payload, dict):
            return Failure(self._say("not_json", f"a JSON {type(payload).__name__}, not an object"))
        if payload.get("error"):
            return Failure(self._say("http_error", f"200 {_message(payload, data)}"), passing=True, status=200)
        return payload

    def _refusal(self, response: aiohttp.ClientResponse, data: bytes) -> Failure:
        status = response.status
        try:
            message = _message(json.loads(data), data)
        except (ValueError, RecursionError):
            message = _snippet(data)
        wait = _retry_after(response.headers.get("Retry-After"))
        if status == 429:
            return Failure(self._say("rate_limited", message or "429"), passing=True, wait=wait, status=status, closed=True)
        if status in (400, 413, 422, 500) and _OVERFLOW.search(message):
            return Failure(self._say("window_exceeded", message), status=status)
        passing = status >= 500 or status in (408, 425)
        reason = self._say("http_error", f"{status} {message}")
        return Failure(reason, passing=passing, wait=wait, status=status, closed=status in (502, 503))

    def _say(self, reason: str, details: str) -> str:
        if self._key:
            details = details.replace(self._key, "***")
        return f"{reason}: {' '.join(details.split())[:200]}".rstrip(": ")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    data = bytearray()
    async for part in response.content.iter_any():
        data += part
        if len(data) > LARGEST:
            raise aiohttp.ClientPayloadError(f"more than {LARGEST} bytes")
    return bytes(data)


def _message(payload: Any, data: bytes) -> str:
    """What the server says of an error, in any of the usual places."""
    for name in ("error", "message", "detail"):
        told = payload.get(name) if isinstance(payload, dict) else None
        if isinstance(told, dict):
            told = told.get("message") or told.get("type")
        if told:
            return str(told)
    return _snippet(data)


def _snippet(data: bytes) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", data[:400].decode("utf-8", "replace")).split())[:120]


def _retry_after(value: str | None) -> float | None:
    """Seconds: from a number, or a date (RFC 9110 §10.2.3)."""
    if not value:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value.strip()):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def shown(url: str) -> str:
    """Without a name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


@asynccontextmanager
async def open_transport(url: str, key: str | None, timeout: float, concurrency: int) -> AsyncIterator[Transport]:
    """A transport whose connections stay open between requests."""
    connector = aiohttp.TCPConnector(limit=concurrency, keepalive_timeout=KEEP_ALIVE)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Transport(session, url, key, timeout)
