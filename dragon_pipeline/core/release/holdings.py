"""The files of the four datasets, before or after publishing: listed at once, read one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.tables import DATASETS


@dataclass(frozen=True)
class Holdings:
    paths: Mapping[str, Sequence[str]]
    """dataset → its paths, in order"""
    read: Callable[[str, str], bytes]
    """dataset, path → content; of a table one piece"""


def of_release(release: pl.DataFrame, store: FileStore) -> Holdings:
    """Of a RELEASE."""
    names = {(dataset, path): sha for dataset, path, sha in release.select("dataset", "path", "sha256").iter_rows()}

    def read(dataset: str, path: str) -> bytes:
        with store.local(names[dataset, path]) as local:
            return local.read_bytes()

    held = {dataset: [path for other, path in sorted(names) if other == dataset] for dataset in DATASETS}
    return Holdings({dataset: paths for dataset, paths in held.items() if paths}, read)


def of_version(hub: Hub, version: str) -> Holdings:
    """Of a published version; a dataset that does not have it has no paths.

    Raises:
        PublicationFailed: when read: the hub does not give a file that it listed.
    """
    commits = {dataset: hub.tags(dataset).get(version) for dataset in DATASETS}
    held = {dataset: sorted(hub.paths(dataset, commit)) for dataset, commit in commits.items() if commit}

    def read(dataset: str, path: str) -> bytes:
        try:
            return hub.read(dataset, commits[dataset] or version, [path])[path]
        except KeyError as missing:
            raise PublicationFailed(f"the hub lists {path} of {dataset} at {version} and does not give it") from missing

    return Holdings(held, read)
