from hashlib import sha256
from pathlib import Path

import pytest
from upath import UPath

from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release.files import StoredFile

DATA = "Мост открыт.".encode()
NAME = sha256(DATA).hexdigest()


@pytest.fixture(params=["folder", "objects"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> UPath:
    """A folder, and what stands for S3: it has no renames and no local paths."""
    return UPath(tmp_path / "files") if request.param == "folder" else UPath(f"memory://store{tmp_path}")


@pytest.fixture
def store(root: UPath) -> ReleaseFiles:
    return ReleaseFiles(root)


def put(store: ReleaseFiles, data: bytes = DATA) -> StoredFile:
    return store.add(lambda path: _write(path, data))


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def names(root: UPath) -> list[str]:
    return sorted(path.name for path in root.rglob("*") if path.is_file())


def test_a_file_is_named_by_its_content_and_comes_back(store):
    assert put(store) == StoredFile(NAME, len(DATA))
    with store.local(NAME) as path:
        assert isinstance(path, Path)
        assert path.read_bytes() == DATA


def test_the_same_content_is_kept_once(store, root):
    assert put(store) == put(store)
    assert names(root) == [NAME]


def test_a_file_whose_writing_fails_is_not_there(store, root):
    def torn(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        store.add(torn)
    assert not root.exists() or names(root) == []


def test_a_file_that_is_not_there_is_said(store):
    with pytest.raises(PublicationFailed, match=r"not in the store any more.*`release`"), store.local(NAME):
        pass


def test_a_file_that_was_changed_is_said_and_can_be_written_again(store, root):
    put(store)
    (root / NAME[:2] / NAME).write_bytes(b"torn")
    with pytest.raises(PublicationFailed, match="other content"), store.local(NAME):
        pass
    put(store)
    with store.local(NAME) as path:
        assert path.read_bytes() == DATA


def test_scratch_is_empty_and_gone_afterwards(store):
    with store.scratch() as folder:
        assert list(folder.iterdir()) == []
        (folder / "much").write_bytes(DATA)
    assert not folder.exists()


def test_what_a_killed_run_left_is_written_over(tmp_path):
    left = tmp_path / NAME[:2] / f".{NAME}"
    left.parent.mkdir()
    left.write_bytes(b"half")
    put(ReleaseFiles(UPath(tmp_path)))
    assert names(UPath(tmp_path)) == [NAME]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / NAME[:2] / NAME / "in the way").mkdir(parents=True)
    with pytest.raises(OSError) as told:
        put(ReleaseFiles(UPath(tmp_path)))
    assert told.value.filename == str(tmp_path / NAME[:2] / NAME)
