"""Releases: four datasets of one version, read at the commits that one tag names.

Everybody may read `public_texts` and `public_questions`. `private_texts` and `private_qa` are the gold: for a portal, for the
sandbox, whose four datasets are public, and for versions that were closed and opened (`opened_texts`, `opened_qa`).
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rag_bench.choosing import LATEST, PUBLIC, Roles, choose, roles_of
from rag_bench.errors import BadRelease, BadTable, NotOnHub, RagBenchWarning, Unreachable
from rag_bench.fetched import Chosen, Fetched
from rag_bench.hubs import MANIFEST, FolderHub, Hub, HuggingFaceHub, TableFolder
from rag_bench.installation import require_single_client
from rag_bench.manifests import read_manifest, verify_files, verify_halves
from rag_bench.printable import printable
from rag_bench.rows import Rows

NAMESPACE = "dragon"
HUB, SANDBOX = "hub", "sandbox"
COLUMNS = {
    "public_texts": ("id", "text"),
    "public_questions": ("id", "question"),
    "private_texts": ("id", "public_id"),
    "private_qa": ("public_id", "answer", "text_ids"),
}


class GoldTables(NamedTuple):
    private_qa: Rows
    private_texts: Rows


@dataclass(frozen=True)
class Release:
    """Make one with `load`. Tables are read when they are first asked for."""

    version: str
    source: str
    """where it was read from"""
    commits: Mapping[str, str] = field(repr=False)
    """dataset → commit"""
    manifest: Mapping[str, Any] = field(repr=False)
    """what the release says of itself: `day`, `ranking`, `questions`, `canary`, …; empty for tables without one"""
    files: Mapping[str, tuple[Path, ...]] = field(repr=False)
    """role (`public_texts`, …) → the local Parquet files of its table"""

    @property
    def content(self) -> str:
        """Names what is in it: equal for equal releases."""
        return str(self.manifest.get("content") or " ".join(sorted(self.commits.values())))

    @cached_property
    def texts(self) -> Rows:
        """`id`, `text`, `title`, `url`, `published_at`."""
        return self._table("public_texts")

    @cached_property
    def questions(self) -> Rows:
        """`id`, `question`."""
        return self._table("public_questions")

    @cached_property
    def gold(self) -> GoldTables | None:
        """`private_qa` and `private_texts`; None when one may not read them."""
        return GoldTables(self._table("private_qa"), self._table("private_texts")) if "private_qa" in self.files else None

    def passages(self, text_ids: Sequence[int]) -> list[str]:
        """The texts of these ids, in this order.

        Raises:
            KeyError: the release has no such text.
        """
        column = self.texts.table.column("text")
        return [column[self._places[text_id]].as_py() for text_id in text_ids]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {text_id: place for place, text_id in enumerate(self.texts["id"])}

    def _table(self, role: str) -> Rows:
        try:
            table = pa.concat_tables([pq.read_table(file) for file in self.files[role]])
        except (OSError, pa.ArrowException) as error:
            raise BadTable(f"{role} of {self.version} cannot be read as Parquet: {error}") from error
        missing = [column for column in COLUMNS[role] if column not in table.column_names]
        if missing:
            raise BadTable(f"{role} of {self.version} has no column {', '.join(missing)}")
        key = table.column("public_id" if role == "private_qa" else "id")
        if key.null_count or len(key.unique()) < len(key):
            raise BadTable(f"{role} of {self.version}: ids must be there, and each once")
        if role in PUBLIC:
            self._require_types(role, table)
        return Rows(table)

    def _require_types(self, role: str, table: pa.Table) -> None:
        """What a system and the measures rely on, in the half that everyone reads."""
        key, said = (table.column(column) for column in COLUMNS[role])
        if not pa.types.is_integer(key.type):
            raise BadTable(f"{role} of {self.version}: ids must be whole numbers, and are {key.type}")
        if any(one < 0 for one in key.to_pylist()):
            raise BadTable(f"{role} of {self.version}: ids must be 0 or more")
        if said.null_count or not (pa.types.is_string(said.type) or pa.types.is_large_string(said.type)):
            raise BadTable(f"{role} of {self.version}: {COLUMNS[role][1]} must be a string in each row")

    def __str__(self) -> str:
        name = "sandbox " * any(dataset.startswith("sandbox_") for dataset in self.commits) + self.version
        day = f" of {printable(self.manifest['day']):.40}" if self.manifest.get("day") else ""
        told = "with gold" if "private_qa" in self.files else "without gold"
        return f"{name}{day}: {len(self.questions):,} questions, {len(self.texts):,} texts, {told}, from {self.source}"


def load(
    version: str = LATEST,
    source: str | Path = HUB,
    *,
    namespace: str = NAMESPACE,
    endpoint: str | None = None,
    sandbox: bool = False,
    cache: str | Path | None = None,
) -> Release:
    """A release, all its tables of one version, checked against its manifest.

    The version is looked up on the hub each time and read by commit, so a cache is never stale. When the hub cannot be
    reached, what was fetched before is loaded, with a warning. Respects HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE.

    Args:
        version: `1.N.0`; `latest`, the newest that was not withdrawn; `opened`, the newest whose gold everyone may read.
        source: `hub`; `sandbox`, the small release with public gold on the hub; or the path of a folder: a folder hub (or a
            namespace in it), or one that holds the tables (`public_texts.parquet` or `public_texts/*.parquet`, …).
        namespace: who published it.
        endpoint: address of the hub.
        sandbox: the sandbox release of this source; what `source="sandbox"` is for the hub.
        cache: folder for downloads, instead of that of huggingface_hub.

    Raises:
        NotOnHub: there is no such version, or no such folder; the message names what there is.
        Unreachable: the hub gives no answer, and the version was never fetched.
        BadRelease: the files are not those of the manifest.
    """
    require_single_client()
    if source in (HUB, SANDBOX):
        held = HuggingFaceHub(namespace, endpoint, cache=None if cache is None else Path(cache) / "hub")
        return load_from(held, version, roles_of(sandbox or source == SANDBOX), Fetched(home(cache) / "fetched.json"))
    folder = open_folder(Path(source), namespace)
    return _read(folder, choose(folder, version, roles_of(sandbox)))


def open_folder(path: Path, namespace: str = NAMESPACE) -> Hub:
    """The hub in a folder.

    Raises:
        NotOnHub: there is no such folder, or nothing of a release in it.
    """
    for folder in (path / namespace, path):
        if any(folder.glob("*public_questions/tags")):
            return FolderHub(folder)
    if any(path.glob("*public_questions.parquet")) or any(path.glob("*public_questions/**/*.parquet")):
        return TableFolder(path)
    what = f"holds no release: neither {namespace}/public_questions/tags nor public_questions.parquet"
    raise NotOnHub(f"{path} {what if path.is_dir() else 'is no folder'}")


def load_from(hub: HuggingFaceHub, version: str, roles: Roles, fetched: Fetched) -> Release:
    """A release of these datasets; what was fetched before when the hub cannot be reached."""
    key = f"{hub.name}/{roles['public_questions'][0]}"
    try:
        chosen = choose(hub, version, roles)
        release = _read(hub, chosen)
    except Unreachable as error:
        chosen = fetched.newest(key) if version == LATEST else fetched.find(key, version)
        if chosen is None:
            raise
        told = f"{error}; this is version {chosen.version} as it was fetched before"
        warnings.warn(told, RagBenchWarning, stacklevel=3)
        return _read(hub, chosen)
    fetched.remember(key, chosen)
    return release


def home(cache: str | Path | None = None) -> Path:
    """Where this client keeps what it must remember."""
    from huggingface_hub.constants import HF_HOME  # read late: it follows the environment

    return Path(cache or HF_HOME) / "rag_bench"


def _read(hub: Hub, chosen: Chosen) -> Release:
    manifests: dict[str, dict[str, Any]] = {}
    files: dict[str, tuple[Path, ...]] = {}
    for role, dataset in chosen.datasets.items():
        commit = chosen.commits[dataset]
        found = {path: hub.fetch(dataset, commit, path) for path in chosen.files[dataset]}
        missing = [path for path, file in found.items() if file is None]
        if missing:
            raise BadRelease(f"{dataset} at {chosen.version}: {missing[0]} is listed and cannot be had")
        local = {path: file for path, file in found.items() if file is not None}
        if MANIFEST in local:
            manifests[dataset] = read_manifest(local.pop(MANIFEST), f"{dataset} at {chosen.version}")
            verify_files(manifests[dataset], dataset, role, chosen.version, local)
        files[role] = tuple(local[path] for path in sorted(local))
    if manifests and len(manifests) < len(files):
        raise BadRelease(f"{chosen.version}: {', '.join(set(chosen.datasets.values()) - set(manifests))} has no manifest.json")
    verify_halves(manifests, chosen.version)
    if chosen.withdrawn is not None:
        warnings.warn(f"version {chosen.version} was withdrawn: {printable(chosen.withdrawn)}", RagBenchWarning, stacklevel=4)
    return Release(chosen.version, hub.name, chosen.commits, manifests.get(chosen.datasets["public_questions"], {}), files)
