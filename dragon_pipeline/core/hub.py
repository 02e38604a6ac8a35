"""The port to where releases are published."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

Content = Path | bytes | None
"""A file of a commit: on disk (streamed), in memory, or None: as the parent has it."""
HUBS_OWN = ".gitattributes"
"""A file that a hub keeps in a repository for itself: never committed, never shown."""


class Hub(Protocol):
    """Where releases are published: repositories of files with a line of commits, and tags.

    Every method raises PublicationFailed, with a sentence, when the hub cannot be reached or refuses.
    """

    def head(self, dataset: str) -> str | None:
        """The newest commit; None when there is no such dataset."""
        ...

    def tags(self, dataset: str) -> dict[str, str]:
        """Tag → commit; empty for a dataset that does not exist yet."""
        ...

    def is_private(self, dataset: str) -> bool | None:
        """Whether not everybody may read it; None: no such dataset."""
        ...

    def commit(self, dataset: str, files: Mapping[str, Content], message: str, private: bool, parent: str | None) -> str:
        """Makes exactly these files the newest commit and returns it; `parent` itself when it holds just these.

        Args:
            private: who may read the dataset, which is made when there is none.
            parent: the newest commit as the caller knows it; None: no such dataset.

        Raises:
            PublicationConflict: `parent` is not the newest commit (any more). Nothing was committed.
            PublicationFailed: the dataset is there and its visibility is the other one.
        """
        ...

    def paths(self, dataset: str, revision: str) -> list[str]:
        """The files at a commit or tag.

        Raises:
            PublicationFailed: there is no such dataset or revision.
        """
        ...

    def digests(self, dataset: str, revision: str) -> dict[str, str]:
        """Path → SHA-256 of the bytes that the hub gives back, for every file at a commit or tag; streamed.

        Raises:
            PublicationFailed: there is no such dataset or revision.
        """
        ...

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        """The files at a commit or tag: all, or those of `paths` that are there.

        Raises:
            PublicationFailed: there is no such dataset or revision.
        """
        ...

    def fetch(self, dataset: str, revision: str, path: str, to: Path) -> None:
        """Downloads one file at a commit or tag; `to` is there, whole, or not at all.

        Raises:
            PublicationFailed: there is no such dataset, revision or file.
        """
        ...

    def tag(self, dataset: str, name: str, commit: str) -> None:
        """Names a commit; naming it again is no fault, a tag never moves.

        Raises:
            PublicationConflict: the tag names another commit.
            PublicationFailed: there is no such commit.
        """
        ...

    def examine(self) -> str:
        """Where it is and who publishes there, in a few words.

        Raises:
            PublicationFailed: it cannot be reached, or nothing can be published; says what to do.
        """
        ...
