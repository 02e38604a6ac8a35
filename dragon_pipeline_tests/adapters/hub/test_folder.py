import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.core.errors import BadInput, PublicationFailed

ONE, TWO = {"README.md": b"one", "data/x": b"1"}, {"README.md": b"two", "data/x": b"2"}


@pytest.fixture
def hub(tmp_path: Path) -> FolderHub:
    return FolderHub(tmp_path, "bench")


def put(hub: FolderHub, dataset: str, files: dict[str, bytes], private: bool = False) -> str:
    return hub.commit(dataset, files, "message", private, hub.head(dataset))


def publish(hub: FolderHub, version: str, files: dict[str, bytes]) -> None:
    hub.tag("texts", version, put(hub, "texts", files))


def test_the_folder_shows_the_newest_version_by_number(hub):
    publish(hub, "1.10.0", TWO)
    publish(hub, "1.9.0", ONE)
    assert (hub.location("texts") / "README.md").read_bytes() == b"two"
    assert (hub.location("texts") / "tags" / "1.9.0" / "data" / "x").read_bytes() == b"1"


def test_an_untagged_commit_is_not_shown(hub):
    publish(hub, "1.0.0", ONE)
    put(hub, "texts", TWO)
    assert (hub.location("texts") / "data" / "x").read_bytes() == b"1"


def test_a_file_that_the_newest_version_lacks_is_not_shown(hub):
    publish(hub, "1.0.0", {**ONE, "old.txt": b"x"})
    publish(hub, "1.1.0", TWO)
    assert {entry.name for entry in hub.location("texts").iterdir()} == {
        "README.md",
        "data",
        "commits",
        "tags",
        "current",
        "head",
    }


def test_only_the_owner_enters_a_private_dataset(hub):
    put(hub, "qa", ONE, private=True)
    put(hub, "texts", ONE)
    assert stat.S_IMODE(hub.location("qa").stat().st_mode) == 0o700
    assert stat.S_IMODE(hub.location("texts").stat().st_mode) == 0o755


def test_a_private_dataset_that_was_opened_up_gets_no_more_secrets(hub):
    put(hub, "qa", ONE, private=True)
    hub.location("qa").chmod(0o755)
    with pytest.raises(PublicationFailed, match="qa is public on the hub and must be private"):
        put(hub, "qa", TWO, private=True)
    assert not any(b"two" in file.read_bytes() for file in hub.location("qa").rglob("README.md"))


def test_a_dataset_that_a_killed_run_made_and_left_empty_is_closed_before_it_is_filled(hub):
    hub.location("qa").mkdir(parents=True, mode=0o755)
    put(hub, "qa", ONE, private=True)
    assert stat.S_IMODE(hub.location("qa").stat().st_mode) == 0o700


def test_a_file_that_the_parent_has_costs_no_disk(hub, tmp_path):
    (tmp_path / "table").write_bytes(b"1")
    first = put(hub, "texts", ONE)
    second = hub.commit("texts", {"README.md": b"two", "data/x": tmp_path / "table"}, "message", False, first)
    third = hub.commit("texts", {"README.md": None, "data/x": None, "new": b""}, "message", False, second)
    commits = hub.location("texts") / "commits"
    assert len({(commits / commit / "data" / "x").stat().st_ino for commit in (first, second, third)}) == 1
    assert (commits / third / "README.md").samefile(commits / second / "README.md")
    assert not (commits / third / "data" / "x").samefile(tmp_path / "table")


def test_a_commit_that_changes_the_card_alone_is_shown(hub):
    publish(hub, "1.0.0", ONE)
    put(hub, "texts", {**ONE, "README.md": b"about one", "more.json": b"{}"})
    assert (hub.location("texts") / "README.md").read_bytes() == b"about one"
    assert (hub.location("texts") / "more.json").exists()
    assert hub.read("texts", "1.0.0") == ONE
    put(hub, "texts", TWO)  # a version that is not tagged yet
    assert (hub.location("texts") / "README.md").read_bytes() == b"one"
    assert not (hub.location("texts") / "more.json").exists()


