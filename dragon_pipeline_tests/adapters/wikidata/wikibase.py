"""A local Wikibase: /w/api.php with the two actions that are used, answering like Wikidata's, and badly when told to."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from dragon_pipeline.adapters.wikidata.api import WikidataApi
from dragon_pipeline.core.ports import Entity
from dragon_pipeline.core.settings import WikidataSettings

TODAY = date(2026, 11, 30)
CONTACT = "bench@example.org"
BATCH = 50
SEE = "See https://www.wikidata.org/w/api.php for API usage."


@dataclass(frozen=True)
class Reply:
    """One HTTP answer: `body` is JSON unless it is bytes."""

    body: dict | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json; charset=utf-8"
    delay: float = 0.0
    """seconds before it is given"""
    cut: int = 0
    """bytes that are announced and not sent"""


def error(code: str, info: str, retry_after: str | None = None, **more: object) -> Reply:
    headers = {"MediaWiki-API-Error": code} | ({"Retry-After": retry_after} if retry_after else {})
    return Reply({"error": {"code": code, "info": info, **more, "*": SEE}, "servedby": "mw1280"}, headers=headers)


def lagged(retry_after: str | None = "1") -> Reply:
    told = {"host": "all", "lag": 3.45, "type": "wikibase-queryservice", "queryserviceLag": 626}
    return error("maxlag", "Waiting for all: 3.45 seconds lagged.", retry_after, **told)


def statement(subject: str, name: str, value: str | None, rank: str = "normal", snaktype: str = "value") -> dict:
    """With an id of its own; `value`: an item, a property, or a string, which is no item."""
    snak: dict[str, Any] = {"snaktype": snaktype, "property": name, "hash": "0"}
    if snaktype == "value":
        kind = {"Q": "item", "P": "property"}.get((value or "")[:1])
        entity = {"entity-type": kind, "numeric-id": int(value[1:]), "id": value} if kind and value else None
        snak["datavalue"] = {"value": entity or value, "type": "wikibase-entityid" if entity else "string"}
    identifier = f"{subject}${name}-{value or snaktype}-{rank}"
    return {"mainsnak": snak, "type": "statement", "id": identifier, "rank": rank, "references": []}


def entity(wikidata_id: str, *names: str, statements: tuple[dict, ...] = (), sitelinks: int = 0, **more: Any) -> dict:
    """The label first, aliases behind it; `more`: description, language, lastrevid, mul (a label)."""
    language = more.get("language", "ru")
    text = lambda value: {"language": language, "value": value}  # noqa: E731
    claims: dict[str, list[dict]] = {}
    for one in statements:
        claims.setdefault(one["mainsnak"]["property"], []).append(one)
    made = {
        "pageid": 138, "ns": 0, "title": wikidata_id, "lastrevid": more.get("lastrevid", 1000 + int(wikidata_id[1:])),
        "modified": "2026-11-01T00:11:48Z", "id": wikidata_id, "type": "item" if wikidata_id.startswith("Q") else "property",
        "labels": {language: text(names[0])} if names else {},
        "descriptions": {language: text(more["description"])} if "description" in more else {},
        "aliases": {language: [text(name) for name in names[1:]]} if names[1:] else {},
        "claims": claims,
    }  # fmt: skip
    if "mul" in more:
        made["labels"]["mul"] = {"language": "mul", "value": more["mul"]}
    if wikidata_id.startswith("Q"):
        made["sitelinks"] = {f"w{number}wiki": {"site": f"w{number}wiki", "title": "x"} for number in range(sitelinks)}
    return made


class WikibaseServer:
    """Serves until it is closed.

    Attributes:
        entities: what it knows, id → JSON.
        redirects: id → id.
        script: replies given before any other, one a request.
        asked: parameters of every request so far, with `user-agent` and `method` among them.
        at: when they came, in seconds.
    """

    def __init__(self, entities: list[dict] | None = None) -> None:
        self.entities = {one["id"]: one for one in entities or []}
        self.redirects: dict[str, str] = {}
        self.script: deque[Reply] = deque()
        self.asked: list[dict[str, str]] = []
        self.at: list[float] = []
        self.closed = False
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/w/api.php"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Connections that are open are not answered any more. Closing again is no fault."""
        if self.closed:
            return
        self.closed = True
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, asked: dict[str, str]) -> Reply:
        self.asked.append(asked)
        self.at.append(time.monotonic())
        if self.script:
            return self.script.popleft()
        actions: dict[str, Callable[[dict[str, str]], Reply]] = {"wbsearchentities": self._search, "wbgetentities": self._get}
        action = actions.get(asked.get("action", ""))
        return action(asked) if action else error("badvalue", f"Unrecognized value for parameter: {asked.get('action')}")

    def _search(self, asked: dict[str, str]) -> Reply:
        term, language, found = _folded(asked["search"]), asked["language"], []
        for one in self.entities.values():
            named = [(name, kind) for name, kind in _named(one, language) if _folded(name).startswith(term)]
            if one["type"] == asked["type"] and named:
                text, kind = named[0]
                match = {"type": kind, "language": language, "text": text}
                found.append({"id": one["id"], "title": one["id"], "label": text, "match": match})
        told = found[: int(asked["limit"])]
        more = {"search-continue": len(told)} if len(found) > len(told) else {}
        return Reply({"searchinfo": {"search": asked["search"]}, "search": told, **more, "success": 1})

    def _get(self, asked: dict[str, str]) -> Reply:
        ids = asked["ids"].split("|")
        if len(ids) > BATCH:
            return error("toomanyvalues", f'Too many values supplied for parameter "ids". The limit is {BATCH}.')
        for one in ids:
            if not (one[:1] in "QP" and one[1:].isdecimal() and 0 < int(one[1:]) < 2**31):
                return error("no-such-entity", f"Could not find such an entity (Invalid id: {one})", id=one)
        return Reply({"entities": {one: self._entity(one, asked) for one in ids}, "success": 1})

    def _entity(self, wikidata_id: str, asked: dict[str, str]) -> dict:
        target = self.redirects.get(wikidata_id, wikidata_id)
        if target not in self.entities:
            return {"id": wikidata_id, "missing": ""}
        props, languages = asked["props"].split("|"), asked["languages"].split("|")
        known = self.entities[target]
        kept = {name: known[name] for name in ("id", "type")}
        if "info" in props:
            kept |= {name: known[name] for name in ("pageid", "ns", "title", "lastrevid", "modified")}
        for name in ("labels", "descriptions", "aliases"):
            if name in props:
                kept[name] = {code: text for code, text in known[name].items() if code in languages} or []
        for name in ("claims", "sitelinks"):
            if name in props and name in known:
                kept[name] = known[name] or []
        return kept | ({"redirects": {"from": wikidata_id, "to": target}} if target != wikidata_id else {})


