"""The embedded hub: a folder that `datasets.load_dataset` reads.

    <root>/<namespace>/<dataset>/
        README.md, manifest.json, data/     links to the newest version, for load_dataset("<root>/<namespace>/<dataset>")
        current -> commits/<commit>         what they link through; replaced in one step
        tags/<version> -> ../commits/<commit>      load_dataset("…/<dataset>/tags/<version>") reads an older one
        commits/<commit>/                   every commit, whole; never changed

The card's `configs` keep commits/ and tags/ out of the newest version's data files. Private datasets are mode 0700.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dragon_pipeline.adapters.hub.commits import check_paths, commit_of
from dragon_pipeline.core.errors import BadInput, PublicationFailed

NAME = re.compile(r"\w[\w.-]*")
UNFINISHED = ".new-"
OWN = frozenset({"commits", "tags", "current"})


class FolderHub:
    """Implements hub.Hub. Killed at any point, it shows what it showed before, or the whole of what was asked."""

    def __init__(self, root: Path, namespace: str) -> None:
        self._root = Path(root).absolute() / _checked(namespace)

    def location(self, dataset: str) -> Path:
        """What `datasets.load_dataset` takes for the newest version."""
        return self._root / _checked(dataset)

    def tags(self, dataset: str) -> dict[str, str]:
        folder = self.location(dataset) / "tags"
        if not folder.is_dir():
            return {}
        names = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith(UNFINISHED))
        return {name: (folder / name).readlink().name for name in names}

    def upload(self, dataset: str, files: dict[str, bytes], message: str, private: bool) -> str:
        check_paths(files)
        if taken := OWN & {path.split("/")[0] for path in files}:
            raise BadInput(f"{', '.join(sorted(taken))}: the folder hub needs these names for itself")
        with self._said():
            return self._upload(dataset, files, private)

    def _upload(self, dataset: str, files: dict[str, bytes], private: bool) -> str:
        folder, commit = self.location(dataset), commit_of(files)
        _make_folder(folder, 0o700 if private else 0o755)
        (folder / "commits").mkdir(exist_ok=True)
        for left in (folder / "commits").glob(f"{UNFINISHED}*"):
            shutil.rmtree(left)
        kept = folder / "commits" / commit
        if not kept.exists():
            fresh = kept.with_name(f"{UNFINISHED}{commit}")
            for path, content in files.items():
                _write(fresh / path, content)
            _sync_folders(fresh)
            fresh.rename(kept)
            _sync(kept.parent)
        return commit

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        folder = self.location(dataset)
        commit = self.tags(dataset).get(revision, revision)
        kept = folder / "commits" / commit
        if not NAME.fullmatch(commit) or not kept.is_dir():
            raise PublicationFailed(f"the hub at {self._root} has no {dataset} at {revision}")
        found = {file.relative_to(kept).as_posix(): file for file in sorted(kept.rglob("*")) if file.is_file()}
        return {path: file.read_bytes() for path, file in found.items() if paths is None or path in paths}

    def tag(self, dataset: str, name: str, commit: str) -> None:
        self.read(dataset, commit, [])
        if self.tags(dataset).get(_checked(name), commit) != commit:
            raise PublicationFailed(f"tag {name} of {dataset} names another commit; a tag never moves")
        folder = self.location(dataset)
        with self._said():
            (folder / "tags").mkdir(exist_ok=True)
            if name not in self.tags(dataset):
                (folder / "tags" / name).symlink_to(Path("..", "commits", commit))
                _sync(folder / "tags")
            self._show_newest(folder, self.tags(dataset))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._said():
            self._root.mkdir(parents=True, exist_ok=True)
            lock = (self._root / ".lock").open("w")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise PublicationFailed(
                    f"another publisher is at work on {self._root}; wait for it and publish again"
                ) from error
            yield

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise PublicationFailed(
                f"cannot write to the hub in {self._root}: {error}; what was published is whole. Mend that and publish again"
            ) from error

    def _show_newest(self, folder: Path, tags: dict[str, str]) -> None:
        """Makes the folder itself show the newest tag, by version. A run that was killed in here is healed by the next."""
        commit = tags[max(tags, key=_order)]
        _link(folder / "current", Path("commits", commit))
        shown = {entry.name for entry in (folder / "commits" / commit).iterdir()}
        for name in sorted(shown):
            _link(folder / name, Path("current", name))
        for entry in folder.iterdir():
            if entry.is_symlink() and not entry.exists() and entry.name not in shown:
                entry.unlink()


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise BadInput(f"{name!r} cannot name a namespace, dataset or tag: letters, digits, '.', '_' and '-' only")
    return name


def _order(tag: str) -> tuple[list[int], str]:
    return [int(number) for number in re.findall(r"\d+", tag)], tag


def _make_folder(folder: Path, mode: int) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=mode, exist_ok=True)
    folder.chmod(mode)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _link(path: Path, target: Path) -> None:
    """A relative symbolic link, replaced in one step."""
    if path.is_symlink() and path.readlink() == target:
        return
    fresh = path.with_name(f"{UNFINISHED}{path.name}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(path)
    _sync(path.parent)


def _sync_folders(root: Path) -> None:
    for folder in [*(entry for entry in root.rglob("*") if entry.is_dir()), root]:
        _sync(folder)


def _sync(folder: Path) -> None:
    """Makes renames and new names in a folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
