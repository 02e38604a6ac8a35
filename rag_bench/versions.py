"""Versions `1.N.0`: which one is the newest that is whole, and which were withdrawn."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rag_bench.errors import BadRelease

MOST_BYTES = 4 * 1024 * 1024
"""of a `withdrawn.json`"""

_NUMBER = r"(0|[1-9][0-9]{0,8})"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}")


def sort_versions(versions: Iterable[str]) -> list[str]:
    """Those tags that are versions, oldest first: by number, so that 1.10.0 follows 1.9.0."""
    return sorted(filter(_VERSION.fullmatch, versions), key=lambda name: [int(part) for part in name.split(".")])


def is_ours(version: str) -> bool:
    """Whether it is a `1.N.0`."""
    return version.startswith("1.") and version.endswith(".0")


def read_withdrawn(file: Path, of: str) -> dict[str, str]:
    """Version → why it was withdrawn, of a `withdrawn.json`: an object of them, or a list of `{"version", "reason"}`.

    Raises:
        BadRelease: the file is neither, or too big; `of` says whose it is.
    """
    if (size := file.stat().st_size) > MOST_BYTES:
        raise BadRelease(f"{of}: withdrawn.json cannot be read: it has {size:,} bytes, at most {MOST_BYTES:,} are taken")
    try:
        told = json.loads(file.read_bytes())
        entries = (
            [{"version": version, "reason": reason} for version, reason in told.items()] if isinstance(told, dict) else told
        )
        return {_text(one, "version"): _text(one, "reason") for one in entries}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadRelease(f"{of}: withdrawn.json cannot be read as versions and reasons: {error}") from error


def _text(entry: Mapping[str, Any], name: str) -> str:
    if not isinstance(entry[name], str):
        raise TypeError(f"{name} is no string")
    return entry[name]
