"""The fake hub for tests: hub.Hub in memory."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragon_pipeline.adapters.hub.commits import check_parent, check_paths, check_visibility, commit_id, moved
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Content
from dragon_pipeline.core.ids import sha256


@dataclass
class _Repository:
    private: bool
    head: str
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)


class MemoryHub:
    """Implements hub.Hub; gone with the process."""

    def __init__(self) -> None:
        self._repositories: dict[str, _Repository] = {}
        self._lock = threading.Lock()

    def head(self, dataset: str) -> str | None:
        found = self._repositories.get(dataset)
        return found.head if found else None

    def tags(self, dataset: str) -> dict[str, str]:
        found = self._repositories.get(dataset)
        return dict(found.tags) if found else {}

    def is_private(self, dataset: str) -> bool | None:
        found = self._repositories.get(dataset)
        return found.private if found else None

    def commit(self, dataset: str, files: Mapping[str, Content], message: str, private: bool, parent: str | None) -> str:
        check_paths(files)
        with self._lock:
            check_parent(dataset, self.head(dataset), parent)
            known = self._repositories.get(dataset)
            if known:
                check_visibility(dataset, known.private, private)
            before = known.commits[known.head] if known else {}
            written = {path: _bytes(dataset, path, content, before) for path, content in files.items()}
            if known and written == before:
                return known.head
            commit = commit_id(parent, message, {path: sha256(content) for path, content in written.items()})
            known = self._repositories.setdefault(dataset, _Repository(private, commit))
            known.head, known.commits[commit] = commit, written
            return commit

    def paths(self, dataset: str, revision: str) -> list[str]:
        return sorted(self.read(dataset, revision))

    def digests(self, dataset: str, revision: str) -> dict[str, str]:
        return {path: sha256(content) for path, content in self.read(dataset, revision).items()}

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        found = self._repositories.get(dataset)
        commit = found.tags.get(revision, revision) if found else None
        if not found or commit not in found.commits:
            raise PublicationFailed(f"the hub has no {dataset} at {revision}")
        return {path: content for path, content in found.commits[commit].items() if paths is None or path in paths}

    def fetch(self, dataset: str, revision: str, path: str, to: Path) -> None:
        found = self.read(dataset, revision, [path])
        if path not in found:
            raise PublicationFailed(f"the hub has no {path} in {dataset} at {revision}")
        to.write_bytes(found[path])

    def tag(self, dataset: str, name: str, commit: str) -> None:
        self.read(dataset, commit, [])
        with self._lock:
            if self._repositories[dataset].tags.setdefault(name, commit) != commit:
                raise moved(dataset, name, commit)

    def examine(self) -> str:
        return "in memory"


def _bytes(dataset: str, path: str, content: Content, before: Mapping[str, bytes]) -> bytes:
    if content is None and path not in before:
        raise BadInput(f"{dataset} has no {path} to keep")
    return before[path] if content is None else content.read_bytes() if isinstance(content, Path) else content
