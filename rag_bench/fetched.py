"""What was fetched from a hub: version → commits and files, so that it loads again when the hub cannot be reached."""

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rag_bench.versions import sort_versions


@dataclass(frozen=True)
class Chosen:
    """One version, down to the commit of each dataset."""

    version: str
    datasets: Mapping[str, str]
    """role (public_texts, …) → dataset; the private roles are there when one may read them"""
    commits: Mapping[str, str]
    """dataset → commit"""
    files: Mapping[str, tuple[str, ...]]
    """dataset → paths of its tables, and of its manifest when it has one"""
    withdrawn: str | None = None
    """why it was withdrawn"""


class Fetched:
    """A JSON file beside the Hugging Face cache."""

    def __init__(self, file: Path):
        self._file = file

    def newest(self, hub: str) -> Chosen | None:
        """The newest version that was fetched and not withdrawn."""
        held = (self.find(hub, version) for version in reversed(sort_versions(self._read().get(hub, {}))))
        return next((chosen for chosen in held if chosen and chosen.withdrawn is None), None)

    def find(self, hub: str, version: str) -> Chosen | None:
        told = self._read().get(hub, {}).get(version, {})
        try:
            files = {name: tuple(paths) for name, paths in told["files"].items()}
            return Chosen(told["version"], told["datasets"], told["commits"], files, told["withdrawn"])
        except (TypeError, KeyError, AttributeError):  # nothing, or written by another version of the client
            return None

    def remember(self, hub: str, chosen: Chosen) -> None:
        """A cache that cannot be written is no failure: the release is loaded."""
        told = self._read()
        told.setdefault(hub, {})[chosen.version] = asdict(chosen)
        fresh = self._file.with_name(f"{self._file.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")
            fresh.replace(self._file)
        except OSError:
            fresh.unlink(missing_ok=True)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            told = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        whole = isinstance(told, dict) and all(isinstance(versions, dict) for versions in told.values())
        return told if whole else {}