@pytest.mark.parametrize("path", ["commits/x", "tags/1.0.0", "current", "head"])
def test_names_that_the_layout_needs_are_refused(hub, path):
    with pytest.raises(BadInput):
        put(hub, "texts", {path: b""})


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden"])
def test_a_dataset_or_namespace_cannot_leave_the_root(tmp_path, name):
    with pytest.raises(BadInput):
        FolderHub(tmp_path, name)
    with pytest.raises(BadInput):
        put(FolderHub(tmp_path, "bench"), name, ONE)


def test_of_publishers_in_several_processes_one_commits(hub, tmp_path):
    put(hub, "texts", ONE)
    code = (
        "import sys; from pathlib import Path; from dragon_pipeline.adapters.hub.folder import FolderHub\n"
        "from dragon_pipeline.core.errors import PublicationConflict\n"
        "hub = FolderHub(Path(sys.argv[1]), 'bench'); print(flush=True); sys.stdin.readline()\n"
        "try: print(hub.commit('texts', {'x': sys.argv[3].encode() * 100_000}, 'm', False, sys.argv[2]))\n"
        "except PublicationConflict as error: print(error)"
    )
    publishers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), str(hub.head("texts")), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in "abcd"
    ]
    for publisher in publishers:
        assert publisher.stdout is not None
        publisher.stdout.readline()
    for publisher in publishers:
        assert publisher.stdin is not None
        publisher.stdin.write("\n")
        publisher.stdin.flush()
    told = [publisher.communicate()[0].strip() for publisher in publishers]
    assert told.count(str(hub.head("texts"))) == 1
    assert sum("another publisher has committed" in answer for answer in told) == 3


def test_what_a_killed_commit_left_is_cleared(hub):
    publish(hub, "1.0.0", ONE)
    left = hub.location("texts") / "commits" / ".new-abc"
    left.mkdir()
    (left / "half").write_bytes(b"x")
    publish(hub, "1.1.0", TWO)
    assert not left.exists()


def test_the_hub_can_be_moved(hub, tmp_path):
    publish(hub, "1.0.0", ONE)
    (tmp_path / "bench").rename(tmp_path / "moved")
    moved = FolderHub(tmp_path, "moved")
    assert moved.read("texts", "1.0.0") == ONE
    assert (moved.location("texts") / "README.md").read_bytes() == b"one"


def test_it_says_where_it_is(hub, tmp_path):
    assert hub.examine() == f"{tmp_path}/bench, written to"


@pytest.mark.parametrize("name", ["README.md", "data", "notes.txt"])
def test_what_other_software_put_into_the_folder_is_not_written_over(tmp_path, name):
    hub = FolderHub(tmp_path, "bench")
    folder = hub.location("texts")
    folder.mkdir(parents=True, mode=0o755)
    (folder / name).write_text("of others")
    with pytest.raises(PublicationFailed, match=f"holds {name}, which this hub did not put there: nothing was written"):
        hub.commit("texts", {"README.md": b"# texts"}, "message", True, None)
    assert {entry.name: entry.read_text() for entry in folder.iterdir()} == {name: "of others"}
    assert folder.stat().st_mode & 0o777 == 0o755


def test_a_hub_that_was_copied_without_its_links_is_said(tmp_path):
    hub = FolderHub(tmp_path / "one", "bench")
    hub.tag("texts", "1.0.0", hub.commit("texts", {"README.md": b"# texts"}, "message", False, None))
    shutil.copytree(tmp_path / "one", tmp_path / "two", symlinks=False)
    copied = FolderHub(tmp_path / "two", "bench")
    assert copied.tags("texts") == {}
    with pytest.raises(PublicationFailed, match="a copied hub needs its links"):
        copied.commit("texts", {"README.md": b"# other"}, "message", False, copied.head("texts"))


def test_what_is_no_link_among_the_tags_is_no_tag(tmp_path):
    hub = FolderHub(tmp_path, "bench")
    commit = hub.commit("texts", {"README.md": b"# texts"}, "message", False, None)
    hub.tag("texts", "1.0.0", commit)
    (hub.location("texts") / "tags" / ".DS_Store").write_bytes(b"")
    (hub.location("texts") / "tags" / "1.1.0").mkdir()
    (hub.location("texts") / ".DS_Store").write_bytes(b"")
    assert hub.tags("texts") == {"1.0.0": commit}
    assert hub.commit("texts", {"README.md": b"# other"}, "message", False, commit) == hub.head("texts")
