"""What a home still holds of what was forgotten: every file is read once more."""

from collections.abc import Iterator
from pathlib import Path

from upath import UPath

from dragon_pipeline.adapters.store.scanning import that_tell
from dragon_pipeline.core.corpus.traces import Traces
from dragon_pipeline.defs.resources import home, tables

WHY = {
    "raw": "raw pages of other articles that link to it or name it; they stay as they were fetched",
    "cache": "entries that could not be told apart",
    "dagster": "records of runs, of another storage or form than ours",
    "tables": "tables of other articles that say the same",
}
OWN = ("forgotten.json", "forgotten.jsonl", "release.key", "lock")


def search(traces: Traces) -> dict[str, int]:
    """Where something is left, why, and in how many files. Published versions (`hub/`) are told of by themselves."""
    found: dict[str, int] = {}
    areas = {path: area for area, path in _files()}
    for path in that_tell(areas, traces.hits):
        where = f"{areas[path]}: {WHY.get(areas[path], 'files of other making')}"
        found[where] = found.get(where, 0) + 1
    return found


def _files() -> Iterator[tuple[str, UPath | Path]]:
    root = home().root
    for path in sorted(root.rglob("*")):
        area = path.relative_to(root).parts[0]
        if area != "hub" and path.is_file() and path.name not in OWN:
            yield area, path
    elsewhere = tables()
    if elsewhere.protocol not in ("", "file") or not Path(elsewhere.path).is_relative_to(root):
        for path in elsewhere.rglob("*"):
            if path.is_file():
                yield "tables", path
