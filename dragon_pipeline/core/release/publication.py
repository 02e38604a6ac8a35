"""Publishing: all four datasets under one version, or none.

    upload    public texts, public questions, private texts, private QA; each manifest names the commits before it,
              so the last one, of the private QA, names all
    verify    read every commit back and compare
    tag       private QA first, public questions last

A run that stops before the first tag has shown nothing, and the next starts over (equal content gives equal commits). After
the first tag, the private QA's manifest names what is missing, and the next run tags the rest.
"""

import json
from collections.abc import Mapping

import polars as pl

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import RELEASE, REVISION
from dragon_pipeline.core.release import manifest, versions
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.tables import DATASETS, MANIFEST_PATH, PRIVATE
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline.core.table import DAY

UPLOADED = ("public_texts", "public_questions", "private_texts", "private_qa")
TAGGED = ("private_qa", "private_texts", "public_texts", "public_questions")


def publish(
    release: pl.DataFrame, before: pl.DataFrame | None, day: str, hub: Hub, files: FileStore, settings: ReleaseSettings
) -> pl.DataFrame:
    """Publishes a day's release as the next version 1.N.0 and returns REVISION.

    What the hub holds decides, not `before` (REVISION of earlier days, with `day`): versions that it names and the hub lacks
    are told in `reason`.

    Raises:
        PublicationFailed: the hub refused, gave back something else, or another publisher is at work. Publishing again
            finishes what was begun.
    """
    release = RELEASE.check(release)
    content = content_of(release)
    if release.is_empty():
        return _nothing(content, "empty", f"fewer than {settings.min_questions} questions may be released")
    with hub.exclusive():
        finished = _finish_broken(hub)
        published = versions.releases(hub)
        for same in reversed(published):
            if (same.day, same.content) == (day, content):
                _tag(hub, same.version, same.commits)  # mends a view that a killed run left behind
                outcome = "published" if same.version in finished else "unchanged"
                return _revision(same.version, same.commits, content, outcome, _lost(before, published))
        newest = max((version.day for version in published), default=day)
        if day < newest and not settings.publish_past:
            return _nothing(content, "past", f"{newest} is published already; set release.publish_past to publish {day} too")
        version = versions.next_version(versions.tags_of(hub))
        commits = _upload(hub, _contents(release, files), version, content)
        _tag(hub, version, commits)
        return _revision(version, commits, content, "published", _lost(before, published))


def content_of(release: pl.DataFrame) -> str:
    """Hash over every file of a release: one version per day and content."""
    return sha256(json.dumps(sorted(release.select("dataset", "path", "sha256").iter_rows())).encode())


def _contents(release: pl.DataFrame, files: FileStore) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {dataset: {} for dataset in DATASETS}
    for row in release.iter_rows(named=True):
        with files.local(row["sha256"]) as path:
            found[row["dataset"]][row["path"]] = path.read_bytes()
    return found


def _upload(hub: Hub, files: dict[str, dict[str, bytes]], version: str, content: str) -> dict[str, str]:
    commits: dict[str, str] = {}
    for dataset in UPLOADED:
        told = manifest.load(files[dataset][MANIFEST_PATH])
        told |= {"version": version, "content": content, "commits": dict(commits)}
        files[dataset][MANIFEST_PATH] = manifest.dump(told)
        commits[dataset] = hub.upload(dataset, files[dataset], f"{version}: news of {told['day']}", dataset in PRIVATE)
    for dataset in UPLOADED:
        if hub.read(dataset, commits[dataset]) != files[dataset]:
            raise PublicationFailed(f"the hub gave back other files for {dataset} at {commits[dataset]} than {version} wrote")
    return commits


def _tag(hub: Hub, version: str, commits: Mapping[str, str]) -> None:
    for dataset in TAGGED:
        hub.tag(dataset, version, commits[dataset])
    for dataset in TAGGED:
        if hub.tags(dataset).get(version) != commits[dataset]:
            raise PublicationFailed(f"the hub did not keep the tag {version} of {dataset}; publish again")


def _finish_broken(hub: Hub) -> set[str]:
    """Tags what an interrupted publication left untagged; returns the versions that are whole by that.

    A version whose parts are not all on the hub stays as it is: it never shows, and its number is not used again.
    """
    finished = set()
    tags = versions.tags_of(hub)
    for version in versions.partial(tags):
        root = TAGGED[0]
        told = versions.find_manifest(hub, version, root) if version in tags[root] else None
        if told is None:
            continue
        commits = {**told.get("commits", {}), root: tags[root][version]}
        if all(_holds(hub, dataset, commits.get(dataset), told) for dataset in DATASETS):
            _tag(hub, version, commits)
            finished.add(version)
    return finished


def _holds(hub: Hub, dataset: str, commit: str | None, told: dict) -> bool:
    """The hub has this commit with the files that the manifest names."""
    if commit is None:
        return False
    try:
        files = hub.read(dataset, commit)
    except PublicationFailed:
        return False
    found = {path: sha256(content) for path, content in files.items() if path != MANIFEST_PATH}
    return MANIFEST_PATH in files and found == told.get("files", {}).get(dataset)


def _lost(before: pl.DataFrame | None, published: list[versions.Published]) -> str | None:
    if before is None:
        return None
    held = {version.version for version in published}
    rows = before.filter(pl.col("outcome") == "published").select(DAY, "version").unique().sort(DAY, "version").iter_rows()
    lost = [f"{version} of {day}" for day, version in rows if version not in held]
    return f"the hub does not hold {', '.join(lost)}, which earlier days published" if lost else None


def _nothing(content: str, outcome: str, reason: str) -> pl.DataFrame:
    row = {"dataset": "none", "version": None, "commit": None, "content": content, "outcome": outcome, "reason": reason}
    return REVISION.frame([row])


def _revision(version: str, commits: Mapping[str, str], content: str, outcome: str, reason: str | None) -> pl.DataFrame:
    return REVISION.frame(
        [
            {"dataset": dataset, "version": version, "commit": commits[dataset], "content": content}
            | {"outcome": outcome, "reason": reason}
            for dataset in DATASETS
        ]
    )
