"""Raw pages as they were fetched, append-only: what the web loses or rewrites stays. Beside each lies what was read in it.

One file per content, `<outlet>/<day>/<hash of the URL>.<fetch>.page.gz`: a line of JSON about the fetch, then the body.
`….read.json` beside it is the article that was extracted, under the digest of the outlet that read it.
Fetch times live here alone, so that tables made from the archive are the same bytes whenever they are made.
"""

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import content_id, sha256

SUFFIX = ".page.gz"
READ = ".read.json"
TEMPORARY = ".tmp"
COMPRESSION = 4


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


@dataclass(frozen=True)
class Reading:
    """What an outlet's declaration found in one kept content."""

    url: str
    fetch: int
    raw_hash: str
    digest: str
    """`Outlet.digest` of the declaration and code that read it"""
    columns: dict[str, str | None]
    """of CRAWL, as `Page.columns` gives them"""


class PageArchive:
    """All raw pages below a folder. One process writes at a time (the home is locked by the caller).

    `forgotten`: pages that are neither asked for nor kept.
    `http_cache`: where answers that a site wants asked for with conditions are kept; without it nothing is.
    """

    def __init__(self, root: Path, http_cache: Path | None = None, forgotten: Forgotten | None = None):
        self.root = root
        self.http_cache = http_cache
        self.forgotten = forgotten or Forgotten(b"", lambda word: ())

    def shelf(self, outlet: str, day: date) -> "Shelf":
        """To be written to: half a page of a killed crawl is swept away."""
        folder = self.root / outlet / day.isoformat()
        for torn in folder.glob(f".*{TEMPORARY}"):
            torn.unlink()
        return Shelf(folder)

    def earlier(self, outlet: str, day: date, days: int) -> tuple["Shelf", ...]:
        """Those of so many days before, the latest first, to be read only."""
        return tuple(Shelf(self.root / outlet / (day - timedelta(days=back + 1)).isoformat()) for back in range(days))


class Shelf:
    """One outlet's pages of one day."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._hashes: dict[str, dict[int, str]] = {}
        """URL → fetch → hash; a content that was taken down leaves a gap"""
        for about in sorted(map(_about, folder.glob(f"*{SUFFIX}")), key=lambda about: about["fetch"]):
            self._hashes.setdefault(about["url"], {})[about["fetch"]] = about["raw_hash"]

    def pages(self) -> Iterator[KeptPage]:
        """Everything kept, by URL and fetch."""
        for url in sorted(self._hashes):
            for fetch in self._hashes[url]:
                yield self.page(url, fetch)

    def page(self, url: str, fetch: int) -> KeptPage:
        """One that is kept.

        Raises:
            BadInput: the disk has spoilt it.
        """
        path = self._path(url, fetch, SUFFIX)
        try:
            about, _, body = gzip.decompress(path.read_bytes()).partition(b"\n")
            return KeptPage(**json.loads(about), body=body)
        except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
            raise _spoilt(path, error) from error

    def urls(self) -> frozenset[str]:
        return frozenset(self._hashes)

    def latest(self, url: str) -> int | None:
        """The number of the content kept last for a URL."""
        return max(self._hashes.get(url, ()), default=None)

    def raw_hash(self, url: str, fetch: int) -> str:
        return self._hashes[url][fetch]

    def keep(self, page: Fetched) -> int | None:
        """Keeps a content that is not kept yet for its URL, whole or not at all; its number if it was new."""
        raw_hash = sha256(page.body)
        hashes = self._hashes.setdefault(page.url, {})
        if raw_hash in hashes.values():
            return None
        fetch = max(hashes, default=-1) + 1
        about = {
            "url": page.url,
            "fetch": fetch,
            "content_type": page.content_type,
            "raw_hash": raw_hash,
            "fetched_at": page.fetched_at.isoformat(),
        }
        content = json.dumps(about, ensure_ascii=False, sort_keys=True).encode() + b"\n" + page.body
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self._path(page.url, fetch, SUFFIX), gzip.compress(content, COMPRESSION, mtime=0), lasting=True)
        hashes[fetch] = raw_hash
        return fetch

    def note(self, url: str, fetch: int, digest: str, columns: dict[str, str | None]) -> None:
        """Keeps what was read in a kept content. It can be read again, so a power cut may take it."""
        read = {"url": url, "fetch": fetch, "raw_hash": self._hashes[url][fetch], "digest": digest, "columns": columns}
        _write(self._path(url, fetch, READ), json.dumps(read, ensure_ascii=False).encode(), lasting=False)

    def reading(self, url: str, fetch: int, digest: str) -> Reading | None:
        """What was read in a kept content under this digest; None when it has to be read (again)."""
        try:
            found = Reading(**json.loads(self._path(url, fetch, READ).read_bytes()))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        return found if (found.digest, found.raw_hash) == (digest, self._hashes[url][fetch]) else None

    def readings(self, digest: str) -> Iterator[tuple[str, int, Reading | None]]:
        """Every content by URL and fetch, with what was read in it."""
        for url in sorted(self._hashes):
            for fetch in self._hashes[url]:
                yield url, fetch, self.reading(url, fetch, digest)

    def _path(self, url: str, fetch: int, suffix: str) -> Path:
        return self.folder / f"{content_id(url)}.{fetch}{suffix}"


def _about(path: Path) -> dict:
    try:
        with gzip.open(path) as file:
            return json.loads(file.readline())
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
        raise _spoilt(path, error) from error


def _spoilt(path: Path, error: Exception) -> BadInput:
    return BadInput(f"{path}: the disk has spoilt this raw page ({error}). Restore the file, or remove it to fetch it again.")


def _write(path: Path, content: bytes, lasting: bool) -> None:
    """All or nothing; `lasting`: a power cut does not take it back."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=TEMPORARY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(name, path)  # noqa: PTH105  (atomic, and the temporary name is a string)
    except OSError as error:  # a full disk does not name one
        Path(name).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
