"""The sandbox: four datasets like those of a release, with public gold, to show the benchmark and to try systems on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.hub import Content, Hub
from dragon_pipeline.core.release.opening import opened
from dragon_pipeline.core.release.versions import releases

PREFIX = "sandbox_"


@dataclass(frozen=True)
class SandboxHub:
    """A hub in which every dataset is the sandbox's of that name, and public. Its versions are its own."""

    hub: Hub

    def head(self, dataset: str) -> str | None:
        return self.hub.head(PREFIX + dataset)

    def tags(self, dataset: str) -> dict[str, str]:
        return self.hub.tags(PREFIX + dataset)

    def is_private(self, dataset: str) -> bool | None:
        return self.hub.is_private(PREFIX + dataset)

    def commit(self, dataset: str, files: Mapping[str, Content], message: str, private: bool, parent: str | None) -> str:
        return self.hub.commit(PREFIX + dataset, files, message, False, parent)

    def paths(self, dataset: str, revision: str) -> list[str]:
        return self.hub.paths(PREFIX + dataset, revision)

    def digests(self, dataset: str, revision: str) -> dict[str, str]:
        return self.hub.digests(PREFIX + dataset, revision)

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        return self.hub.read(PREFIX + dataset, revision, paths)

    def fetch(self, dataset: str, revision: str, path: str, to: Path) -> None:
        self.hub.fetch(PREFIX + dataset, revision, path, to)

    def tag(self, dataset: str, name: str, commit: str) -> None:
        self.hub.tag(PREFIX + dataset, name, commit)

    def examine(self) -> str:
        return self.hub.examine()


def closed_version(hub: Hub, day: str) -> str | None:
    """A version of the day whose answers a sandbox would give away: published, not withdrawn and not open."""
    open_already = opened(hub)
    found = [one for one in releases(hub) if one.day == day and one.withdrawn is None and one.version not in open_already]
    return found[-1].version if found else None


def refuse_closed(hub: Hub, day: str) -> None:
    """Raises BadInput when the day has a version that is still closed, or may get one: it is newer than every published day."""
    if version := closed_version(hub, day):
        raise BadInput(
            f"{day} is version {version}, which is not open: a sandbox of that day would give its answers away. Open it first "
            f"(dragon release open {version}), or take another day"
        )
    newest = max((one.day for one in releases(hub)), default=None)
    if newest is None or day > newest:
        raise BadInput(
            f"{day} may still be published: no version of that day or a later one is on the hub, and a sandbox would give its "
            "answers away beforehand. Take a day before the newest version's"
        )
