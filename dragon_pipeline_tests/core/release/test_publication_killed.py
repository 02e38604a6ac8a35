"""Publishing to a Hub over HTTP: killed at every single request, crowded, and kept waiting."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import Queue

import polars as pl
import pytest
from upath import UPath

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE, PUBLIC
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.faults import Dropped
from dragon_pipeline_tests.local_hub.server import LocalHub

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"
CHANGES = {"create", "upload", "commit", "tag"}
"""routes after which the Hub holds something else"""


class Publisher:
    """A process that publishes in children."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self.child: Queue[int] = Queue()
        environment = {**os.environ, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dragon_pipeline_tests.core.release.publisher"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip

    def begin(self, hub: str, release: pl.DataFrame) -> None:
        assert self._process.stdin
        told = {"hub": hub, "day": TODAY, "rows": release.to_dicts(), "store": str(self._store)}
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()

    def end(self) -> str | None:
        """What the child said; None when it was killed."""
        said = None
        while (line := self._line()) != "ended":
            if line.isdecimal():
                self.child.put(int(line))
            else:
                said = json.loads(line)
        return said

    def stop(self) -> None:
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the publisher is gone"
        return line.strip()


@pytest.fixture(scope="module")
def store(release, other_release, files, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for digest in {*release["sha256"], *other_release["sha256"]}:
        with files.local(digest) as path:
            ReleaseFiles(UPath(folder)).add(partial(_copy, path))
    return folder


def _copy(source: Path, to: Path) -> None:
    to.write_bytes(source.read_bytes())


@pytest.fixture
def publishers(store: Path) -> Iterator[list[Publisher]]:
    made = [Publisher(store) for _ in range(2)]
    yield made
    for publisher in made:
        publisher.stop()


def state(hub: LocalHub) -> dict[str, tuple[str, dict[str, str], bool]]:
    return {name: (found.head, dict(found.tags), found.private) for name, found in hub.repositories.items()}


def assert_newest_is_whole(hub: HuggingFaceHub | FolderHub) -> None:
    """Whatever public version one may find, its private half is there, and the four fit together."""
    tags = versions.tags_of(hub)
    for dataset in PUBLIC:
        for version in tags[dataset]:
            assert all(version in tags[private] for private in PRIVATE)
    assert verify(hub, versions.latest(hub) or "none") == []


class Killer:
    """Kills the child of a publisher at the n-th request, before the Hub acts or after."""

    def __init__(self, publisher: Publisher, at: int, done: bool) -> None:
        self._publisher, self._at, self._done = publisher, at, done

    def __call__(self, number: int, route: str, done: bool) -> None:
        if (number, done) == (self._at, self._done):
            child = self._publisher.child.get(timeout=30)
            os.kill(child, signal.SIGKILL)
            raise Dropped


@pytest.mark.slow
def test_a_publication_killed_at_any_request_shows_no_half_and_is_healed_by_the_next(
    local_hub, publishers, release, other_release, store
):
    hub, files = HuggingFaceHub("bench", WRITE, local_hub.url, patience=30), ReleaseFiles(UPath(store))
    publish(other_release, None, TODAY, hub, files, SETTINGS)
    before = local_hub.snapshot()
    local_hub.requests.clear()
    publish(release, None, TODAY, hub, files, SETTINGS)
    routes, undisturbed = [request.route for request in local_hub.requests], state(local_hub)
    assert {"commit", "upload", "tag", "resolve"} <= set(routes)
    publisher = publishers[0]
    for at, done in [(n, done) for n in range(1, len(routes) + 1) for done in (False, True)]:
        if done and routes[at - 1] not in CHANGES:
            continue  # the Hub is as it was before the request
        local_hub.restore(before)
        local_hub.watch = Killer(publisher, at, done)
        publisher.begin(local_hub.url, release)
        assert publisher.end() is None, f"not killed at {at}"
        local_hub.watch = None
        assert_newest_is_whole(hub)
        revision = publish(release, None, TODAY, hub, files, SETTINGS)
        assert set(revision["version"]) == {"1.1.0"}, f"killed at {routes[at - 1]}, request {at} of {len(routes)}"
        assert state(local_hub) == undisturbed, f"killed at {routes[at - 1]}, request {at} of {len(routes)}"


@pytest.mark.slow
def test_a_first_publication_killed_at_any_change_is_healed_by_the_next(local_hub, publishers, release, store):
    """On a Hub that holds nothing: repositories are made, too."""
    hub, files = HuggingFaceHub("bench", WRITE, local_hub.url, patience=30), ReleaseFiles(UPath(store))
    publish(release, None, TODAY, hub, files, SETTINGS)
    routes, undisturbed = [request.route for request in local_hub.requests], state(local_hub)
    assert routes.count("create") == len(DATASETS)
    for at in [n for n, route in enumerate(routes, 1) if route in CHANGES]:
        local_hub.restore()
        local_hub.watch = Killer(publishers[0], at, done=True)
        publishers[0].begin(local_hub.url, release)
        assert publishers[0].end() is None
        local_hub.watch = None
        assert versions.latest(hub) in (None, "1.0.0")
        publish(release, None, TODAY, hub, files, SETTINGS)
        assert state(local_hub) == undisturbed, f"killed after {routes[at - 1]}, request {at} of {len(routes)}"


@pytest.mark.slow
@pytest.mark.parametrize("where", ["http", "folder"])
@pytest.mark.parametrize("times", range(3))
def test_of_two_processes_that_publish_at_once_one_publishes_and_the_other_says_why(
    local_hub, publishers, release, other_release, tmp_path, where, times
):
    address = local_hub.url if where == "http" else str(tmp_path)
    hub = HuggingFaceHub("bench", WRITE, local_hub.url) if where == "http" else FolderHub(tmp_path, "bench")
    for publisher, content in zip(publishers, (release, other_release), strict=True):
        publisher.begin(address, content)
    said = [publisher.end() or "" for publisher in publishers]
    published = [found.version for found in versions.releases(hub)]
    refused = [one for one in said if one.startswith("refused: ")]
    assert said.count("published") == len(published) >= 1
    assert len(refused) == 2 - len(published)
    assert all("another publisher" in one and "again" in one for one in refused)
    assert [verify(hub, version) for version in published] == [[]] * len(published)
    assert versions.partial(versions.tags_of(hub)) == []


def test_a_busy_hub_delays_a_publication_and_changes_nothing_else(local_hub, release, store):
    hub, files = HuggingFaceHub("bench", WRITE, local_hub.url, patience=30), ReleaseFiles(UPath(store))
    with LocalHub() as quiet:
        publish(release, None, TODAY, HuggingFaceHub("bench", WRITE, quiet.url), files, SETTINGS)
        undisturbed = state(quiet)
    for route in ("refs", "create", "info", "commit", "resolve", "tag"):
        local_hub.fail(route, 429, times=2, retry_after="0")
        local_hub.fail(route, 503, retry_after="0")
    local_hub.fail("commit", "lost", times=2)
    local_hub.fail("tag", 500, retry_after="0", acts=True)
    assert set(publish(release, None, TODAY, hub, files, SETTINGS)["outcome"]) == {"published"}
    assert state(local_hub) == undisturbed
    assert verify(hub, "1.0.0") == []