def _folded(text: str) -> str:
    return " ".join(text.lower().replace("ё", "е").split())


def _named(one: dict, language: str) -> Iterator[tuple[str, str]]:
    for code in (language, "mul"):
        if code in one["labels"]:
            yield one["labels"][code]["value"], "label"
        for alias in one["aliases"].get(code, ()):
            yield alias["value"], "alias"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


def _handler(server: WikibaseServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: the kernel would hold the second back for 40 ms

        def log_message(self, format: str, *args: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            posted = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            path = urlsplit(self.path)
            asked = dict(parse_qsl(path.query, keep_blank_values=True) + parse_qsl(posted, keep_blank_values=True))
            told = {"method": self.command, "path": path.path, "user-agent": self.headers.get("User-Agent", "")}
            if server.closed:
                self.close_connection = True
                return
            reply = server.reply(asked | told)
            time.sleep(reply.delay)
            with suppress(ConnectionError):
                self._send(reply)

        do_POST = do_GET

        def _send(self, reply: Reply) -> None:
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body, ensure_ascii=False).encode()
            self.send_response(reply.status)
            sent = {"Content-Type": reply.content_type, "Content-Length": str(len(body) + reply.cut), **reply.headers}
            for name, value in sent.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = bool(reply.cut) or self.close_connection

    return Handler


def open_api(url: str, folder: Path, today: date = TODAY, **settings: Any) -> WikidataApi:
    made = WikidataSettings.model_validate({"source": "api", "api": url, "contact": CONTACT, "patience": 0.5} | settings)
    return WikidataApi(made, "ru", folder, lambda: today)


def ids(found: Sequence[Sequence[Entity]]) -> list[list[str]]:
    return [[one.wikidata_id for one in of_name] for of_name in found]
