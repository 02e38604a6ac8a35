"""Files of releases in a folder or on S3, each named by its SHA-256."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from upath import UPath

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release.files import StoredFile

BLOCK = 1 << 20


class ReleaseFiles:
    """Implements release.files.FileStore under <root>/<two digits>/<sha256>.

    A killed run leaves at most `.<sha256>` in a folder, which the next one writes over.
    """

    def __init__(self, root: UPath) -> None:
        self._root = root

    def add(self, write: Callable[[Path], None]) -> StoredFile:
        with self.scratch() as folder:
            made = folder / "file"
            write(made)
            stored = StoredFile(_sha256(made), made.stat().st_size)
            path = self._path(stored.sha256)
            if not path.exists() or path.stat().st_size != stored.bytes:
                path.parent.mkdir(parents=True, exist_ok=True)
                if self._local:
                    _move(made, Path(path.path))
                else:  # an object is there once its upload is complete
                    with made.open("rb") as source, path.open("wb") as target:
                        shutil.copyfileobj(source, target, BLOCK)
        return stored

    @contextmanager
    def local(self, sha256: str) -> Iterator[Path]:
        path = self._path(sha256)
        if self._local:
            yield _checked(Path(path.path), sha256)
            return
        with self.scratch() as folder:
            copy = folder / sha256
            if path.exists():
                with path.open("rb") as source, copy.open("wb") as target:
                    shutil.copyfileobj(source, target, BLOCK)
            yield _checked(copy, sha256)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        with TemporaryDirectory(prefix="dragon-release-") as folder:
            yield Path(folder)

    @property
    def _local(self) -> bool:
        return self._root.protocol in ("", "file")

    def _path(self, sha256: str) -> UPath:
        return self._root / sha256[:2] / sha256


def _checked(path: Path, sha256: str) -> Path:
    if not path.is_file():
        raise PublicationFailed(f"the file {sha256} of a release is not in the store any more: run `release` of that day again")
    if _sha256(path) != sha256:
        raise PublicationFailed(f"the file {sha256} of a release has other content ({path}): run `release` of that day again")
    return path


def _move(made: Path, path: Path) -> None:
    """All or nothing: written beside its place, then renamed.

    Raises:
        OSError: with the path in it, as a full disk does not name one.
    """
    fresh = path.with_name(f".{path.name}")
    try:
        with made.open("rb") as source, fresh.open("wb") as target:
            shutil.copyfileobj(source, target, BLOCK)
            target.flush()
            os.fsync(target.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
