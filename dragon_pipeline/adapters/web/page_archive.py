"""Raw pages as they were fetched, append-only: what the web loses or rewrites stays.

One file per content, `<outlet>/<day>/<hash of the URL>.<fetch>.page.gz`: a line of JSON about the fetch, then the body.
Fetch times live here alone, so that tables made from the archive are the same bytes whenever they are made.
"""

import gzip
import json
import os
import tempfile
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from dragon_pipeline.core.ids import content_id, sha256

SUFFIX = ".page.gz"
TEMPORARY = ".tmp"


@dataclass(frozen=True)
class KeptPage:
    """One content of one URL."""

    url: str
    fetch: int
    """0 for the first distinct content kept for that day, 1 for the next, …"""
    body: bytes
    content_type: str
    """the Content-Type header"""
    raw_hash: str
    fetched_at: str


@dataclass(frozen=True)
class Fetched:
    """A page fresh from the web."""

    url: str
    body: bytes
    content_type: str
    fetched_at: datetime


class PageArchive:
    """All raw pages below a folder. One process writes at a time (the home is locked by the caller)."""

    def __init__(self, root: Path):
        self.root = root

    def shelf(self, outlet: str, day: date) -> "Shelf":
        return Shelf(self.root / outlet / day.isoformat())


class Shelf:
    """One outlet's pages of one day."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._hashes: dict[str, list[str]] = {}
        for torn in folder.glob(f".*{TEMPORARY}"):
            torn.unlink()
        for page in self.pages():
            self._hashes.setdefault(page.url, []).append(page.raw_hash)

    def pages(self) -> list[KeptPage]:
        """Everything kept, by URL and fetch."""
        found = [_read(path) for path in self.folder.glob(f"*{SUFFIX}")]
        return sorted(found, key=lambda page: (page.url, page.fetch))

    def urls(self) -> frozenset[str]:
        return frozenset(self._hashes)

    def keep(self, page: Fetched) -> bool:
        """Keeps a content that is not kept yet for its URL, whole or not at all; says whether it was new."""
        raw_hash = sha256(page.body)
        hashes = self._hashes.setdefault(page.url, [])
        if raw_hash in hashes:
            return False
        about = {
            "url": page.url,
            "fetch": len(hashes),
            "content_type": page.content_type,
            "raw_hash": raw_hash,
            "fetched_at": page.fetched_at.isoformat(),
        }
        content = json.dumps(about, ensure_ascii=False, sort_keys=True).encode() + b"\n" + page.body
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self.folder / f"{content_id(page.url)}.{len(hashes)}{SUFFIX}", gzip.compress(content, mtime=0))
        hashes.append(raw_hash)
        return True


def _read(path: Path) -> KeptPage:
    about, _, body = gzip.decompress(path.read_bytes()).partition(b"\n")
    return KeptPage(**json.loads(about), body=body)


def _write(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=TEMPORARY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)  # noqa: PTH105  (atomic, and the temporary name is a string)
    except OSError as error:  # a full disk does not name one
        Path(name).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
