"""The port to where the files of releases lie between building and publishing."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class StoredFile:
    sha256: str
    """of its content; its name in the store"""
    bytes: int


class FileStore(Protocol):
    """Files named by their content: what has a name never changes, and what is there twice is there once."""

    def add(self, write: Callable[[Path], None]) -> StoredFile:
        """Keeps what `write` writes to the path it is given. A file is there whole, or not at all.

        Raises:
            OSError: a disk is full, or the store cannot be written.
        """
        ...

    def local(self, sha256: str) -> AbstractContextManager[Path]:
        """The file on a local disk: where it lies, or a copy that is gone afterwards. Not to be written to.

        Raises:
            PublicationFailed: the store has no such file, or one with other content.
        """
        ...

    def scratch(self) -> AbstractContextManager[Path]:
        """An empty local folder for what does not fit into memory; gone afterwards."""
        ...
