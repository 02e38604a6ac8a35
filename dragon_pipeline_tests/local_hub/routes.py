"""The addresses of a local Hub, and what answers there."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from dragon_pipeline_tests.local_hub import reading, writing
from dragon_pipeline_tests.local_hub.answers import Answered, Asked, Refused

REPOSITORY = r"(?P<name>[^/]+/[^/]+)"


@dataclass(frozen=True)
class Route:
    name: str
    methods: frozenset[str]
    address: re.Pattern[str]
    answer: Callable[[Asked], Answered]
    parts: dict[str, str] = field(default_factory=dict)

    def act(self, asked: Asked) -> Answered:
        asked.parts = self.parts
        with asked.hub.lock:
            try:
                return self.answer(asked)
            except Refused as refused:
                return refused.answer


def find(method: str, path: str) -> Route | None:
    for route in ROUTES:
        if method in route.methods and (found := route.address.fullmatch(path)):
            parts = {name: unquote(part) for name, part in found.groupdict(default="").items()}
            return Route(route.name, route.methods, route.address, route.answer, parts)
    return None


def _routes() -> Iterable[Route]:
    api = rf"/api/datasets/{REPOSITORY}"
    at = r"(?:/(?P<revision>[^/]+))"
    inside = r"(?:/(?P<path>.*))?"
    for name, methods, address, answer in (
        ("whoami", "GET", "/api/whoami-v2", reading.whoami),
        ("validate", "POST", "/api/validate-yaml", writing.validate),
        ("create", "POST", "/api/repos/create", writing.create),
        ("info", "GET", api, reading.info),
        ("info", "GET", rf"{api}/revision{at}", reading.info),
        ("refs", "GET", rf"{api}/refs", reading.refs),
        ("tree", "GET", rf"{api}/tree{at}{inside}", reading.tree),
        ("paths_info", "POST", rf"{api}/paths-info{at}", reading.paths_info),
        ("commits", "GET", rf"{api}/commits{at}", reading.commits),
        ("preupload", "POST", rf"{api}/preupload{at}", writing.preupload),
        ("batch", "POST", rf"/datasets/{REPOSITORY}\.git/info/lfs/objects/batch", writing.batch),
        ("upload", "PUT", r"/lfs/(?P<sha256>[0-9a-f]{64})", writing.upload),
        ("commit", "POST", rf"{api}/commit{at}", writing.commit),
        ("tag", "POST", rf"{api}/tag{at}", writing.tag),
        ("resolve", "GET HEAD", rf"/datasets/{REPOSITORY}/resolve{at}/(?P<path>.+)", reading.resolve),
    ):
        yield Route(name, frozenset(methods.split()), re.compile(address), answer)


ROUTES = tuple(_routes())
