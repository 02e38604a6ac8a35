"""Hubs that others have used, changed by hand or broken: a sentence or a whole version, never a half one, never a secret."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.opening import OPENED, open_days, open_versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS, MANIFEST_PATH, PRIVATE
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings

SETTINGS = ReleaseSettings(min_questions=2)
TODAY, TOMORROW = "2024-05-02", "2024-05-03"
TAGS = ("2.0.0", "1.5.0", "v1", "1.5.0-beta")
OTHERS: Mapping[str, Mapping[str, bytes]] = {
    "no manifest": {"data/x.csv": b"a,b"},
    "a manifest of other software": {MANIFEST_PATH: b'{"name": "app", "version": 3}', "x": b"x"},
    "a manifest whose format is a word": {MANIFEST_PATH: b'{"format": "zip"}'},
}
DAMAGED = {
    "not JSON": (b"<html>Sign in", "is not JSON"),
    "other bytes": (b"\xff\xfe", "is not JSON"),
    "very deep": (b"[" * 200_000, "is not JSON"),
    "a list": (b"[]", "is no JSON object"),
    "null": (b"null", "is no JSON object"),
    "a later format": (b'{"format": 2}', "has format 2, and this software knows 1"),
}
HALF = {
    "no day": ("day", None, "lacks 'day'"),
    "no date": ("day", "yesterday", "none of ours"),
    "a number for a day": ("day", 7, "none of ours"),
    "a list for a hash": ("content", [], "none of ours"),
    "a word for a truth value": ("ranking", "yes", "none of ours"),
    "a number for counts": ("questions", 7, "none of ours"),
}


@pytest.fixture(params=["memory", "folder"])
def hub(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryHub | FolderHub:
    return MemoryHub() if request.param == "memory" else FolderHub(tmp_path, "bench")


@pytest.fixture
def publishing(release, other_release, files) -> Callable[..., tuple[str, str | None, str | None]]:
    def published(hub, other: bool = False, **changes: object) -> tuple[str, str | None, str | None]:
        settings = SETTINGS.model_copy(update=changes)
        told = publish(other_release if other else release, None, TODAY, hub, files, settings)
        return told["outcome"][0], told["version"][0], told["reason"][0]

    return published


def put(hub, dataset: str, content: Mapping[str, bytes], tag: str | None = None) -> None:
    commit = hub.commit(dataset, content, "by hand", dataset in PRIVATE, hub.head(dataset))
    if tag:
        hub.tag(dataset, tag, commit)


@pytest.mark.parametrize("where", [DATASETS, ("public_texts",), ("private_qa",)], ids=["all", "texts", "qa"])
@pytest.mark.parametrize("files_", OTHERS)
@pytest.mark.parametrize("tag", TAGS)
def test_what_other_software_tagged_is_left_alone_and_is_never_the_newest(hub, publishing, tag, files_, where):
    for dataset in where:
        put(hub, dataset, OTHERS[files_], tag)
    before = {dataset: hub.read(dataset, tag) for dataset in where}
    outcome, version, _ = publishing(hub)
    assert (outcome, version) == ("published", {"2.0.0": "1.1.0", "1.5.0": "1.6.0"}.get(tag, "1.0.0"))
    assert versions.latest(hub) == version
    assert [one.version for one in versions.releases(hub)] == [version]
    assert {dataset: hub.read(dataset, tag) for dataset in where} == before
    assert verify(hub, version) == []
    assert publishing(hub)[:2] == ("unchanged", version)


def test_a_tag_that_sorts_above_every_version_of_ours_is_told(publishing):
    hub = MemoryHub()
    for dataset in DATASETS:
        put(hub, dataset, OTHERS["no manifest"], "2.0.0")
    for _ in range(2):
        assert "2.0.0" in (publishing(hub)[2] or "")


@pytest.mark.parametrize("at_head", [True, False])
@pytest.mark.parametrize("what", DAMAGED)
def test_a_manifest_that_cannot_be_read_stops_publishing_with_a_sentence(hub, publishing, what, at_head):
    content, words = DAMAGED[what]
    for dataset in DATASETS:
        put(hub, dataset, {MANIFEST_PATH: content}, "1.5.0")
        if not at_head:
            put(hub, dataset, {"x": b"x"})
    heads = {dataset: hub.head(dataset) for dataset in DATASETS}
    with pytest.raises(PublicationFailed, match=words):
        publishing(hub)
    assert {dataset: hub.head(dataset) for dataset in DATASETS} == heads


@pytest.mark.parametrize("what", HALF)
def test_a_manifest_of_ours_that_was_changed_by_hand_is_said(publishing, what):
    hub = MemoryHub()
    publishing(hub)
    name, value, words = HALF[what]
    told = {**versions.read_manifest(hub, "1.0.0"), name: value}
    for dataset in DATASETS:
        put(hub, dataset, {MANIFEST_PATH: json.dumps({n: v for n, v in told.items() if v is not None}).encode()}, "1.1.0")
    with pytest.raises(PublicationFailed, match=words):
        versions.releases(hub)


def test_a_deep_notice_is_said(publishing):
    hub = MemoryHub()
    publishing(hub)
    put(hub, "public_texts", {"withdrawn.json": b"[" * 200_000})
    with pytest.raises(PublicationFailed, match=r"withdrawn.json of public_texts on the hub is not an object"):
        publishing(hub, other=True)


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("follows", [False, True])
def test_a_tag_that_somebody_deleted_leaves_no_half_version_as_the_newest(tmp_path, publishing, dataset, follows):
    hub = FolderHub(tmp_path, "bench")
    publishing(hub)
    if follows:
        publishing(hub, other=True)
    (hub.location(dataset) / "tags" / "1.0.0").unlink()
    publishing(hub)
    newest = versions.latest(hub)
    assert newest and verify(hub, newest) == []
    assert all(newest == versions.in_order(hub.tags(one))[-1] for one in DATASETS)


def test_the_day_of_an_open_version_gets_no_new_version(day, release, publishing, files):
    """Its key is public, and most of its questions are those that were opened."""
    hub = MemoryHub()
    publishing(hub)
    publish(day.vary(day=TOMORROW).build(), None, TOMORROW, hub, files, SETTINGS)
    open_versions(hub, ["1.0.0"])
    outcome, version, reason = publishing(hub, other=True, publish_past=True)
    assert (outcome, version) == ("past", None)
    assert reason and "is open: its key is public" in reason
    assert versions.latest(hub) == "1.1.0"


@pytest.mark.parametrize("begun", [("opened_texts",), tuple(OPENED.values())], ids=["cut short", "whole"])
def test_nor_does_a_withdrawn_one_whose_opening_was_begun(publishing, begun):
    hub = MemoryHub()
    publishing(hub)
    withdraw(hub, "1.0.0", "the texts lack a page")
    open_versions(hub, ["1.0.0"])
    cut = MemoryHub()
    publishing(cut)
    for dataset in begun:
        put(cut, dataset, hub.read(dataset, "1.0.0"))
    assert open_days(cut) == {TODAY}
    assert publishing(cut, other=True)[:2] == ("past", None)


@pytest.mark.parametrize("dataset", PRIVATE)
def test_a_private_dataset_that_was_made_public_is_said_and_gets_nothing_more(tmp_path, publishing, dataset):
    hub = FolderHub(tmp_path, "bench")
    publishing(hub)
    head = hub.head(dataset)
    hub.location(dataset).chmod(0o755)
    assert verify(hub, "1.0.0") == [
        f"{dataset} can be read by everybody: make it private on the hub, and withdraw what it gave away"
    ]
    with pytest.raises(PublicationFailed, match=f"{dataset} is public on the hub and must be private"):
        publishing(hub, other=True)
    assert hub.head(dataset) == head
    assert versions.latest(hub) == "1.0.0"
    hub.location(dataset).chmod(0o700)
    assert publishing(hub, other=True)[:2] == ("published", "1.1.0")
