import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from upath import UPath

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.errors import PublicationConflict, PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.published import RELEASE, REVISION
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline.core.table import DAY

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"


class Outage(Exception):
    """What a hub raises when the connection breaks."""


class BreakingHub:
    """A hub that breaks at its n-th call, before it acts or after."""

    def __init__(self, hub: Hub, at: int = 0, done: bool = False) -> None:
        self._hub, self._at, self._done, self.calls = hub, at, done, 0

    def __getattr__(self, method: str) -> Callable:
        return partial(self._call, getattr(self._hub, method))

    def _call(self, method: Callable, *args: object):
        self.calls += 1
        breaks = self.calls == self._at
        if breaks and not self._done:
            raise Outage
        answer = method(*args)
        if breaks:
            raise Outage
        return answer


def put(hub: Hub, dataset: str, files: dict[str, bytes], private: bool) -> str:
    """A commit of other software."""
    return hub.commit(dataset, files, "by hand", private, hub.head(dataset))


@pytest.fixture(params=["memory", "folder"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], MemoryHub | FolderHub]:
    return lambda name: MemoryHub() if request.param == "memory" else FolderHub(tmp_path, name)


@pytest.fixture
def hub(make):
    return make("bench")


def state(hub) -> dict:
    """Everything that can be read: tags, and the files of every tagged commit."""
    return {
        dataset: {tag: (commit, hub.read(dataset, tag)) for tag, commit in hub.tags(dataset).items()} for dataset in DATASETS
    }


def outcome(revision: pl.DataFrame) -> tuple[str, str | None]:
    assert revision["outcome"].n_unique() == 1
    REVISION.check(revision)
    return revision["outcome"][0], revision["version"][0]


def test_a_first_release_is_version_1_0_0_of_all_four(hub, release, files):
    revision = publish(release, None, TODAY, hub, files, SETTINGS)
    assert outcome(revision) == ("published", "1.0.0")
    assert dict(revision.select("dataset", "commit").iter_rows()) == {d: hub.tags(d)["1.0.0"] for d in DATASETS}
    assert verify(hub, "1.0.0") == []


def test_the_middle_number_grows_by_one_from_the_highest_that_any_dataset_has(hub, release, files):
    hub.tag("public_texts", "1.9.0", put(hub, "public_texts", {"x": b"x"}, False))
    hub.tag("private_qa", "1.10.0", put(hub, "private_qa", {"x": b"x"}, True))
    hub.tag("private_qa", "sandbox", put(hub, "private_qa", {"x": b"x"}, True))
    assert outcome(publish(release, None, TODAY, hub, files, SETTINGS)) == ("published", "1.11.0")
    assert versions.latest(hub) == "1.11.0"


def test_versions_of_other_software_are_continued_and_left_alone(hub, release, files):
    for dataset in DATASETS:
        hub.tag(dataset, "1.10.0", put(hub, dataset, {"x": b"x"}, dataset.startswith("private")))
    assert outcome(publish(release, None, TODAY, hub, files, SETTINGS)) == ("published", "1.11.0")
    assert [found.version for found in versions.releases(hub)] == ["1.11.0"]


def test_the_same_day_and_content_is_not_published_twice(hub, release, files):
    first = publish(release, None, TODAY, hub, files, SETTINGS)
    before = state(hub)
    second = publish(release, None, TODAY, hub, files, SETTINGS)
    assert outcome(second) == ("unchanged", "1.0.0")
    assert second["commit"].to_list() == first["commit"].to_list()
    assert state(hub) == before


