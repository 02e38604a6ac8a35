"""What the hubs of this project share: rules for the files of a commit, and what a commit follows."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from dragon_pipeline.core.errors import BadInput, PublicationConflict, PublicationFailed
from dragon_pipeline.core.hub import HUBS_OWN
from dragon_pipeline.core.ids import sha256

NAME = re.compile(r"\w[\w.-]*")
"""of a namespace, dataset, tag or commit"""


def commit_id(parent: str | None, message: str, digests: Mapping[str, str]) -> str:
    """40 hex digits over what a commit is: equal ones on equal parents have equal names."""
    return sha256(json.dumps([parent, message, sorted(digests.items())]).encode())[:40]


def check_paths(paths: Iterable[str]) -> None:
    """Raises BadInput for a commit without files, or a path that leaves its repository or is the hub's own."""
    paths = list(paths)
    if not paths:
        raise BadInput("a commit needs at least one file")
    for path in paths:
        parts = PurePosixPath(path).parts
        if not parts or PurePosixPath(path).is_absolute() or ".." in parts or str(PurePosixPath(path)) != path:
            raise BadInput(f"{path!r} is no path inside a repository")
        if path == HUBS_OWN:
            raise BadInput(f"{path} is the hub's own file: leave it out of the commit")


def check_parent(dataset: str, newest: str | None, parent: str | None) -> None:
    """Raises PublicationConflict when a commit would not follow the newest one."""
    if newest != parent:
        raise PublicationConflict(
            f"{dataset}: another publisher has committed {newest or 'nothing'} where this one knew "
            f"{parent or 'of nothing'}; nothing was overwritten. See what is published, then publish again"
        )


def check_visibility(dataset: str, is_private: bool, private: bool) -> None:
    """Raises PublicationFailed for a dataset that others may read and must not, or the other way round."""
    if is_private != private:
        found, wanted = ("private", "public") if is_private else ("public", "private")
        raise PublicationFailed(
            f"{dataset} is {found} on the hub and must be {wanted}: nothing was committed. "
            f"Make it {wanted} there, or publish under another namespace"
        )


def moved(dataset: str, name: str, commit: str) -> PublicationConflict:
    """A tag that names another commit than is asked for."""
    return PublicationConflict(
        f"tag {name} of {dataset} names another commit than {commit}: another publisher has made that version, "
        "and a tag never moves. Publish again"
    )
