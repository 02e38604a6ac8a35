"""What the hubs of this project share: a commit is named by its content."""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256


def commit_of(files: Mapping[str, bytes]) -> str:
    """40 hex digits over paths and contents: equal files, equal commit."""
    return sha256(json.dumps(sorted((path, sha256(content)) for path, content in files.items())).encode())[:40]


def check_paths(files: Mapping[str, bytes]) -> None:
    """Raises BadInput for a commit without files, or a path that leaves its repository."""
    if not files:
        raise BadInput("a commit needs at least one file")
    for path in files:
        parts = PurePosixPath(path).parts
        if not parts or PurePosixPath(path).is_absolute() or ".." in parts or str(PurePosixPath(path)) != path:
            raise BadInput(f"{path!r} is no path inside a repository")
