"""Taking forgotten pages out of the archive of raw pages, and out of the cache of HTTP answers."""

import gzip
import json
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path

from dragon_pipeline.adapters.store.scanning import Hits, that_tell
from dragon_pipeline.adapters.web.page_archive import READ, SUFFIX
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.urls import UrlRules


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


def forget_files(folder: Path, hits: Hits, whole: str | None = None) -> int:
    """Deletes the files below a folder that tell of it; of those beside a file named `whole`, all together."""
    gone = 0
    for path in that_tell([path for path in folder.rglob("*") if path.is_file()], hits):
        if whole and path.with_name(whole).exists():
            shutil.rmtree(path.parent)
        else:
            path.unlink(missing_ok=True)
        gone += 1
    return gone


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
