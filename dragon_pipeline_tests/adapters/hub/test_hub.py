"""One suite over every hub."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.hub.commits import commit_id
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import BadInput, PublicationConflict, PublicationFailed
from dragon_pipeline.core.hub import Content, Hub
from dragon_pipeline.core.ids import sha256
from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

ONE: dict[str, Content] = {"README.md": b"one", "data/train.parquet": b"\x00\x01"}
TWO: dict[str, Content] = {"README.md": b"two", "data/train.parquet": b"\x00\x02"}


@pytest.fixture(params=["memory", "folder", "huggingface"])
def hub(request: pytest.FixtureRequest, tmp_path: Path, local_hub: LocalHub) -> Hub:
    if request.param == "huggingface":
        return HuggingFaceHub("bench", WRITE, local_hub.url, patience=0)
    return MemoryHub() if request.param == "memory" else FolderHub(tmp_path / "hub", "bench")


def put(hub: Hub, files: dict[str, Content], message: str = "message", private: bool = False) -> str:
    return hub.commit("texts", files, message, private, hub.head("texts"))


def test_an_unknown_dataset_has_no_head_and_no_tags(hub):
    assert hub.head("nothing") is None
    assert hub.tags("nothing") == {}


@pytest.mark.parametrize("private", [True, False])
def test_who_may_read_a_dataset_is_known(hub, private):
    assert hub.is_private("texts") is None
    put(hub, ONE, private=private)
    assert hub.is_private("texts") is private


def test_what_was_committed_is_read_back_by_commit_and_tag(hub):
    commit = put(hub, ONE)
    hub.tag("texts", "1.0.0", commit)
    assert hub.read("texts", commit) == ONE == hub.read("texts", "1.0.0")
    assert hub.head("texts") == commit


def test_only_the_named_paths_are_read(hub):
    commit = put(hub, ONE)
    assert hub.read("texts", commit, ["README.md", "absent"]) == {"README.md": b"one"}
    assert hub.read("texts", commit, []) == {}


def test_the_files_of_a_commit_are_listed(hub):
    assert hub.paths("texts", put(hub, ONE)) == ["README.md", "data/train.parquet"]


def test_digests_are_of_what_the_hub_gives_back(hub):
    commit = put(hub, {**ONE, "empty": b""})
    assert hub.digests("texts", commit) == {path: sha256(content) for path, content in hub.read("texts", commit).items()}
    assert len(hub.digests("texts", commit)) == 3


def test_a_file_is_streamed_from_disk_and_to_disk(hub, tmp_path):
    big = bytes(range(256)) * 20_000
    (tmp_path / "big").write_bytes(big)
    commit = put(hub, {"data/big.parquet": tmp_path / "big"})
    hub.fetch("texts", commit, "data/big.parquet", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == big


def test_a_file_that_is_not_there_cannot_be_fetched(hub, tmp_path):
    commit = put(hub, ONE)
    with pytest.raises(PublicationFailed, match="absent"):
        hub.fetch("texts", commit, "absent", tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_a_commit_holds_exactly_its_own_files(hub):
    put(hub, {**ONE, "extra": b"x", "deep/er": b"y"})
    assert hub.read("texts", put(hub, ONE)) == ONE


def test_a_file_can_be_kept_as_the_parent_has_it(hub):
    put(hub, ONE)
    kept = put(hub, {"README.md": b"two", "data/train.parquet": None})
    assert hub.read("texts", kept) == {**ONE, "README.md": b"two"}


def test_a_file_that_the_parent_lacks_cannot_be_kept(hub):
    commit = put(hub, ONE)
    with pytest.raises(BadInput, match=r"no absent\.json to keep"):
        put(hub, {"README.md": None, "absent.json": None})
    assert hub.head("texts") == commit


def test_what_is_there_already_is_no_new_commit(hub):
    first = put(hub, ONE, "first")
    assert put(hub, dict(reversed(ONE.items())), "second") == first
    assert put(hub, dict.fromkeys(ONE), "third") == first
    assert put(hub, TWO, "fourth") != first


def test_a_commit_on_another_parent_than_the_newest_is_refused(hub):
    first = put(hub, ONE)
    second = put(hub, TWO)
    for parent in (first, None, "f" * 40):
        with pytest.raises(PublicationConflict, match="another publisher has committed"):
            hub.commit("texts", {"x": b"x"}, "message", False, parent)
        with pytest.raises(PublicationConflict):
            hub.commit("texts", TWO, "message", False, parent)
    assert hub.head("texts") == second
    assert hub.read("texts", second) == TWO


def test_a_dataset_that_is_not_there_is_no_parent(hub):
    with pytest.raises(PublicationConflict):
        hub.commit("texts", ONE, "message", False, "f" * 40)
    assert hub.head("texts") is None


@pytest.mark.parametrize("private", [True, False])
def test_a_dataset_of_the_other_visibility_gets_no_commit(hub, private):
    commit = put(hub, ONE, private=not private)
    with pytest.raises(PublicationFailed, match=f"must be {'private' if private else 'public'}: nothing was committed"):
        put(hub, TWO, private=private)
    assert hub.head("texts") == commit


def test_of_commits_at_once_one_is_made(hub):
    parent = put(hub, ONE)

    def commit(number: int) -> str | None:
        try:
            return hub.commit("texts", {"x": bytes([number])}, f"message {number}", False, parent)
        except PublicationConflict:
            return None

    with ThreadPoolExecutor(4) as pool:
        made = [commit for commit in pool.map(commit, range(4)) if commit]
    assert made == [hub.head("texts")]


def test_older_tags_stay_readable(hub):
    for number, files in enumerate((ONE, TWO)):
        hub.tag("texts", f"1.{number}.0", put(hub, files))
    assert hub.read("texts", "1.0.0") == ONE
    assert set(hub.tags("texts")) == {"1.0.0", "1.1.0"}


def test_a_tag_never_moves(hub):
    one, two = (put(hub, files) for files in (ONE, TWO))
    hub.tag("texts", "1.0.0", one)
    hub.tag("texts", "1.0.0", one)
    with pytest.raises(PublicationConflict, match="never moves"):
        hub.tag("texts", "1.0.0", two)
    assert hub.tags("texts") == {"1.0.0": one}


def test_a_commit_alone_changes_no_tag(hub):
    hub.tag("texts", "1.0.0", put(hub, ONE))
    put(hub, TWO)
    assert hub.read("texts", "1.0.0") == ONE


@pytest.mark.parametrize("revision", ["1.0.0", "f" * 40, "..", "", ".new-x"])
def test_an_unknown_revision_is_said(hub, tmp_path, revision):
    put(hub, ONE)
    for ask in (hub.read, hub.digests, hub.paths):
        with pytest.raises(PublicationFailed, match="texts"):
            ask("texts", revision)
        with pytest.raises(PublicationFailed, match="nothing"):
            ask("nothing", revision)
    with pytest.raises(PublicationFailed, match="texts"):
        hub.fetch("texts", revision, "README.md", tmp_path / "back")


def test_an_unknown_commit_cannot_be_tagged(hub):
    put(hub, ONE)
    with pytest.raises(PublicationFailed):
        hub.tag("texts", "1.0.0", "f" * 40)


@pytest.mark.parametrize("path", ["../evil", "/etc/evil", "a/../../evil", "", "a//b", ".gitattributes"])
def test_a_path_that_leaves_its_repository_or_is_the_hubs_own_is_refused(hub, path):
    with pytest.raises(BadInput):
        put(hub, {path: b""})


def test_a_commit_without_files_is_refused(hub):
    with pytest.raises(BadInput):
        put(hub, {})


FILES = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(["0", "1"]), min_size=1)


@given(FILES, FILES, st.sampled_from([None, "p"]), st.sampled_from([None, "p"]))
def test_other_files_or_another_parent_give_another_commit(files, other, parent, other_parent):
    same = (files, parent) == (other, other_parent)
    assert (commit_id(parent, "message", files) == commit_id(other_parent, "message", other)) == same
