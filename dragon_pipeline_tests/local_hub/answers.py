"""What a request to a local Hub is, and what all answers share."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from dragon_pipeline_tests.local_hub.repositories import Commit, Repository

if TYPE_CHECKING:
    from dragon_pipeline_tests.local_hub.server import LocalHub

WRITE, READ = "hf_local_write", "hf_local_read"
"""tokens; the one may write to every namespace but `others`, the other read everything"""
HALF_BLIND = "hf_local_half_blind"
"""one that may write to every namespace but `others`, and sees no private repository"""
CLOSED = "others"


class Upload(NamedTuple):
    """A body that is read as it comes."""

    source: BinaryIO
    size: int


@dataclass
class Asked:
    hub: "LocalHub"
    token: str | None
    query: dict[str, list[str]]
    body: bytes | Upload
    headers: dict[str, str]
    parts: dict[str, str] = field(default_factory=dict)
    """of the address, unquoted"""

    @property
    def json(self) -> Any:
        assert isinstance(self.body, bytes)
        return json.loads(self.body)


@dataclass
class Answered:
    status: int
    body: Any = None
    """JSON, bytes, or a file of which `Content-Length` bytes are sent from `start`"""
    headers: dict[str, str] = field(default_factory=dict)
    start: int = 0


class Refused(Exception):
    def __init__(self, answer: Answered) -> None:
        self.answer = answer


def failed(status: int, message: str, code: str | None = None, **headers: str) -> Answered:
    told = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {}), **headers}
    return Answered(status, {"error": message}, told)


def repository(asked: Asked, writing: bool = False) -> Repository:
    """The one that is asked for.

    Raises:
        Refused: there is none, or the token does not reach so far: the real Hub does not say which.
    """
    if asked.token not in (None, WRITE, READ, HALF_BLIND):
        raise Refused(failed(401, "Invalid credentials in Authorization header"))
    found = asked.hub.repositories.get(asked.parts["name"])
    if found is None or (found.private and asked.token in (None, HALF_BLIND)):
        raise Refused(failed(404 if asked.token else 401, "Repository not found", "RepoNotFound"))
    if writing:
        may_write(asked, found.name.partition("/")[0])
    return found


def may_write(asked: Asked, namespace: str) -> None:
    if asked.token is None:
        raise Refused(failed(401, "Invalid username or password."))
    if asked.token not in (WRITE, HALF_BLIND) or namespace == CLOSED:
        raise Refused(failed(403, f"Forbidden: this token has no write access to {namespace}"))


def commit_of(asked: Asked, found: Repository) -> Commit:
    commit = found.find(asked.parts.get("revision") or "main")
    if commit is None:
        raise Refused(failed(404, f"Invalid rev id: {asked.parts['revision']}", "RevisionNotFound"))
    return commit
