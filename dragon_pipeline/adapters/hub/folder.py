"""The embedded hub: a folder that `datasets.load_dataset` reads.

    <root>/<namespace>/<dataset>/
        README.md, manifest.json, data/     links to the newest version, for load_dataset("<root>/<namespace>/<dataset>")
        current -> commits/<commit>         what they link through; replaced in one step
        tags/<version> -> ../commits/<commit>      load_dataset("…/<dataset>/tags/<version>") reads an older one
        head -> commits/<commit>            the newest commit; a version that is still being published is not shown
        commits/<commit>/                   every commit, whole; never changed. Files that two of them share are one on disk

The card's `configs` keep commits/ and tags/ out of the newest version's data files. Private datasets are mode 0700.
"""

import fcntl
import filecmp
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from dragon_pipeline.adapters.hub.commits import NAME, check_parent, check_paths, check_visibility, commit_id, moved
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Content

UNFINISHED = ".new-"
LOCK = ".lock"
CARD = "README.md"
OWN = frozenset({"commits", "tags", "current", "head"})
PIECE = 1 << 20
"""bytes read at a time"""


class FolderHub:
    """Implements hub.Hub. Killed at any point, it shows what it showed before, or the whole of what was asked."""

    def __init__(self, root: Path, namespace: str) -> None:
        self._root = Path(root).absolute() / _checked(namespace)

    def location(self, dataset: str) -> Path:
        """What `datasets.load_dataset` takes for the newest version."""
        return self._root / _checked(dataset)

    def head(self, dataset: str) -> str | None:
        link = self.location(dataset) / "head"
        return link.readlink().name if link.is_symlink() else None

    def tags(self, dataset: str) -> dict[str, str]:
        folder = self.location(dataset) / "tags"
        if not folder.is_dir():
            return {}
        links = sorted(entry for entry in folder.iterdir() if entry.is_symlink() and not entry.name.startswith(UNFINISHED))
        return {link.name: link.readlink().name for link in links}

    def is_private(self, dataset: str) -> bool | None:
        return _is_private(self.location(dataset)) if self.location(dataset).is_dir() else None

    def commit(self, dataset: str, files: Mapping[str, Content], message: str, private: bool, parent: str | None) -> str:
        check_paths(files)
        if taken := OWN & {path.split("/")[0] for path in files}:
            raise BadInput(f"{', '.join(sorted(taken))}: the folder hub needs these names for itself")
        folder, mode = self.location(dataset), 0o700 if private else 0o755
        with self._said():
            folder.parent.mkdir(parents=True, exist_ok=True)
            _refuse_strange(folder)
            folder.mkdir(mode=mode, exist_ok=True)
            (folder / "commits").mkdir(exist_ok=True)
            with _locked(folder):
                check_parent(dataset, self.head(dataset), parent)
                if parent is None:
                    folder.chmod(mode)
                check_visibility(dataset, _is_private(folder), private)
                commit = _write_commit(folder, files, message, parent)
                _link(folder / "head", Path("commits", commit))
                self._show_newest(dataset)
        return commit

    def paths(self, dataset: str, revision: str) -> list[str]:
        return sorted(_files(self._at(dataset, revision)))

    def digests(self, dataset: str, revision: str) -> dict[str, str]:
        return {path: _digest(file) for path, file in _files(self._at(dataset, revision)).items()}

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        found = _files(self._at(dataset, revision))
        return {path: file.read_bytes() for path, file in found.items() if paths is None or path in paths}

    def fetch(self, dataset: str, revision: str, path: str, to: Path) -> None:
        found = _files(self._at(dataset, revision))
        if path not in found:
            raise PublicationFailed(f"the hub at {self._root} has no {path} in {dataset} at {revision}")
        half = to.with_name(f"{UNFINISHED}{to.name}")
        shutil.copyfile(found[path], half)
        half.replace(to)

    def tag(self, dataset: str, name: str, commit: str) -> None:
        self._at(dataset, commit)
        folder = self.location(dataset)
        with self._said(), _locked(folder):
            if self.tags(dataset).get(_checked(name), commit) != commit:
                raise moved(dataset, name, commit)
            (folder / "tags").mkdir(exist_ok=True)
            if name not in self.tags(dataset):
                (folder / "tags" / name).symlink_to(Path("..", "commits", commit))
                _sync(folder / "tags")
            self._show_newest(dataset)

    def examine(self) -> str:
        there = next(path for path in (self._root, *self._root.parents) if path.exists())
        if not os.access(there, os.W_OK):
            raise PublicationFailed(f"{there} cannot be written: nothing can be published to {self._root}. Give access to it")
        return f"{self._root}, written to"

    def _at(self, dataset: str, revision: str) -> Path:
        """The folder of a commit or tag."""
        commit = self.tags(dataset).get(revision, revision)
        kept = self.location(dataset) / "commits" / commit
        if not NAME.fullmatch(commit) or not kept.is_dir():
            raise PublicationFailed(f"the hub at {self._root} has no {dataset} at {revision}")
        return kept

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise PublicationFailed(
                f"cannot write to the hub in {self._root}: {error}; what was published is whole. Mend that and publish again"
            ) from error

    def _show_newest(self, dataset: str) -> None:
        """Makes the folder itself show the newest tag, by version, with the newest card about it.

        A run that was killed in here is healed by the next.
        """
        folder, tags, head = self.location(dataset), self.tags(dataset), self.head(dataset)
        if not tags:
            return
        commit = tags[max(tags, key=_order)]
        if head and _keeps(folder / "commits" / commit, folder / "commits" / head):
            commit = head
        _link(folder / "current", Path("commits", commit))
        shown = {entry.name for entry in (folder / "commits" / commit).iterdir()}
        for name in sorted(shown):
            _link(folder / name, Path("current", name))
        for entry in folder.iterdir():
            if entry.is_symlink() and not entry.exists() and entry.name not in shown:
                entry.unlink()


