"""What the client's tests share: a small release in a folder hub."""

from pathlib import Path

import pytest

import rag_bench
from dragon_pipeline_tests.rag_bench.releasing import publish


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A folder hub with version 1.1.0 of three questions and three texts."""
    publish(tmp_path / "hub", "1.1.0")
    return tmp_path / "hub"


@pytest.fixture
def release(hub: Path) -> rag_bench.Release:
    return rag_bench.load(source=hub)
