"""Taking forgotten pages out of the archive of raw pages, and out of the cache of HTTP answers."""

import gzip
import json
import re
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path

from dragon_pipeline.adapters.store.scanning import Hits, texts_in, that_tell
from dragon_pipeline.adapters.web.page_archive import READ, SUFFIX
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.urls import UrlRules

SEALED = re.compile(rb"(?i)content-encoding:\s*(?:br|zstd)")


def forget_pages(raw: Path, known: Forgotten, rules: Mapping[str, UrlRules]) -> int:
    """Deletes the raw pages on the list, and what was read in them; returns how many pages."""
    gone = 0
    for page in raw.glob(f"*/*/*{SUFFIX}"):
        reading = page.with_name(page.name.removesuffix(SUFFIX) + READ)
        told = {"url": _url(page) or "", **_columns(reading)}
        if known.has(told, rules.get(page.parts[-3], UrlRules())):
            reading.unlink(missing_ok=True)
            page.unlink()
            gone += 1
    return gone


def forget_files(folder: Path, hits: Hits) -> int:
    """Deletes the files below a folder that tell of it; returns how many."""
    gone = 0
    for path in that_tell([path for path in folder.rglob("*") if path.is_file()], hits):
        path.unlink()
        gone += 1
    return gone


def forget_answers(cache: Path, since: float, known: Forgotten) -> int:
    """Deletes the HTTP answers got since then (seconds since 1970) that tell of what is on the list; returns how many.

    A crawl learns only by reading a page that it must not be kept, and listings name pages that must not be named.
    """
    gone = 0
    for meta in [meta for meta in cache.rglob("meta") if meta.stat().st_mtime >= since - 1]:
        files = [path for path in (meta, meta.with_name("response_body")) if path.exists()]
        texts = (text for path in files for told in texts_in(path.read_bytes()) for text in told)
        if _is_sealed(meta.parent) or any(map(known.is_in, texts)):
            shutil.rmtree(meta.parent)
            gone += 1
    return gone


def forget_entries(cache: Path, hits: Hits) -> int:
    """Deletes the HTTP answers that tell of it, or cannot be read here; returns how many."""
    entries = {meta.parent for meta in cache.rglob("meta")}
    gone = {path.parent for path in that_tell([path for entry in entries for path in entry.iterdir()], hits)}
    for entry in (entries & gone) | {entry for entry in entries if _is_sealed(entry)}:
        shutil.rmtree(entry)
    return len(entries & gone)


def forget_lines(folder: Path, pattern: str, hits: Hits) -> int:
    """Deletes the lines that tell of it from the text files below a folder; returns how many."""
    gone = 0
    for path in folder.rglob(pattern):
        lines = path.read_bytes().splitlines(keepends=True)
        told = hits([line.decode("utf-8", "replace") for line in lines])
        if any(told):
            fresh = path.with_name(f".{path.name}.fresh")
            fresh.write_bytes(b"".join(line for line, hit in zip(lines, told, strict=True) if not hit))
            fresh.replace(path)
            gone += sum(map(bool, told))
    return gone


def _is_sealed(entry: Path) -> bool:
    """Compressed in a way that is read with a library only."""
    headers = entry / "response_headers"
    return headers.exists() and SEALED.search(headers.read_bytes()) is not None


def _url(page: Path) -> str | None:
    try:
        with gzip.open(page) as file:
            return json.loads(file.readline())["url"]
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None


def _columns(reading: Path) -> dict[str, str | None]:
    """What was read in a page; nothing where it was not, or is broken."""
    try:
        told = json.loads(reading.read_bytes())["columns"]
        return {str(name): value for name, value in told.items() if value is None or isinstance(value, str)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