def _is_private(folder: Path) -> bool:
    return not stat.S_IMODE(folder.stat().st_mode) & 0o077


def _refuse_strange(folder: Path) -> None:
    """Raises PublicationFailed for a folder that other software filled, or a copy without links: it is not written over."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    strange = [entry.name for entry in entries if not entry.is_symlink() and entry.name not in OWN and entry.name[0] != "."]
    if strange:
        raise PublicationFailed(
            f"{folder} holds {strange[0]}, which this hub did not put there: nothing was written. Move it away, or publish "
            "under another namespace; a copied hub needs its links (cp -a)"
        )


def _write_commit(folder: Path, files: Mapping[str, Content], message: str, parent: str | None) -> str:
    """Adds a commit, and returns its name."""
    commits = folder / "commits"
    for left in commits.glob(f"{UNFINISHED}*"):
        shutil.rmtree(left)
    before = _files(commits / parent) if parent else {}
    kept = {path for path, content in files.items() if _is_same(before.get(path), content, path, folder.name)}
    if parent and kept == before.keys() == files.keys():
        return parent
    fresh = commits / f"{UNFINISHED}commit"
    fresh.mkdir()
    for path, content in files.items():
        (fresh / path).parent.mkdir(parents=True, exist_ok=True)
        _share(before[path], fresh / path) if path in kept else _write(fresh / path, content)
    name = commit_id(parent, message, {path: _digest(fresh / path) for path in files})
    if (commits / name).exists():  # by a run that was killed before it could say so
        shutil.rmtree(fresh)
    else:
        _sync_folders(fresh)
        fresh.rename(commits / name)
        _sync(commits)
    return name


def _is_same(kept: Path | None, content: Content, path: str, dataset: str) -> bool:
    """The parent has this file already."""
    if content is None and kept is None:
        raise BadInput(f"{dataset} has no {path} to keep")
    if kept is None or content is None:
        return kept is not None
    if isinstance(content, Path):
        return filecmp.cmp(kept, content, shallow=False)
    return kept.stat().st_size == len(content) and kept.read_bytes() == content


def _keeps(older: Path, newer: Path) -> bool:
    """The newer commit has all that the older one has, but for the card."""
    found = _files(newer)
    return all(
        path in found and (file.samefile(found[path]) or filecmp.cmp(file, found[path], shallow=False))
        for path, file in _files(older).items()
        if path != CARD
    )


def _files(commit: Path) -> dict[str, Path]:
    return {file.relative_to(commit).as_posix(): file for file in sorted(commit.rglob("*")) if file.is_file()}


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Held while a dataset changes; the lock of a publisher that was killed is gone with it."""
    with (folder / "commits" / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise BadInput(f"{name!r} cannot name a namespace, dataset or tag: letters, digits, '.', '_' and '-' only")
    return name


def _order(tag: str) -> tuple[list[int], str]:
    return [int(number) for number in re.findall(r"\d+", tag)], tag


def _share(kept: Path, path: Path) -> None:
    """The same file under another name, or a copy where the disk knows no hard links."""
    try:
        path.hardlink_to(kept)
    except OSError:
        shutil.copyfile(kept, path)


def _write(path: Path, content: Content) -> None:
    with path.open("wb") as file:
        if isinstance(content, Path):
            with content.open("rb") as source:
                shutil.copyfileobj(source, file, PIECE)
        elif content is not None:
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
