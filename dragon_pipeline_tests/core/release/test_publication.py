from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.published import RELEASE, REVISION
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline.core.table import DAY

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"
STEPS = 4 + 4 + 4  # uploads, reads back, tags: each fails before and after its effect


class Outage(Exception):
    """What a hub raises when the connection breaks."""


class BreakingHub:
    """A hub that breaks at its n-th call of one of the three methods that publishing needs."""

    def __init__(self, hub: MemoryHub | FolderHub, at: int, done: bool) -> None:
        self._hub, self._left, self._done = hub, at, done

    def _call(self, method: Callable, *args: object):
        self._left -= 1
        if self._left == 0 and not self._done:
            raise Outage
        answer = method(*args)
        if self._left == 0:
            raise Outage
        return answer

    def tags(self, dataset: str):
        return self._hub.tags(dataset)

    def upload(self, *args: object):
        return self._call(self._hub.upload, *args)

    def read(self, *args: object):
        return self._call(self._hub.read, *args)

    def tag(self, *args: object):
        return self._call(self._hub.tag, *args)

    def exclusive(self):
        return self._hub.exclusive()


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
    hub.tag("public_texts", "1.9.0", hub.upload("public_texts", {"x": b"x"}, "by hand", False))
    hub.tag("private_qa", "1.10.0", hub.upload("private_qa", {"x": b"x"}, "by hand", True))
    hub.tag("private_qa", "sandbox", hub.upload("private_qa", {"x": b"x"}, "by hand", True))
    assert outcome(publish(release, None, TODAY, hub, files, SETTINGS)) == ("published", "1.11.0")
    assert versions.latest(hub) == "1.11.0"


def test_versions_of_other_software_are_continued_and_left_alone(hub, release, files):
    for dataset in DATASETS:
        hub.tag(dataset, "1.10.0", hub.upload(dataset, {"x": b"x"}, "by hand", False))
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


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, STEPS + 1))
def test_a_publication_that_breaks_at_any_step_is_healed_by_the_next(make, release, other_release, at, done, files):
    undisturbed, hub = make("undisturbed"), make("broken")
    for each in (undisturbed, hub):
        publish(other_release, None, TODAY, each, files, SETTINGS)
    publish(release, None, TODAY, undisturbed, files, SETTINGS)
    # the first call reads the manifest of 1.0.0
    with pytest.raises(Outage):
        publish(release, None, TODAY, BreakingHub(hub, at + 1, done), files, SETTINGS)
    whole = (at, done) == (STEPS, True)
    assert versions.latest(hub) == ("1.1.0" if whole else "1.0.0")
    tagged = [dataset for dataset in DATASETS if "1.1.0" in hub.tags(dataset)]
    assert whole or "public_questions" not in tagged
    revision = publish(release, None, TODAY, hub, files, SETTINGS)
    assert outcome(revision) == ("unchanged" if whole else "published", "1.1.0")
    assert state(hub) == state(undisturbed)
    assert verify(hub, "1.1.0") == []


@pytest.mark.parametrize("at", range(1, STEPS + 1))
def test_a_broken_publication_never_shows_when_other_content_follows(make, release, other_release, at, files):
    hub = make("broken")
    with pytest.raises(Outage):
        publish(release, None, TODAY, BreakingHub(hub, at, done=True), files, SETTINGS)
    revision = publish(other_release, None, TODAY, hub, files, SETTINGS)
    finished = at > 8  # tagged in part: the next run tags the rest first
    assert outcome(revision) == ("published", "1.1.0" if finished else "1.0.0")
    assert [verify(hub, found.version) for found in versions.releases(hub)] == [[]] * (2 if finished else 1)
    assert versions.partial(versions.tags_of(hub)) == []


def test_a_version_whose_parts_are_lost_stays_hidden_and_keeps_its_number(hub, release, other_release, files):
    with pytest.raises(Outage):
        publish(release, None, TODAY, BreakingHub(hub, 9, done=True), files, SETTINGS)
    lost = MemoryHub()
    root = hub.tags("private_qa")["1.0.0"]
    lost.tag("private_qa", "1.0.0", lost.upload("private_qa", hub.read("private_qa", root), "m", True))
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
        st.tuples(st.sampled_from(["one", "two", "three"]), st.one_of(st.none(), st.integers(1, 20)), st.booleans()),
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

    def read(self, dataset, revision, paths=None):
        found = super().read(dataset, revision, paths)
        return {path: content + b" " if path == "README.md" else content for path, content in found.items()}


def test_a_hub_that_gives_back_other_bytes_gets_no_tag(release, files):
    hub = LyingHub()
    with pytest.raises(PublicationFailed, match="gave back"):
        publish(release, None, TODAY, hub, files, SETTINGS)
    assert not any(hub.tags(dataset) for dataset in DATASETS)


def test_a_second_publisher_is_refused(hub, release, files):
    with hub.exclusive(), pytest.raises(PublicationFailed, match="another publisher"):
        publish(release, None, TODAY, hub, files, SETTINGS)
    assert versions.latest(hub) is None
