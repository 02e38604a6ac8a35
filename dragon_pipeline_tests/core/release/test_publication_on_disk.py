"""Publishing to a folder, stopped at every single write."""

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS
from dragon_pipeline.core.settings import ReleaseSettings

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"


class Killed(BaseException):
    """Stands for SIGKILL: from here on, nothing reaches the disk."""


WRITES = {"os.mkdir", "os.rename", "os.symlink", "os.link", "os.remove", "os.rmdir", "os.chmod", "shutil.rmtree"}


class Killer:
    """Counts writes under a folder by audit events; from the n-th on, every one of them fails."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.left, self.seen = 0, 0
        self.fault: BaseException = Killed()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple) -> None:
        if self.root is None or not (event in WRITES or (event == "open" and _writes(args))):
            return
        if any(isinstance(arg, str | os.PathLike) and str(arg).startswith(self.root) for arg in args):
            self.seen += 1
            if self.left and self.seen >= self.left:
                raise self.fault

    @contextmanager
    def at(self, root: Path, step: int, fault: BaseException | None = None) -> Iterator[None]:
        """`step` 0 only counts."""
        self.root, self.left, self.seen, self.fault = str(root), step, 0, fault or Killed()
        try:
            yield
        finally:
            self.root = None


def _writes(args: tuple) -> bool:
    return bool(args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


@pytest.fixture(scope="module")
def killer() -> Killer:
    return Killer()


def tree(root: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for entry in sorted(root.rglob("*")):
        name = entry.relative_to(root).as_posix()
        found[name] = str(entry.readlink()) if entry.is_symlink() else entry.read_bytes() if entry.is_file() else None
    return found


@pytest.mark.parametrize(
    ("fault", "every"),
    [
        pytest.param(Killed(), 1, marks=pytest.mark.slow),
        (OSError(errno.ENOSPC, "No space left on device"), 5),
    ],
    ids=["killed", "disk full"],
)
def test_a_publication_stopped_at_any_write_is_healed_by_the_next(
    tmp_path, killer, release, other_release, fault, every, files
):
    expected = Killed if isinstance(fault, Killed) else PublicationFailed
    publish(other_release, None, TODAY, FolderHub(tmp_path, "before"), files, SETTINGS)
    before = tree(tmp_path / "before")
    shutil.copytree(tmp_path / "before", tmp_path / "undisturbed", symlinks=True)
    with killer.at(tmp_path / "undisturbed", 0):
        publish(release, None, TODAY, FolderHub(tmp_path, "undisturbed"), files, SETTINGS)
    steps, undisturbed = killer.seen, tree(tmp_path / "undisturbed")
    assert steps > 40
    for step in range(1, steps + 1, every):
        root = tmp_path / f"stopped-{step}"
        shutil.copytree(tmp_path / "before", root, symlinks=True)
        hub = FolderHub(tmp_path, root.name)
        with pytest.raises(expected), killer.at(root, step, fault):
            publish(release, None, TODAY, hub, files, SETTINGS)
        stopped = tree(root)
        assert stopped.items() >= {name: at for name, at in before.items() if "commits/" in name or "tags/" in name}.items()
        assert versions.latest(hub) == "1.0.0" or all("1.1.0" in hub.tags(dataset) for dataset in DATASETS)
        publish(release, None, TODAY, hub, files, SETTINGS)
        assert tree(root) == undisturbed, f"stopped at write {step} of {steps}"
        shutil.rmtree(root)
