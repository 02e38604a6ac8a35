"""Opening closed versions: their private half is published into two further datasets that everybody may read.

With it goes the key of the day, so that anyone can check what the public manifest committed to, and compute every id again. All
versions of a day have that key: they are opened together.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Content, Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.release import manifest, versions
from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.origin import tables_digest
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, is_table
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.release.versions import Published

OPENED = {"private_texts": "opened_texts", "private_qa": "opened_qa"}
"""private dataset → the public one that it is opened into, in the order of publishing"""


def opened(hub: Hub) -> set[str]:
    """Versions that are open: both datasets have them."""
    return set.intersection(*(set(hub.tags(dataset)) for dataset in OPENED.values()))


def open_days(hub: Hub) -> set[str]:
    """Days whose key is public, be it by an opening that was cut short."""
    days: set[str] = set()
    for dataset in OPENED.values():
        for revision in filter(None, (hub.head(dataset), *versions.in_order(hub.tags(dataset)))):
            told = versions.find_manifest(hub, revision, dataset)
            days |= {told["day"]} if told else set()
    return days


def open_versions(hub: Hub, wanted: Collection[str], even_newest: bool = False) -> dict[str, dict[str, str]]:
    """Opens versions; returns version → dataset → commit. Done again, it finishes what was cut short.

    Raises:
        BadInput: the hub does not hold one of them; one is in use (the newest that is not withdrawn, or of its day) and
            `even_newest` is not set; another version of its day is neither opened with it, nor open, nor withdrawn.
        PublicationFailed: a version is not whole, or the hub refused. Opening again goes on.
    """
    published = versions.releases(hub)
    held = {one.version: one for one in published}
    if unknown := sorted(set(wanted) - set(held)):
        raise BadInput(f"version {unknown[0]} is not on the hub; there are {', '.join(held) or 'none'}")
    chosen = [held[version] for version in versions.in_order(wanted)]
    _refuse_day_mates(published, chosen, opened(hub))
    if not even_newest:
        _refuse_in_use(published, chosen)
    return {one.version: _open(hub, one.version) for one in chosen}


def _refuse_in_use(published: Sequence[Published], chosen: Sequence[Published]) -> None:
    """The newest version that is not withdrawn is in use; what has the key of its day would open it too."""
    used = [one for one in published if one.withdrawn is None][-1:]
    for one in chosen:
        for newest in used:
            if one.day == newest.day and one.withdrawn is None:
                raise BadInput(
                    f"version {newest.version} is the newest and in use: whoever takes part would have its answers. Publish a "
                    "newer day first, or give --even-newest"
                )


def _refuse_day_mates(published: Sequence[Published], chosen: Sequence[Published], open_already: Collection[str]) -> None:
    for one in chosen:
        mates = [
            other.version
            for other in published
            if other.day == one.day and other not in chosen and other.version not in open_already and other.withdrawn is None
        ]
        if mates:
            raise BadInput(
                f"{', '.join(mates)} is of {one.day} too, and the key that opens {one.version} would open it: open them "
                f"together (dragon release open {' '.join(versions.in_order([one.version, *mates]))}), or withdraw it first"
            )


def _open(hub: Hub, version: str) -> dict[str, str]:
    if faults := verify(hub, version):
        raise PublicationFailed(f"{version} is not opened, as it is not whole: {'; '.join(faults[:3])}")
    told = versions.read_manifest(hub, version, "private_qa")
    files = {dataset: _files(hub, dataset, version, told) for dataset in OPENED}
    named = {OPENED[d]: {path: sha256(content) for path, content in found.items()} for d, found in files.items()}
    told = {**told, "files": {**told["files"], **named}}
    commits = {}
    for private, dataset in OPENED.items():
        found: dict[str, Content] = {**files[private], MANIFEST_PATH: manifest.dump(told)}
        commits[dataset] = _publish(hub, dataset, version, found)
    return commits


def _files(hub: Hub, dataset: str, version: str, told: Mapping[str, Any]) -> dict[str, bytes]:
    """The tables as they are, and a card for everybody."""
    digests = told["files"][dataset]
    files = hub.read(dataset, version, [path for path in digests if is_table(path)])
    rows = told["texts" if dataset == "private_texts" else "questions"]["all"]
    files[CARD_PATH] = render_card(dataset, dict(told), rows, tables_digest(digests), opened=True)
    return files


def _publish(hub: Hub, dataset: str, version: str, files: Mapping[str, Content]) -> str:
    wanted = {path: sha256(content) for path, content in files.items() if isinstance(content, bytes)}
    commit = hub.tags(dataset).get(version)
    if commit is None:
        commit = hub.commit(dataset, files, f"{version} is open", False, hub.head(dataset))
    if hub.digests(dataset, commit) != wanted:
        raise PublicationFailed(
            f"{dataset} at {commit} is not what {version} was opened with: mend it on the hub, and open again"
        )
    hub.tag(dataset, version, commit)
    return commit
