"""Releases on a hub: Hugging Face, or a folder that the pipeline publishes to.

A release is four datasets of one version. Everybody may read `public_texts` and `public_questions`; `private_texts` and
`private_qa` are the gold, for those who hold it (a portal, or a sandbox release of your own).
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import httpx2
import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import HfApi, hf_hub_download

from rag_bench.errors import NotOnHub
from rag_bench.installation import require_single_client

PUBLIC = ("public_texts", "public_questions")
PRIVATE = ("private_texts", "private_qa")
LATEST = "latest"
NAMESPACE = "dragon"

UNREACHABLE = (httpx2.HTTPError, OSError)
"""what huggingface_hub raises: a refusal, no connection, offline mode, a full disk"""

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_NAMESPACE = re.compile(r"\w[\w.-]*")


class Hub(Protocol):
    def versions(self, dataset: str) -> Sequence[str]:
        """The version tags of a dataset; none for one that is not there."""
        ...

    def files(self, dataset: str, version: str) -> Sequence[Path]:
        """Local paths of the Parquet files of a version, in order."""
        ...


class FolderHub:
    """`<root>/<namespace>/<dataset>/tags/<version>/data/*.parquet`."""

    def __init__(self, root: Path, namespace: str):
        self._folder = root / namespace

    def versions(self, dataset: str) -> list[str]:
        tags = self._folder / dataset / "tags"
        return [entry.name for entry in tags.iterdir() if _VERSION.fullmatch(entry.name)] if tags.is_dir() else []

    def files(self, dataset: str, version: str) -> list[Path]:
        return sorted((self._folder / dataset / "tags" / version / "data").glob("*.parquet"))


class HuggingFaceHub:
    """The dataset repositories `<namespace>/<dataset>`, with a version tag for each release."""

    def __init__(self, namespace: str):
        self._namespace = namespace

    def versions(self, dataset: str) -> list[str]:
        try:
            tags = HfApi().list_repo_refs(f"{self._namespace}/{dataset}", repo_type="dataset").tags
        except UNREACHABLE as error:
            raise NotOnHub(f"cannot read the versions of {self._namespace}/{dataset}: {error}") from error
        return [tag.name for tag in tags if _VERSION.fullmatch(tag.name)]

    def files(self, dataset: str, version: str) -> list[Path]:
        repository = f"{self._namespace}/{dataset}"
        try:
            names = HfApi().list_repo_files(repository, revision=version, repo_type="dataset")
            wanted = sorted(name for name in names if name.startswith("data/") and name.endswith(".parquet"))
            return [Path(hf_hub_download(repository, name, revision=version, repo_type="dataset")) for name in wanted]
        except UNREACHABLE as error:
            raise NotOnHub(f"cannot read {repository} {version}: {error}") from error


def open_hub(hub: str | Path | None = None, namespace: str = NAMESPACE) -> Hub:
    """The folder hub at this path, or the Hugging Face Hub for None.

    Raises:
        NotOnHub: there is no such folder, or no such namespace in it.
    """
    if not _NAMESPACE.fullmatch(namespace):
        raise NotOnHub(f"{namespace!r} is no namespace")
    if hub is None:
        return HuggingFaceHub(namespace)
    if not (Path(hub) / namespace).is_dir():
        raise NotOnHub(f"{hub} holds no namespace {namespace!r}")
    return FolderHub(Path(hub), namespace)


def find_version(version: str, hub: Hub, datasets: Sequence[str] = PUBLIC) -> str:
    """This version, or for `latest` the newest one that all the datasets have.

    Raises:
        NotOnHub: there is no such version; the message names those that there are.
    """
    common = set.intersection(*(set(hub.versions(dataset)) for dataset in datasets))
    known = sorted(common, key=lambda name: [int(part) for part in name.split(".")])
    if version == LATEST and known:
        return known[-1]
    if version not in known:
        raise NotOnHub(f"no version {version} of {' and '.join(datasets)}; there are {', '.join(known) or 'none'}")
    return version


def read_dataset(dataset: str, version: str, hub: Hub) -> pa.Table:
    """One dataset of a release.

    Raises:
        NotOnHub: it has no such version, or no table in it.
    """
    files = hub.files(dataset, find_version(version, hub, [dataset]))
    if not files:
        raise NotOnHub(f"{dataset} {version} has no data/*.parquet")
    return pa.concat_tables([pq.read_table(file) for file in files])


def get_datasets(
    version: str = LATEST, namespace: str = NAMESPACE, hub: str | Path | None = None
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, list[dict[str, Any]]], str]:
    """Public texts, public questions, and their version.

    Each is `{"train": rows}`, with rows as dicts: `id, text, title, url, published_at` and `id, question`.

    Args:
        version: `1.N.0`, or the newest one.
        namespace: who published it.
        hub: the path of a folder hub; None is the Hugging Face Hub.

    Raises:
        NotOnHub: the hub does not hold it.
    """
    require_single_client()
    opened = open_hub(hub, namespace)
    version = find_version(version, opened)
    texts, questions = (read_dataset(dataset, version, opened).to_pylist() for dataset in PUBLIC)
    return {"train": texts}, {"train": questions}, version


def get_gold(
    version: str = LATEST, namespace: str = NAMESPACE, hub: str | Path | None = None
) -> tuple[pa.Table, pa.Table, str]:
    """`private_qa` and `private_texts` as `evaluate` takes them, and their version; for those who may read them.

    Raises:
        NotOnHub: the hub does not hold it, or does not show it to you.
    """
    require_single_client()
    opened = open_hub(hub, namespace)
    version = find_version(version, opened, PRIVATE)
    private_texts, private_qa = (read_dataset(dataset, version, opened) for dataset in PRIVATE)
    return private_qa, private_texts, version
