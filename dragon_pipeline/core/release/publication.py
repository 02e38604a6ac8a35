"""Publishing a day's release: as which version, or why not. `transaction` has the steps."""

import json
from collections.abc import Mapping
from contextlib import ExitStack

import polars as pl

from dragon_pipeline.core.hub import Content, Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import RELEASE, REVISION
from dragon_pipeline.core.release import manifest, notices, transaction, versions
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.opening import open_days
from dragon_pipeline.core.release.sandbox import SandboxHub
from dragon_pipeline.core.release.tables import CARD_PATH, DATASETS, MANIFEST_PATH
from dragon_pipeline.core.release.transaction import Parts
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline.core.table import DAY


def publish(
    release: pl.DataFrame, before: pl.DataFrame | None, day: str, hub: Hub, files: FileStore, settings: ReleaseSettings
) -> pl.DataFrame:
    """Publishes a day's release as the next version 1.N.0 and returns REVISION.

    What the hub holds decides, not `before` (REVISION of earlier days, with `day`): versions that it names and the hub lacks
    are told in `reason`.

    Raises:
        PublicationConflict: another publisher is at work.
        PublicationFailed: the hub refused, or gave back something else. Publishing again finishes what was begun.
    """
    release = RELEASE.check(release)
    content = content_of(release)
    if release.is_empty():
        return _nothing(content, "empty", f"fewer than {settings.min_questions} questions may be released")
    shown = transaction.look(hub)
    finished, tags = transaction.finish_broken(hub, shown)  # what is tagged after this is another's, and refuses this one
    published = versions.releases(hub, tags)
    for same in reversed(published):
        if (same.day, same.content) == (day, content):
            transaction.tag(hub, same.version, same.commits)  # mends a view that a killed run left behind
            outcome = "published" if same.version in finished else "unchanged"
            reason = f"withdrawn: {same.withdrawn}" if same.withdrawn else _told(before, published, tags)
            return _revision(same.version, same.commits, content, outcome, reason)
    newest = max((version.day for version in published), default=day)
    if day < newest and not settings.publish_past:
        return _nothing(content, "past", f"{newest} is published already; set release.publish_past to publish {day} too")
    if day < newest and any(version.day == day for version in versions.releases(SandboxHub(hub))):
        return _nothing(
            content, "past", f"the sandbox gives the answers of {day} away: whoever is ranked on them could read them"
        )
    if any(version.day == day for version in published) and day in open_days(hub):
        return _nothing(
            content, "past", f"a version of {day} is open: its key is public, and so are the answers to what both versions ask"
        )
    version = versions.next_version(tags)
    with ExitStack() as opened:
        parts = _parts(release, files, opened, version, notices.withdrawn(hub, shown.heads))
        commits = transaction.carry_out(hub, parts, shown)
    return _revision(version, commits, content, "published", _told(before, published, tags))


def content_of(release: pl.DataFrame) -> str:
    """Hash over every file of a release: one version per day and content."""
    return sha256(json.dumps(sorted(release.select("dataset", "path", "sha256").iter_rows())).encode())


def _parts(release: pl.DataFrame, files: FileStore, opened: ExitStack, version: str, withdrawn: notices.Withdrawn) -> Parts:
    """What is committed: the files of the release, the cards with what was withdrawn, and manifests that know the version."""
    found: dict[str, dict[str, Content]] = {dataset: {} for dataset in DATASETS}
    digests: dict[str, dict[str, str]] = {dataset: {} for dataset in DATASETS}
    told: dict[str, dict] = {}
    for row in release.iter_rows(named=True):
        dataset, path = row["dataset"], row["path"]
        local = opened.enter_context(files.local(row["sha256"]))
        if path == MANIFEST_PATH:
            told[dataset] = manifest.load(local.read_bytes())
            continue
        found[dataset][path], digests[dataset][path] = local, row["sha256"]
        if path == CARD_PATH and withdrawn:
            added = {path: notices.with_notices(local.read_bytes(), withdrawn), notices.NOTICES_PATH: notices.dump(withdrawn)}
            found[dataset] |= added
            digests[dataset] |= {name: sha256(content) for name, content in added.items()}
    named = {"version": version, "content": content_of(release), "files": digests}
    manifests = {dataset: {**told[dataset], **named} for dataset in DATASETS}
    return Parts(version, f"{version}: news of {told[DATASETS[0]]['day']}", found, digests, manifests)


def _told(before: pl.DataFrame | None, published: list[versions.Published], tags: transaction.Tags) -> str | None:
    """What whoever publishes should know of the hub."""
    strange = versions.in_order({tag for named in tags.values() for tag in named})[-1:]
    found = [_lost(before, published)] if before is not None else []
    if strange and int(strange[0].split(".")[0]) > 1:
        found.append(f"tag {strange[0]} of other software stands above every 1.N.0: who takes the newest tag gets that one")
    return "; ".join(filter(None, found)) or None


def _lost(before: pl.DataFrame, published: list[versions.Published]) -> str | None:
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
