"""The port to where releases are published."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol


class Hub(Protocol):
    """Where releases are published: repositories of files with commits and tags."""

    def tags(self, dataset: str) -> dict[str, str]:
        """Tag → commit; empty for a dataset that does not exist yet."""
        ...

    def upload(self, dataset: str, files: dict[str, bytes], message: str, private: bool) -> str:
        """Writes exactly these files as the newest commit and returns it; equal content gives an equal commit."""
        ...

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        """The files at a commit or tag: all, or those of `paths` that are there.

        Raises:
            PublicationFailed: there is no such dataset or revision.
        """
        ...

    def tag(self, dataset: str, name: str, commit: str) -> None:
        """Names a commit; naming it again is no fault, a tag never moves.

        Raises:
            PublicationFailed: the tag names another commit, or there is no such commit.
        """
        ...

    def exclusive(self) -> AbstractContextManager[None]:
        """Held while publishing.

        Raises:
            PublicationFailed: another publisher holds it.
        """
        ...
