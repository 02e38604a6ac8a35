from pathlib import Path

import pytest

from dragon_pipeline.commands.failures import FULL, advice, of_system


@pytest.mark.parametrize("words", FULL)
def test_a_full_disk_is_told_to_be_made_room_on(tmp_path: Path, words: str):
    assert f"make room at {tmp_path}" in advice(f"step: {words}", tmp_path)


def test_of_another_failure_nothing_is_advised(tmp_path: Path):
    assert advice("Permission denied", tmp_path) == ""


def test_a_home_that_could_not_even_be_made_has_a_disk_too(tmp_path: Path):
    assert f"make room at {tmp_path}" in advice("No space left on device", tmp_path / "not" / "there")


def test_a_failure_that_names_no_file_names_the_home(tmp_path: Path):
    assert of_system(OSError(28, "No space left on device"), tmp_path).startswith(f"{tmp_path}: No space left on device\nmake")
    assert of_system(OSError(13, "Permission denied", "/x"), tmp_path) == "/x: Permission denied"
