"""Whether the files of a release are those that its manifest names."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_bench.errors import BadRelease

MOST_BYTES = 16 * 1024 * 1024


def read_manifest(file: Path, of: str) -> dict[str, Any]:
    """The manifest of one dataset.

    Raises:
        BadRelease: it is no JSON object, or too big.
    """
    if (size := file.stat().st_size) > MOST_BYTES:
        raise BadRelease(f"{of}: manifest.json has {size:,} bytes, at most {MOST_BYTES:,} are taken")
    try:
        told = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BadRelease(f"{of}: manifest.json is not valid JSON: {error}") from error
    if not isinstance(told, dict):
        raise BadRelease(f"{of}: manifest.json is no object")
    return told


def verify_files(manifest: Mapping[str, Any], dataset: str, role: str, version: str, tables: Mapping[str, Path]) -> None:
    """Holds the tables of a dataset (path in the repository → local file) against its manifest.

    The manifest knows the dataset by its name or, where it was copied under another one, by its role.

    Raises:
        BadRelease: the manifest is another version's, a table is not the one that it names, or is missing.
    """
    if manifest.get("version") != version:
        raise BadRelease(f"{dataset} at {version}: its manifest says that it is version {manifest.get('version')!r:.40}")
    told = manifest.get("files")
    wanted = told.get(short(dataset), told.get(role)) if isinstance(told, Mapping) else None
    if not isinstance(wanted, Mapping):
        raise BadRelease(f"{dataset} at {version}: its manifest names no files of it")
    missing = [path for path in wanted if str(path).endswith(".parquet") and path not in tables]
    if missing:
        raise BadRelease(f"{dataset} at {version}: {missing[0]} is in the manifest and not on the hub")
    for path, file in tables.items():
        if path not in wanted:
            raise BadRelease(f"{dataset} at {version}: {path} is on the hub and not in the manifest")
        found = _sha256(file)
        if wanted.get(path) != found:
            says = f"{path} has SHA-256 {found[:12]}…, and the manifest says {str(wanted.get(path))[:12]}…"
            raise BadRelease(f"{dataset} at {version}: {says}; delete {file} and load again, or report the release")


def verify_halves(manifests: Mapping[str, Mapping[str, Any]], version: str) -> None:
    """Whether the datasets belong together: one content, and the same data commits in every manifest.

    A manifest names the commits before its own, which holds what they hold and the manifest.

    Raises:
        BadRelease: they are of different releases.
    """
    for what in ("content", "commits"):
        if len({json.dumps(manifest.get(what), sort_keys=True) for manifest in manifests.values()}) > 1:
            raise BadRelease(f"{' and '.join(manifests)} at {version} are parts of different releases: their {what} differ")


def short(dataset: str) -> str:
    """A dataset's name without the namespace of its repository."""
    return dataset.rpartition("/")[2]


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
