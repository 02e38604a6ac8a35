"""Files as the Hub gives them out: streamed, past every cache; and whether it holds one already."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from huggingface_hub import HfApi, RepoFile, hf_hub_url
from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

from dragon_pipeline.core.hub import Content

PIECE = 1 << 20
"""bytes read at a time"""
T = TypeVar("T")


def download(api: HfApi, repository: str, revision: str, path: str, take: Callable[[Iterable[bytes]], T]) -> T:
    """What `take` makes of the pieces of a file."""
    url = hf_hub_url(repository, path, repo_type="dataset", revision=revision, endpoint=api.endpoint)
    with get_session().stream("GET", url, headers=build_hf_headers(token=api.token)) as response:
        if response.is_error:
            response.read()
        hf_raise_for_status(response)
        return take(response.iter_bytes(PIECE))


def digest(pieces: Iterable[bytes]) -> str:
    """SHA-256."""
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()


def write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        for piece in pieces:
            file.write(piece)


def is_same(known: RepoFile | None, content: Path | bytes) -> bool:
    """The Hub holds this content: by SHA-256 of a large file, by the name that git gives to a small one."""
    size = content.stat().st_size if isinstance(content, Path) else len(content)
    if known is None or known.size != size:
        return False
    with _pieces(content) as pieces:
        if known.lfs:
            return digest(pieces) == known.lfs.sha256
        named = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        for piece in pieces:
            named.update(piece)
        return named.hexdigest() == known.blob_id


def is_held(found: dict[str, RepoFile], files: dict[str, Content], before: dict[str, RepoFile]) -> bool:
    """A commit has exactly these files, those that are kept being as they were before."""
    if found.keys() != files.keys():
        return False
    return all(
        found[path].blob_id == before[path].blob_id if content is None else is_same(found[path], content)
        for path, content in files.items()
    )


@contextmanager
def _pieces(content: Path | bytes) -> Iterator[Iterable[bytes]]:
    if isinstance(content, bytes):
        yield [content]
        return
    with content.open("rb") as file:
        yield iter(lambda: file.read(PIECE), b"")
