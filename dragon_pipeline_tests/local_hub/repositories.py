"""What a local Hub holds: blobs on disk, and dataset repositories with one branch and tags."""

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

PIECE = 1 << 20
ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"


@dataclass(frozen=True)
class Blob:
    sha256: str
    git: str
    """the name that git has for it"""
    size: int
    lfs: bool

    @property
    def etag(self) -> str:
        return self.sha256 if self.lfs else self.git

    def told(self, path: str) -> dict[str, object]:
        """As the tree of a commit shows it."""
        entry: dict[str, object] = {"type": "file", "path": path, "size": self.size, "oid": self.git}
        return entry | ({"lfs": {"oid": self.sha256, "size": self.size, "pointerSize": 132}} if self.lfs else {})


class Blobs:
    """Contents by their SHA-256 in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, sha256: str) -> Path:
        return self._folder / sha256

    def keep(self, content: bytes, lfs: bool = False) -> Blob:
        blob = Blob(hashlib.sha256(content).hexdigest(), _git(content), len(content), lfs)
        self.path(blob.sha256).write_bytes(content)
        return blob

    def receive(self, sha256: str, source: BinaryIO, size: int) -> bool:
        """Streams an upload to disk; whether it is what its name says."""
        digest, half = hashlib.sha256(), self._folder / f"{sha256}.{threading.get_ident()}"
        with half.open("wb") as file:
            while size > 0 and (piece := source.read(min(size, PIECE))):
                digest.update(piece)
                file.write(piece)
                size -= len(piece)
        whole = digest.hexdigest() == sha256
        half.replace(self.path(sha256)) if whole else half.unlink()
        return whole

    def names(self) -> set[str]:
        return {path.name for path in self._folder.iterdir() if path.is_file()}

    def forget(self, names: set[str]) -> None:
        for name in names:
            self.path(name).unlink()

    def large(self, sha256: str, size: int) -> Blob:
        """One that was uploaded before: in git there is a pointer."""
        return Blob(sha256, _git(sha256.encode()), size, lfs=True)


@dataclass(frozen=True)
class Commit:
    id: str
    parent: str | None
    files: Mapping[str, Blob]
    title: str
    message: str


@dataclass
class Repository:
    name: str
    private: bool
    head: str = ""
    commits: dict[str, Commit] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def add(self, files: Mapping[str, Blob], title: str, message: str = "") -> Commit:
        """A commit on the head; equal ones on equal parents have equal names, so that histories can be compared."""
        named = [self.name, self.head, title, sorted((path, blob.sha256) for path, blob in files.items())]
        commit = Commit(hashlib.sha1(json.dumps(named).encode()).hexdigest(), self.head or None, dict(files), title, message)
        self.commits[commit.id] = commit
        self.head = commit.id
        return commit

    def find(self, revision: str) -> Commit | None:
        name = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        return self.commits.get(self.head if name == "main" else self.tags.get(name, name))

    def history(self, commit: Commit) -> list[Commit]:
        """Newest first."""
        found = [commit]
        while parent := found[-1].parent:
            found.append(self.commits[parent])
        return found


def _git(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
