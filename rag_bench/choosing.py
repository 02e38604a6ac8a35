"""From what a hub shows to one version of all datasets that are needed, down to their commits."""

from collections.abc import Mapping, Sequence

from rag_bench.errors import NotOnHub
from rag_bench.fetched import Chosen
from rag_bench.hubs import MANIFEST, WITHDRAWN, Hub, Refs
from rag_bench.versions import is_ours, read_withdrawn, sort_versions

PUBLIC = ("public_texts", "public_questions")
GOLD = ("private_texts", "private_qa")
LATEST, OPENED = "latest", "opened"

_MEANT = {OPENED: "whose gold everyone may read", LATEST: "that was not withdrawn"}

Roles = Mapping[str, tuple[str, ...]]
"""role → the datasets that may play it, the best first"""


def roles_of(sandbox: bool = False) -> Roles:
    """A release's datasets; the gold of a closed version may also be opened under names of its own."""
    if sandbox:
        return {role: (f"sandbox_{role}",) for role in (*PUBLIC, *GOLD)}
    return {role: (role,) for role in PUBLIC} | {role: (role, role.replace("private", "opened")) for role in GOLD}


def choose(hub: Hub, version: str, roles: Roles) -> Chosen:
    """This version, or the newest one, at its commits; with the gold where one may read it.

    `latest` is the newest version that all datasets one may read have and that was not withdrawn, `1.N.0` before what other
    software tagged; `opened` the newest one that also has opened gold. A version that is named is taken although it was
    withdrawn.

    Raises:
        NotOnHub: there is no such version.
        Unreachable: the hub gives no answer.
        BadRelease: `withdrawn.json` cannot be read.
    """
    public = [roles[role][0] for role in roles if role in PUBLIC]
    shown = _shown(hub, public)
    if unseen := [dataset for dataset in public if dataset not in shown]:
        raise NotOnHub(f"{hub.name} has no dataset {' and '.join(unseen)}{hub.unseen}")
    for source in zip(*(roles[role] for role in GOLD if role in roles), strict=True):
        shown |= _shown(hub, source)
        if version != OPENED and all(dataset in shown for dataset in source):
            break  # who sees the closed gold needs no opened one
    known = _common(shown, public)
    withdrawn = _withdrawn(hub, {dataset: shown[dataset] for dataset in public})
    wanted = _wanted(version, [one for one in known if one not in withdrawn], shown, roles)
    if wanted not in known:
        raise NotOnHub(f"{hub.name} has no version {_MEANT.get(version, version)}; there are {', '.join(known) or 'none'}")
    datasets = dict(zip(PUBLIC, public, strict=True)) | _gold(wanted, shown, roles)
    commits = {dataset: shown[dataset].tags[wanted] for dataset in datasets.values()}
    files = {dataset: _files(hub, dataset, commit) for dataset, commit in commits.items()}
    return Chosen(wanted, datasets, commits, files, withdrawn.get(wanted))


def _shown(hub: Hub, datasets: Sequence[str]) -> dict[str, Refs]:
    found = {dataset: hub.refs(dataset) for dataset in datasets}
    return {dataset: refs for dataset, refs in found.items() if refs is not None}


def _wanted(version: str, sound: Sequence[str], shown: Mapping[str, Refs], roles: Roles) -> str:
    """The version that a word stands for; none is the version itself, as nothing is called so."""
    if version == OPENED:
        opened = [datasets[-1] for role, datasets in roles.items() if role in GOLD]
        whole = set(_common(shown, opened)) if all(dataset in shown for dataset in opened) else set()
    elif version == LATEST:
        closed = [datasets[0] for role, datasets in roles.items() if role in GOLD]
        seen = bool(closed) and all(dataset in shown for dataset in closed)
        whole = set(_common(shown, closed)) if seen else set(sound)
    else:
        return version
    fit = [one for one in sound if one in whole]
    return next(reversed([one for one in fit if is_ours(one)] or fit), version)


def _gold(version: str, shown: Mapping[str, Refs], roles: Roles) -> dict[str, str]:
    """The datasets that hold this version's gold; both, or none."""
    sources = zip(*(roles[role] for role in GOLD if role in roles), strict=True)
    for source in sources:
        if all(dataset in shown and version in shown[dataset].tags for dataset in source):
            return dict(zip(GOLD, source, strict=True))
    return {}


def _common(shown: Mapping[str, Refs], datasets: Sequence[str]) -> list[str]:
    return sort_versions(set.intersection(*(set(shown[dataset].tags) for dataset in datasets)))


def _withdrawn(hub: Hub, shown: Mapping[str, Refs]) -> dict[str, str]:
    reasons: dict[str, str] = {}
    for dataset, refs in shown.items():
        file = hub.fetch(dataset, refs.main, WITHDRAWN) if refs.main else None
        if file is not None:
            reasons |= read_withdrawn(file, dataset)
    return reasons


def _files(hub: Hub, dataset: str, commit: str) -> tuple[str, ...]:
    paths = tuple(path for path in hub.files(dataset, commit) if path == MANIFEST or path.endswith(".parquet"))
    if not any(path.endswith(".parquet") for path in paths):
        raise NotOnHub(f"{dataset} at {commit} holds no Parquet file")
    return paths
