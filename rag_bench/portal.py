"""The portal that holds the gold: one POST at a time, over https, asked again when it is busy."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from rag_bench.addresses import host_of
from rag_bench.errors import RagBenchError, Refused, Unreachable
from rag_bench.printable import printable
from rag_bench.retrying import Retrying

BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
SECONDS = 60.0
SHOWN = 300
"""characters of an answer that are shown when it says no"""


@dataclass(frozen=True)
class Portal:
    """The address of a portal, and the token that it gave you, which is in no message and no `repr`.

    Args:
        address: `portal.example`, `portal.example:8443` or `https://portal.example/path`; a loopback address may do without
            encryption, another one with `http://` only if `allow_http`.

    Raises:
        RagBenchError: the address is none, or would send the token unencrypted.
    """

    address: str
    token: str = field(default="", repr=False)
    allow_http: bool = False
    retrying: Retrying = field(default_factory=Retrying)
    url: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _url(self.address, self.allow_http))

    def post(self, path: str, data: Mapping[str, str], file: tuple[str, str, bytes] | None = None) -> httpx2.Response:
        """The answer to a form.

        Args:
            path: `/submit/create`, …
            data: fields beside the token.
            file: field name, file name, content.

        Raises:
            Unreachable: no answer, or none that is not "busy", after the last attempt.
            Refused: it says no.
        """
        try:
            return self.retrying.call(lambda: self._once(path, data, file), _wait_for)
        except httpx2.HTTPStatusError as error:
            raise self._refused(error.response) from error
        except httpx2.HTTPError as error:
            what = str(error) or type(error).__name__
            raise Unreachable(f"the portal at {self.url} gives no answer: {self.clean(what)}; try again later") from error

    def ask(self, path: str, data: Mapping[str, str], file: tuple[str, str, bytes] | None = None) -> dict[str, Any]:
        """The same, for an answer that is a JSON object."""
        response = self.post(path, data, file)
        try:
            told = response.json()
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise Refused(
                f"{self.url}{path} answers no JSON object: {self._shown(response)}; is it a portal?", response.status_code
            )
        return told

    def _once(self, path: str, data: Mapping[str, str], file: tuple[str, str, bytes] | None) -> httpx2.Response:
        form = {**data, "token": self.token}
        files = {file[0]: (file[1], file[2], "application/json")} if file else None
        with httpx2.Client(timeout=SECONDS, follow_redirects=False) as client:  # a redirect would carry the token elsewhere
            response = client.post(f"{self.url}{path}", data=form, files=files)
        if not response.is_success:
            raise httpx2.HTTPStatusError("refused", request=response.request, response=response)
        return response

    def _refused(self, response: httpx2.Response) -> Unreachable:
        status = response.status_code
        if status in BUSY:
            return Unreachable(f"the portal at {self.url} is busy ({status}), at every attempt; try again later")
        if response.is_redirect:
            where = self.clean(response.headers.get("location", "nowhere"))
            return Refused(f"the portal at {self.url} sends to {where} ({status}); give the address that it moved to", status)
        why = {401: "the token is not accepted", 403: "the token may not do this", 404: "there is no portal at this address"}
        told = f" ({why[status]})" if status in why else ""
        return Refused(f"the portal at {self.url} says {status}{told}: {self._shown(response)}", status)

    def _shown(self, response: httpx2.Response) -> str:
        text = " ".join(printable(self.clean(response.text)).split())
        return text[:SHOWN] + "…" * (len(text) > SHOWN) or "nothing"

    def clean(self, text: str) -> str:
        """The text without the token."""
        return text.replace(self.token, "***") if self.token else text


def _wait_for(error: Exception) -> float | None:
    if isinstance(error, httpx2.HTTPStatusError):
        told = error.response.headers.get("retry-after", "")
        return (float(told) if told.isdecimal() else 0.0) if error.response.status_code in BUSY else None
    return 0.0 if isinstance(error, httpx2.TransportError) else None


def _url(address: str, allow_http: bool) -> str:
    scheme, separator, rest = address.strip().rpartition("://")
    host = host_of(rest)
    if not host or (separator and scheme not in ("http", "https")):
        raise RagBenchError(
            f"{address!r} is no address of a portal; give one like portal.example or https://portal.example:8443"
        )
    local = _is_loopback(host)
    if scheme == "http" and not local and not allow_http:
        raise RagBenchError(
            f"{address} would send the token unencrypted; use https://, or allow_http=True (--allow-http) in a closed network"
        )
    return f"{scheme or ('http' if local else 'https')}://{rest.rstrip('/')}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