def test_other_content_of_the_same_day_is_a_new_version_and_the_old_one_stays(hub, release, other_release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    before = state(hub)
    assert outcome(publish(other_release, None, TODAY, hub, files, SETTINGS)) == ("published", "1.1.0")
    assert {dataset: {"1.0.0": named["1.0.0"]} for dataset, named in state(hub).items()} == before
    assert outcome(publish(release, None, TODAY, hub, files, SETTINGS)) == ("unchanged", "1.0.0")
    assert [found.version for found in versions.releases(hub)] == ["1.0.0", "1.1.0"]


def test_a_day_older_than_the_newest_is_past_unless_asked_for(hub, day, release, files):
    older = day.vary(day="2024-05-01").build()
    publish(release, None, TODAY, hub, files, SETTINGS)
    assert outcome(publish(older, None, "2024-05-01", hub, files, SETTINGS)) == ("past", None)
    assert versions.latest(hub) == "1.0.0"
    asked = SETTINGS.model_copy(update={"publish_past": True})
    assert outcome(publish(older, None, "2024-05-01", hub, files, asked)) == ("published", "1.1.0")
    assert outcome(publish(release, None, TODAY, hub, files, SETTINGS)) == ("unchanged", "1.0.0")


def test_an_empty_release_publishes_nothing_and_says_why(hub, files):
    revision = publish(RELEASE.empty(), None, TODAY, hub, files, SETTINGS)
    assert outcome(revision) == ("empty", None)
    assert "fewer than 2 questions" in revision["reason"][0]
    assert versions.latest(hub) is None


def test_versions_that_earlier_days_published_and_the_hub_lost_are_told(make, release, day, files):
    old = make("old")
    earlier = publish(day.vary(day="2024-05-01").build(), None, "2024-05-01", old, files, SETTINGS)
    before = earlier.with_columns(pl.lit("2024-05-01").alias(DAY))
    assert publish(release, before, TODAY, old, files, SETTINGS)["reason"].to_list() == [None] * 4
    revision = publish(release, before, TODAY, make("new"), files, SETTINGS)
    assert outcome(revision) == ("published", "1.0.0")
    assert set(revision["reason"]) == {"the hub does not hold 1.0.0 of 2024-05-01, which earlier days published"}


def steps_of(release, hub: MemoryHub, files) -> range:
    counted = BreakingHub(hub)
    publish(release, None, TODAY, counted, files, SETTINGS)
    return range(1, counted.calls + 1)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_publication_that_breaks_at_any_step_is_healed_by_the_next(release, other_release, done, files):
    undisturbed = MemoryHub()
    publish(other_release, None, TODAY, undisturbed, files, SETTINGS)
    steps = steps_of(release, undisturbed, files)
    assert len(steps) > 4 * 4  # data, manifests, reads back and tags at least
    for at in steps:
        hub = MemoryHub()
        publish(other_release, None, TODAY, hub, files, SETTINGS)
        with pytest.raises(Outage):
            publish(release, None, TODAY, BreakingHub(hub, at, done), files, SETTINGS)
        whole = all("1.1.0" in hub.tags(dataset) for dataset in DATASETS)
        assert versions.latest(hub) == ("1.1.0" if whole else "1.0.0")
        assert whole or "1.1.0" not in hub.tags("public_questions")
        revision = publish(release, None, TODAY, hub, files, SETTINGS)
        assert outcome(revision) == ("unchanged" if whole else "published", "1.1.0"), at
        assert state(hub) == state(undisturbed), at
        assert [hub.head(dataset) for dataset in DATASETS] == [undisturbed.head(dataset) for dataset in DATASETS]
        assert verify(hub, "1.1.0") == []


def test_a_broken_publication_never_shows_when_other_content_follows(release, other_release, files):
    finished = set()
    for at in steps_of(release, MemoryHub(), files):
        hub = MemoryHub()
        with pytest.raises(Outage):
            publish(release, None, TODAY, BreakingHub(hub, at, done=True), files, SETTINGS)
        begun = "1.0.0" in hub.tags("private_qa")  # tagged in part: the next run tags the rest first
        revision = publish(other_release, None, TODAY, hub, files, SETTINGS)
        assert outcome(revision) == ("published", "1.1.0" if begun else "1.0.0"), at
        assert [verify(hub, found.version) for found in versions.releases(hub)] == [[]] * (2 if begun else 1), at
        assert versions.partial(versions.tags_of(hub)) == []
        finished.add(begun)
    assert finished == {False, True}


def test_a_version_whose_parts_are_lost_stays_hidden_and_keeps_its_number(release, other_release, files):
    hub, lost = MemoryHub(), MemoryHub()
    publish(release, None, TODAY, hub, files, SETTINGS)
    lost.tag("private_qa", "1.0.0", put(lost, "private_qa", hub.read("private_qa", "1.0.0"), True))
    assert outcome(publish(other_release, None, TODAY, lost, files, SETTINGS)) == ("published", "1.1.0")
    assert versions.latest(lost) == "1.1.0"
    assert [found.version for found in versions.releases(lost)] == ["1.1.0"]


@pytest.fixture(scope="module")
def contents(day, release, other_release) -> dict[str, tuple[str, pl.DataFrame]]:
    tomorrow = day.vary(day="2024-05-03").build()
    return {"one": (TODAY, release), "two": (TODAY, other_release), "three": ("2024-05-03", tomorrow)}


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["one", "two", "three"]), st.one_of(st.none(), st.integers(1, 90)), st.booleans()),
        max_size=6,
    )
)
def test_whatever_breaks_in_any_order_every_version_shown_is_whole_and_no_tag_moves(contents, steps, files):
    hub, seen = MemoryHub(), {}
    for name, at, done in steps:
        day, release = contents[name]
        with suppress(Outage):
            publish(release, None, day, hub if at is None else BreakingHub(hub, at, done), files, SETTINGS)
        shown = {(d, tag): commit for d in DATASETS for tag, commit in hub.tags(d).items()}
        assert seen.items() <= shown.items()
        seen = shown
    publish(contents["three"][1], None, "2024-05-03", hub, files, SETTINGS)
    assert versions.partial(versions.tags_of(hub)) == []
    published = versions.releases(hub)
    assert [found.version for found in published] == [f"1.{n}.0" for n in range(len(published))]
    assert len({(found.day, found.content) for found in published}) == len(published)
    assert [verify(hub, found.version) for found in published] == [[]] * len(published)


