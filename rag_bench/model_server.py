"""A server of models with OpenAI's interface: vLLM, llama.cpp, Ollama, OpenAI, OpenRouter, …"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from rag_bench.addresses import host_of
from rag_bench.errors import RagBenchError, Refused, Unreachable
from rag_bench.printable import printable
from rag_bench.retrying import Retrying

BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
SECONDS = 300.0
"""that one answer may take"""
SHOWN = 300


@dataclass
class ModelServer:
    """One address and key, used from any thread."""

    url: str
    """base address, such as http://localhost:8000/v1"""
    key: str = field(default="", repr=False)
    """sent as a bearer token, in no message and no `repr`"""
    retrying: Retrying = field(default_factory=Retrying)

    def __post_init__(self) -> None:
        scheme, _, rest = self.url.partition("://")
        if scheme not in ("http", "https") or not host_of(rest):
            raise RagBenchError(f"{self.url!r} is no address of a model server; give one like http://localhost:8000/v1")
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        # A connection for each request: it costs nothing beside an answer, and nothing is left open.
        once, patience = httpx2.Limits(max_keepalive_connections=0), httpx2.Timeout(SECONDS, connect=10.0)
        self._client = httpx2.Client(timeout=patience, limits=once, headers=headers)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that a server answers; asked again while it is busy or away.

        Raises:
            Unreachable: no answer at any attempt.
            Refused: it says no, or answers something else.
        """
        try:
            response = self.retrying.call(lambda: self._once(path, body), _wait_for)
        except httpx2.HTTPStatusError as error:
            status = error.response.status_code
            told = f"{self.url}{path} says {status}: {self._shown(error.response)}"
            raise (Unreachable(told) if status in BUSY else Refused(told, status)) from error
        except httpx2.HTTPError as error:
            raise Unreachable(f"{self.url} gives no answer: {str(error) or type(error).__name__}") from error
        try:
            told = response.json()
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise Refused(f"{self.url}{path} answers no JSON object: {self._shown(response)}", response.status_code)
        return told

    def _once(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        response = self._client.post(f"{self.url.rstrip('/')}{path}", json=dict(body))
        if not response.is_success:
            raise httpx2.HTTPStatusError("refused", request=response.request, response=response)
        return response

    def _shown(self, response: httpx2.Response) -> str:
        text = " ".join(printable(response.text).split())
        return (text.replace(self.key, "***") if self.key else text)[:SHOWN] or "nothing"


def _wait_for(error: Exception) -> float | None:
    if isinstance(error, httpx2.HTTPStatusError):
        told = error.response.headers.get("retry-after", "")
        return (float(told) if told.isdecimal() else 0.0) if error.response.status_code in BUSY else None
    return 0.0 if isinstance(error, httpx2.TransportError) else None
