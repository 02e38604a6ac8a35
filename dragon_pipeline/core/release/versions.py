"""What a hub holds: versions that all four datasets have, and what their manifests say."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release import manifest, notices
from dragon_pipeline.core.release.tables import DATASETS, MANIFEST_PATH

VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)
T = TypeVar("T")
Tags = Mapping[str, Mapping[str, str]]
_MEND = "ask again if the hub is disturbed; if other software put it there, remove it there, or take another namespace"


@dataclass(frozen=True)
class Published:
    """A version that all four datasets have."""

    version: str
    day: str
    content: str
    """hash over all files of the release"""
    ranking: bool
    questions: int
    types: Mapping[str, int]
    """questions by type"""
    texts: int
    commits: Mapping[str, str]
    """dataset → commit"""
    withdrawn: str | None = None
    """the reason, if it was"""


def releases(hub: Hub, tags: Tags | None = None) -> list[Published]:
    """Every published version, oldest first; versions that other software put there have no manifest of ours and are left out.

    Args:
        tags: those of all four datasets, where the caller has read them already.
    """
    tags, withdrawn = tags or tags_of(hub), notices.withdrawn(hub)
    found = ((version, find_manifest(hub, version)) for version in whole(tags))
    return [_published(version, told, tags, withdrawn.get(version)) for version, told in found if told]


def latest(hub: Hub) -> str | None:
    """The newest version of ours that all four datasets have and that was not withdrawn; None when there is none."""
    withdrawn = notices.withdrawn(hub)
    sound = (version for version in reversed(whole(tags_of(hub))) if version not in withdrawn)
    return next((version for version in sound if find_manifest(hub, version)), None)


def read_manifest(hub: Hub, version: str, dataset: str = "public_questions") -> dict[str, Any]:
    """The manifest of a version as one dataset holds it; a private dataset's has key and seed.

    Raises:
        PublicationFailed: the hub does not hold it, or it is not a manifest.
    """
    told = find_manifest(hub, version, dataset)
    if told is None:
        raise PublicationFailed(f"{dataset} at {version} has no {MANIFEST_PATH}: other software published it")
    return told


def find_manifest(hub: Hub, version: str, dataset: str = "public_questions") -> dict[str, Any] | None:
    """The same, or None where there is no manifest, or one of other software: a JSON object without our `format`."""
    content = hub.read(dataset, version, [MANIFEST_PATH]).get(MANIFEST_PATH)
    if content is None:
        return None
    where = f"{dataset} at {version}: {MANIFEST_PATH}"
    try:
        told = manifest.load(content)
    except (ValueError, RecursionError) as error:
        raise PublicationFailed(f"{where} is not JSON ({error}); {_MEND}") from error
    if not isinstance(told, dict):
        raise PublicationFailed(f"{where} is no JSON object; {_MEND}")
    made_as = told.get("format")
    if isinstance(made_as, int) and made_as > manifest.FORMAT:
        raise PublicationFailed(
            f"{where} has format {made_as}, and this software knows {manifest.FORMAT}: a newer one publishes here, install that"
        )
    return told if made_as == manifest.FORMAT else None


def tags_of(hub: Hub) -> dict[str, dict[str, str]]:
    """Tags of all four; private QA last, so that what a publisher tags meanwhile is never seen without its first tag."""
    return {dataset: hub.tags(dataset) for dataset in DATASETS}


def whole(tags: Tags) -> list[str]:
    """Versions that all four datasets have, oldest first."""
    return in_order(set.intersection(*(set(tags[dataset]) for dataset in DATASETS)))


def partial(tags: Tags) -> list[str]:
    """Versions that some datasets have and others lack, oldest first."""
    return in_order(set.union(*(set(tags[dataset]) for dataset in DATASETS)) - set(whole(tags)))


def next_version(tags: Tags) -> str:
    """1.N.0 with N one above the highest middle number of any tag; the first is 1.0.0."""
    middles = [int(found[2]) for named in tags.values() for tag in named if (found := VERSION.fullmatch(tag))]
    return f"1.{max(middles, default=-1) + 1}.0"


def in_order(tags: Iterable[str]) -> list[str]:
    """Those tags that are versions, oldest first."""
    return sorted((tag for tag in tags if VERSION.fullmatch(tag)), key=lambda tag: [int(number) for number in tag.split(".")])


def _published(version: str, told: Mapping[str, Any], tags: Tags, withdrawn: str | None) -> Published:
    try:
        return Published(
            version=version,
            day=date.fromisoformat(told["day"]).isoformat(),
            content=_is_a(str, told["content"]),
            ranking=_is_a(bool, told["ranking"]),
            questions=_is_a(int, told["questions"]["all"]),
            types=_is_a(dict, told["questions"]["by_type"]),
            texts=_is_a(int, told["texts"]["all"]),
            commits={dataset: tags[dataset][version] for dataset in DATASETS},
            withdrawn=withdrawn,
        )
    except KeyError as error:
        raise PublicationFailed(f"public_questions at {version}: {MANIFEST_PATH} lacks {error}; {_MEND}") from error
    except (TypeError, ValueError) as error:
        raise PublicationFailed(f"public_questions at {version}: {MANIFEST_PATH} is none of ours: {error}; {_MEND}") from error


def _is_a(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r:.40} where a {kind.__name__} belongs")
    return value
