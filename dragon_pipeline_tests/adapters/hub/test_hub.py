"""One suite over every hub."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.hub.commits import commit_of
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import BadInput, PublicationFailed

ONE = {"README.md": b"one", "data/train.parquet": b"\x00\x01"}
TWO = {"README.md": b"two", "data/train.parquet": b"\x00\x02"}


@pytest.fixture(params=["memory", "folder"])
def hub(request: pytest.FixtureRequest, tmp_path: Path):
    return MemoryHub() if request.param == "memory" else FolderHub(tmp_path, "bench")


def test_an_unknown_dataset_has_no_tags(hub):
    assert hub.tags("nothing") == {}


def test_what_was_uploaded_is_read_back_by_commit_and_tag(hub):
    commit = hub.upload("texts", ONE, "first", private=False)
    hub.tag("texts", "1.0.0", commit)
    assert hub.read("texts", commit) == ONE == hub.read("texts", "1.0.0")


def test_only_the_named_paths_are_read(hub):
    commit = hub.upload("texts", ONE, "first", private=False)
    assert hub.read("texts", commit, ["README.md", "absent"]) == {"README.md": b"one"}


def test_a_commit_holds_exactly_its_own_files(hub):
    hub.upload("texts", {**ONE, "extra": b"x"}, "first", private=False)
    assert hub.read("texts", hub.upload("texts", ONE, "second", private=False)) == ONE


def test_equal_content_gives_an_equal_commit(hub):
    first = hub.upload("texts", ONE, "first", private=False)
    second = hub.upload("texts", TWO, "second", private=False)
    assert hub.upload("texts", dict(reversed(ONE.items())), "third", private=False) == first != second


def test_older_tags_stay_readable(hub):
    for number, files in enumerate((ONE, TWO)):
        hub.tag("texts", f"1.{number}.0", hub.upload("texts", files, "message", private=False))
    assert hub.read("texts", "1.0.0") == ONE
    assert set(hub.tags("texts")) == {"1.0.0", "1.1.0"}


def test_a_tag_never_moves(hub):
    one, two = (hub.upload("texts", files, "message", private=False) for files in (ONE, TWO))
    hub.tag("texts", "1.0.0", one)
    hub.tag("texts", "1.0.0", one)
    with pytest.raises(PublicationFailed, match="never moves"):
        hub.tag("texts", "1.0.0", two)
    assert hub.tags("texts") == {"1.0.0": one}


def test_an_upload_alone_changes_no_tag(hub):
    hub.tag("texts", "1.0.0", hub.upload("texts", ONE, "message", private=False))
    hub.upload("texts", TWO, "message", private=False)
    assert hub.read("texts", "1.0.0") == ONE


@pytest.mark.parametrize("revision", ["1.0.0", "f" * 40, "..", "", ".new-x"])
def test_an_unknown_revision_is_said(hub, revision):
    hub.upload("texts", ONE, "message", private=False)
    with pytest.raises(PublicationFailed, match="texts"):
        hub.read("texts", revision)


def test_an_unknown_commit_cannot_be_tagged(hub):
    hub.upload("texts", ONE, "message", private=False)
    with pytest.raises(PublicationFailed):
        hub.tag("texts", "1.0.0", "f" * 40)


@pytest.mark.parametrize("path", ["../evil", "/etc/evil", "a/../../evil", "", "a//b"])
def test_a_path_cannot_leave_its_repository(hub, path):
    with pytest.raises(BadInput):
        hub.upload("texts", {path: b""}, "message", private=False)


def test_a_second_publisher_is_refused_until_the_first_is_done(hub):
    with hub.exclusive(), pytest.raises(PublicationFailed, match="another publisher"), hub.exclusive():
        pass
    with hub.exclusive():
        pass


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.binary(max_size=3), min_size=1), st.data())
def test_other_files_give_another_commit(files, data):
    other = data.draw(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.binary(max_size=3), min_size=1))
    assert (commit_of(files) == commit_of(other)) == (files == other)
