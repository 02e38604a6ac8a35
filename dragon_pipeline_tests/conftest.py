"""Shared by every test: where the measured real data lies, when it is there."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"needs the shared real data in {SHARED.parent.name}/{SHARED.name} beside the checkout")
    return SHARED
