"""Shared by every test: where the measured real data lies, when it is there, and a Hub on loopback."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["HF_HUB_DISABLE_XET"] = "1"  # before huggingface_hub is imported: a Hub on loopback has no Xet
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"

from dragon_pipeline_tests.local_hub.server import LocalHub

settings.register_profile("unhurried", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_configure(config: pytest.Config) -> None:
    """huggingface_hub 2.4 uploads large files in a way that its HTTP library is about to drop."""
    config.addinivalue_line("filterwarnings", "ignore:Use 'content=<...>' to upload raw:DeprecationWarning")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"needs the shared real data in {SHARED.parent.name}/{SHARED.name} beside the checkout")
    return SHARED


@pytest.fixture
def local_hub() -> Iterator[LocalHub]:
    """An empty Hub of its own for each test."""
    with LocalHub() as hub:
        yield hub
