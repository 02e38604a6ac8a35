"""HTTP with one server: what it sent, or why nothing usable came."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from dragon_pipeline.adapters.llm.refusals import reason_of

KEEP_ALIVE = 4.0
"""seconds: below uvicorn's 5, so that no request goes into a connection that the server (vLLM) is just closing"""
SECONDS_TO_CONNECT = 15.0
LARGEST = 64 << 20
"""bytes of one response"""

_NAME_AND_PASSWORD = re.compile(r"(?<=://)[^/\s]*@|^[^/\s:]*:[^/\s]*@")
_GATEWAYS_GAVE_UP = (504, 524)


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
    untold: bool = False
    """a model may have answered all the same, and be paid for it"""
    body: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """the server's JSON, which may say what it took"""


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
        except TimeoutError as error:
            untold = not isinstance(error, aiohttp.ConnectionTimeoutError)
            return Failure(f"timeout: no answer within {self._timeout.total:g} s", passing=True, untold=untold)
        except (aiohttp.ClientError, OSError) as error:
            return self._broken(error)
        if response.status != 200:
            return self._refusal(response.status, response.headers.get("Retry-After"), data)
        return self._payload(data)

    def _broken(self, error: aiohttp.ClientError | OSError) -> Failure:
        closed = isinstance(error, aiohttp.ClientConnectorError)
        lost = isinstance(error, OSError | aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError) and not closed
        reason = self._say("no_connection", str(error) or type(error).__name__)
        return Failure(reason, passing=True, closed=closed, untold=lost)

    def _payload(self, data: bytes) -> dict[str, Any] | Failure:
        try:
            payload = json.loads(data)
        except (ValueError, RecursionError):
            cut = data.lstrip()[:1] == b"{"
            return Failure(self._say("not_json", _snippet(data) or "an empty answer"), untold=cut)
        if not isinstance(payload, dict):
            return Failure(self._say("not_json", f"a JSON {type(payload).__name__}, not an object"))
        return self._refusal(200, None, data) if payload.get("error") else payload

    def _refusal(self, status: int, retry_after: str | None, data: bytes) -> Failure:
        try:
            body = json.loads(data)
        except (ValueError, RecursionError):
            body = None
        body = body if isinstance(body, dict) else {}
        name, message = reason_of(status, body, _snippet(data))
        return Failure(
            self._say(name, message),
            passing=name == "rate_limited" or (name == "http_error" and (status >= 500 or status in (200, 408, 425))),
            wait=_retry_after(retry_after),
            status=status,
            closed=status in (429, 502, 503),
            untold=status in _GATEWAYS_GAVE_UP,
            body=body,
        )

    def _say(self, reason: str, details: str) -> str:
        if self._key:
            details = details.replace(self._key, "***")
        return f"{reason}: {shown(' '.join(details.split()))[:200]}".rstrip(": ")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    data = bytearray()
    async for part in response.content.iter_any():
        data += part
        if len(data) > LARGEST:
            raise aiohttp.ClientPayloadError(f"more than {LARGEST} bytes")
    return bytes(data)


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


def shown(text: str) -> str:
    """An address, or a text with addresses in it, without names and passwords."""
    return _NAME_AND_PASSWORD.sub("", text)


@asynccontextmanager
async def open_transport(url: str, key: str | None, timeout: float, concurrency: int) -> AsyncIterator[Transport]:
    """A transport whose connections stay open between requests."""
    connector = aiohttp.TCPConnector(limit=concurrency, keepalive_timeout=KEEP_ALIVE)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Transport(session, url, key, timeout)