class LyingHub(MemoryHub):
    """Gives back other bytes than it took."""

    def digests(self, dataset, revision):
        return super().digests(dataset, revision) | {"README.md": "0" * 64}


def test_a_hub_that_gives_back_other_bytes_gets_no_tag(release, files):
    hub = LyingHub()
    with pytest.raises(PublicationFailed, match="gave back"):
        publish(release, None, TODAY, hub, files, SETTINGS)
    assert not any(hub.tags(dataset) for dataset in DATASETS)


def test_a_manifest_names_version_content_and_the_data_commits_of_all_four(hub, release, files):
    revision = publish(release, None, TODAY, hub, files, SETTINGS)
    told = [versions.read_manifest(hub, "1.0.0", dataset) for dataset in DATASETS]
    assert {manifest["version"] for manifest in told} == {"1.0.0"}
    assert {manifest["content"] for manifest in told} == set(revision["content"])
    assert all(manifest["commits"] == told[0]["commits"] for manifest in told)
    for dataset, commit in told[0]["commits"].items():
        data, tagged = hub.digests(dataset, commit), hub.digests(dataset, "1.0.0")
        assert tagged.pop("manifest.json")
        assert data == tagged


@pytest.fixture(scope="module")
def shared_files(contents, files, tmp_path_factory) -> FileStore:
    """The same files for publishers in several threads, which the store in memory is not for."""
    shared = ReleaseFiles(UPath(tmp_path_factory.mktemp("files")))
    for _, release in contents.values():
        for digest in release["sha256"]:
            with files.local(digest) as path:
                shared.add(partial(shutil.copyfile, path))
    return shared


class TurnsHub:
    """A hub at which two publishers take turns, call by call, as a list of turns says; then as they come."""

    def __init__(self, hub: Hub, turns: list[bool]) -> None:
        self.hub, self.turns, self.busy = hub, turns, [True, True]
        self.changed = threading.Condition()

    def of(self, publisher: bool) -> "Turn":
        return Turn(self, publisher)


class Turn:
    def __init__(self, all: TurnsHub, publisher: bool) -> None:
        self._all, self._publisher = all, publisher

    def __getattr__(self, method: str) -> Callable:
        return partial(self._call, getattr(self._all.hub, method))

    def _call(self, method: Callable, *args: object):
        with self._all.changed:
            self._all.changed.wait_for(self._may)
            if self._all.turns:
                self._all.turns.pop(0)
            self._all.changed.notify_all()
            return method(*args)

    def _may(self) -> bool:
        turns = self._all.turns
        return not turns or turns[0] == self._publisher or not self._all.busy[turns[0]]

    def leave(self) -> None:
        with self._all.changed:
            self._all.busy[self._publisher] = False
            self._all.changed.notify_all()


def both_publish(turns: TurnsHub, releases: tuple[pl.DataFrame, pl.DataFrame], files) -> list[tuple[str, str | None] | str]:
    """What each of two publishers says in the end: its outcome, or why it was refused."""

    def one(publisher: bool) -> tuple[str, str | None] | str:
        hub = turns.of(publisher)
        try:
            return outcome(publish(releases[publisher], None, TODAY, hub, files, SETTINGS))  # type: ignore[arg-type]
        except PublicationConflict as error:
            return str(error)
        finally:
            hub.leave()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, (False, True)))


@settings(max_examples=100, deadline=None)
@given(runs=st.lists(st.tuples(st.booleans(), st.integers(1, 40)), max_size=8), same=st.booleans())
def test_of_two_publishers_at_once_one_publishes_and_the_other_says_why(contents, shared_files, runs, same):
    release, other = contents["one"][1], contents["two"][1]
    hub = MemoryHub()
    turns = TurnsHub(hub, [publisher for publisher, calls in runs for _ in range(calls)])
    told = both_publish(turns, (release, release if same else other), shared_files)
    published = [found.version for found in versions.releases(hub)]
    assert [verify(hub, version) for version in published] == [[]] * len(published)
    assert versions.partial(versions.tags_of(hub)) == []
    done = {version for answer in told if not isinstance(answer, str) for _, version in [answer]}
    assert done == set(published) != set()
    refused = [answer for answer in told if isinstance(answer, str)]
    assert all("another publisher" in answer and "again" in answer for answer in refused)
    assert len(published) == 1 or not (refused or same)


def test_a_publisher_that_was_overtaken_is_refused_and_the_other_publishes(release, other_release, shared_files):
    """At every step of one publisher, the other publishes the whole of its own."""
    steps, refused = steps_of(release, MemoryHub(), shared_files), 0
    for at in steps:
        hub = MemoryHub()
        turns = TurnsHub(hub, [False] * at + [True] * len(steps) * 3)
        first, second = both_publish(turns, (release, other_release), shared_files)
        published = versions.releases(hub)
        refused += isinstance(first, str)
        assert isinstance(second, tuple), at
        assert len(published) == (1 if isinstance(first, str) else 2), at
        assert [verify(hub, found.version) for found in published] == [[]] * len(published)
    assert refused > 10
