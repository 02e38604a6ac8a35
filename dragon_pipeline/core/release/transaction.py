"""How one version comes onto four datasets, or none.

    data      a commit in each with tables and card, each on the head that was seen at the start
    manifest  a commit in each with a manifest that names version, content and the four data commits
    verify    what the hub gives back, by hash
    tag       private QA first, public questions last

Every run killed in between leaves the newest public tag with its private half:

- before the first tag nothing is shown. The next run of the same content goes on from the commits that are there, one of other
  content commits over them and takes the same number;
- after it the version exists and its number is used. The next run, of whatever content, finds the other manifest commits as
  heads that name this version, content and data commits, and tags them.

The private QA is also where publishers meet: whoever committed to it last goes on, the other is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dragon_pipeline.core.errors import PublicationConflict, PublicationFailed
from dragon_pipeline.core.hub import Content, Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.release import manifest, versions
from dragon_pipeline.core.release.tables import MANIFEST_PATH, PRIVATE

ORDER = ("private_qa", "private_texts", "public_texts", "public_questions")
"""of commits and tags"""
FIRST = ORDER[0]
OVERTAKEN = 2
"""commits that a publisher which was overtaken may still make to one dataset: its data and its manifest"""

Tags = Mapping[str, Mapping[str, str]]
Commits = Mapping[str, str]
"""dataset → commit"""


@dataclass(frozen=True)
class Shown:
    """What the hub showed when publishing began."""

    heads: Mapping[str, str | None]
    manifests: Mapping[str, dict[str, Any] | None]
    """at the heads"""


@dataclass(frozen=True)
class Parts:
    """What makes a version."""

    version: str
    message: str
    files: Mapping[str, Mapping[str, Content]]
    """dataset → path → content, without the manifests"""
    digests: Mapping[str, Mapping[str, str]]
    """the same → SHA-256"""
    manifests: Mapping[str, dict[str, Any]]
    """dataset → manifest, without `commits`"""


def look(hub: Hub) -> Shown:
    heads = {dataset: hub.head(dataset) for dataset in ORDER}
    manifests = {name: versions.find_manifest(hub, head, name) if head else None for name, head in heads.items()}
    return Shown(heads, manifests)


def carry_out(hub: Hub, parts: Parts, shown: Shown) -> dict[str, str]:
    """Publishes a version; returns what its tags name.

    Raises:
        PublicationConflict: another publisher is at work.
        PublicationFailed: the hub refused, or gave back something else.
    """
    begun = _begun(parts, shown)
    data = begun or _commit_data(hub, parts, shown)
    told = {dataset: manifest.dump({**parts.manifests[dataset], "commits": data}) for dataset in ORDER}
    commits = {}
    for dataset in ORDER:
        files = {**dict.fromkeys(parts.files[dataset]), MANIFEST_PATH: told[dataset]}
        parent = shown.heads[dataset] if begun else data[dataset]
        commits[dataset] = hub.commit(dataset, files, parts.message, dataset in PRIVATE, parent)
    for dataset in ORDER:
        if hub.digests(dataset, commits[dataset]) != {**parts.digests[dataset], MANIFEST_PATH: sha256(told[dataset])}:
            raise PublicationFailed(
                f"the hub gave back other files for {dataset} at {commits[dataset]} than {parts.version} wrote; publish again"
            )
    tag(hub, parts.version, commits)
    return commits


def tag(hub: Hub, version: str, commits: Commits) -> None:
    """Names a version's commits, so that the public half shows last: none before the one before it is seen to be kept."""
    for dataset in ORDER:
        hub.tag(dataset, version, commits[dataset])
        if hub.tags(dataset).get(version) != commits[dataset]:
            raise PublicationFailed(f"the hub did not keep the tag {version} of {dataset}; publish again")


def finish_broken(hub: Hub, shown: Shown) -> tuple[set[str], Tags]:
    """Tags what an interrupted publication left untagged; returns the versions that are whole by that, and the tags then.

    A version whose parts are not all on the hub stays as it is: it never shows, and its number is not used again.

    Raises:
        PublicationConflict: parts of a version came while this looked: another publisher is at work.
    """
    finished: set[str] = set()
    lost: set[str] = set()
    while True:
        tags = versions.tags_of(hub)
        broken = [version for version in versions.partial(tags) if version not in lost]
        if not broken:
            return finished, tags
        for version in broken:
            commits = _commits_of(hub, version, tags, shown)
            if commits:
                tag(hub, version, commits)
            elif any(hub.head(dataset) != head for dataset, head in shown.heads.items()):
                raise PublicationConflict(f"another publisher is at work on {version}; wait for it and publish again")
            (finished if commits else lost).add(version)


def _commits_of(hub: Hub, version: str, tags: Tags, shown: Shown) -> Commits | None:
    """What the tags of a version name, or must: untagged heads whose manifests are of the same publication."""
    told = versions.find_manifest(hub, version, FIRST) if version in tags[FIRST] else None
    if told is None:
        return None
    commits = {}
    for dataset in ORDER:
        commit = tags[dataset].get(version) or (shown.heads[dataset] if _same(told, shown.manifests[dataset]) else None)
        if commit is None or not _holds(hub, dataset, commit, told):
            return None
        commits[dataset] = commit
    return commits


def _commit_data(hub: Hub, parts: Parts, shown: Shown) -> dict[str, str]:
    commits: dict[str, str] = {}
    for dataset in ORDER:
        parent = shown.heads[dataset]
        for left in reversed(range(OVERTAKEN + 1)):
            try:
                commits[dataset] = hub.commit(dataset, parts.files[dataset], parts.message, dataset in PRIVATE, parent)
                break
            except PublicationConflict:
                if not left or FIRST not in commits or hub.head(FIRST) != commits[FIRST]:
                    raise
                parent = hub.head(dataset)  # of one whose commit to the private QA this run has overtaken
    return commits


def _begun(parts: Parts, shown: Shown) -> Commits | None:
    """The data commits of a run that was killed after them, while it published just this."""
    for dataset, told in shown.manifests.items():
        commits = told and told.get("commits")
        if not told or not isinstance(commits, dict) or told != {**parts.manifests[dataset], "commits": commits}:
            continue
        marked = {d: {**parts.manifests[d], "commits": commits} for d in ORDER}
        if all(shown.manifests[d] == marked[d] or shown.heads[d] == commits.get(d) for d in ORDER):
            return commits
    return None


def _same(told: Mapping[str, Any], other: Mapping[str, Any] | None) -> bool:
    """Two manifests are of one publication."""
    return other is not None and all(told.get(name) == other.get(name) for name in ("version", "content", "commits"))


def _holds(hub: Hub, dataset: str, commit: str, told: Mapping[str, Any]) -> bool:
    """The hub has this commit with the files that the manifest names."""
    try:
        found = hub.digests(dataset, commit)
    except PublicationFailed:
        return False
    named = told.get("files")
    wanted = named.get(dataset) if isinstance(named, dict) else None
    return found.pop(MANIFEST_PATH, None) is not None and found == wanted
