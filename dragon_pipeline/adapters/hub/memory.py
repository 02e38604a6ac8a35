"""The fake hub for tests: hub.Hub in memory."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from dragon_pipeline.adapters.hub.commits import check_paths, commit_of
from dragon_pipeline.core.errors import PublicationFailed


@dataclass
class _Repository:
    private: bool
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)


class MemoryHub:
    """Implements hub.Hub; gone with the process."""

    def __init__(self) -> None:
        self._repositories: dict[str, _Repository] = {}
        self._lock = threading.Lock()

    def tags(self, dataset: str) -> dict[str, str]:
        found = self._repositories.get(dataset)
        return dict(found.tags) if found else {}

    def upload(self, dataset: str, files: dict[str, bytes], message: str, private: bool) -> str:
        check_paths(files)
        commit = commit_of(files)
        self._repositories.setdefault(dataset, _Repository(private)).commits.setdefault(commit, dict(files))
        return commit

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        found = self._repositories.get(dataset)
        commit = found.tags.get(revision, revision) if found else None
        if not found or commit not in found.commits:
            raise PublicationFailed(f"the hub has no {dataset} at {revision}")
        return {path: content for path, content in found.commits[commit].items() if paths is None or path in paths}

    def tag(self, dataset: str, name: str, commit: str) -> None:
        self.read(dataset, commit, [])
        if self._repositories[dataset].tags.setdefault(name, commit) != commit:
            raise PublicationFailed(f"tag {name} of {dataset} names another commit; a tag never moves")

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise PublicationFailed("another publisher is at work on this hub; wait for it and publish again")
        try:
            yield
        finally:
            self._lock.release()
