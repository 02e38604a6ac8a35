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


def publish(hub: FolderHub, version: str, files: dict[str, bytes]) -> None:
    hub.tag("texts", version, hub.upload("texts", files, "message", private=False))


def test_the_folder_shows_the_newest_version_by_number(hub):
    publish(hub, "1.10.0", TWO)
    publish(hub, "1.9.0", ONE)
    assert (hub.location("texts") / "README.md").read_bytes() == b"two"
    assert (hub.location("texts") / "tags" / "1.9.0" / "data" / "x").read_bytes() == b"1"


def test_an_untagged_upload_is_not_shown(hub):
    publish(hub, "1.0.0", ONE)
    hub.upload("texts", TWO, "message", private=False)
    assert (hub.location("texts") / "data" / "x").read_bytes() == b"1"


def test_a_file_that_the_newest_version_lacks_is_not_shown(hub):
    publish(hub, "1.0.0", {**ONE, "old.txt": b"x"})
    publish(hub, "1.1.0", TWO)
    assert {entry.name for entry in hub.location("texts").iterdir()} == {"README.md", "data", "commits", "tags", "current"}


def test_only_the_owner_enters_a_private_dataset(hub):
    hub.upload("qa", ONE, "message", private=True)
    hub.upload("texts", ONE, "message", private=False)
    assert stat.S_IMODE(hub.location("qa").stat().st_mode) == 0o700
    assert stat.S_IMODE(hub.location("texts").stat().st_mode) == 0o755


def test_a_private_dataset_that_was_opened_up_is_closed_again(hub):
    hub.upload("qa", ONE, "message", private=True)
    hub.location("qa").chmod(0o755)
    hub.upload("qa", TWO, "message", private=True)
    assert stat.S_IMODE(hub.location("qa").stat().st_mode) == 0o700


@pytest.mark.parametrize("path", ["commits/x", "tags/1.0.0", "current"])
def test_names_that_the_layout_needs_are_refused(hub, path):
    with pytest.raises(BadInput):
        hub.upload("texts", {path: b""}, "message", private=False)


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden"])
def test_a_dataset_or_namespace_cannot_leave_the_root(tmp_path, name):
    with pytest.raises(BadInput):
        FolderHub(tmp_path, name)
    with pytest.raises(BadInput):
        FolderHub(tmp_path, "bench").upload(name, ONE, "message", private=False)


def test_a_publisher_in_another_process_is_refused(hub, tmp_path):
    code = (
        "import sys; from pathlib import Path; from dragon_pipeline.adapters.hub.folder import FolderHub\n"
        "with FolderHub(Path(sys.argv[1]), 'bench').exclusive():\n    print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(PublicationFailed, match="another publisher"), hub.exclusive():
            pass
        other.kill()
        other.wait()
    with hub.exclusive():
        pass


def test_what_a_killed_upload_left_is_cleared(hub):
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
