"""What the pipeline publishes, as the client loads, runs and scores it."""

from pathlib import Path

import polars as pl
import pytest

import rag_bench
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import read_table
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import READ, WRITE
from rag_bench.baseline import Baseline
from rag_bench.errors import RagBenchWarning

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"


@pytest.fixture(params=["folder", "huggingface"])
def shelf(request, tmp_path: Path, local_hub, monkeypatch):
    """A hub to publish to, and how the client loads from it."""
    monkeypatch.setenv("HF_TOKEN", READ)
    if request.param == "folder":
        folder = tmp_path / "hub"
        return FolderHub(folder, "bench"), lambda version="latest": rag_bench.load(version, folder, namespace="bench")
    where = {"namespace": "bench", "endpoint": local_hub.url, "cache": tmp_path / "cache"}
    return HuggingFaceHub("bench", WRITE, local_hub.url, patience=5), lambda version="latest": rag_bench.load(version, **where)


def test_the_client_loads_what_was_published_and_passes_over_what_was_withdrawn(shelf, release, other_release, files):
    hub, load = shelf
    for each in (other_release, release):
        publish(each, None, TODAY, hub, files, SETTINGS)
    loaded = load()
    assert loaded.version == "1.1.0" and loaded.gold and loaded.manifest["day"] == TODAY
    tables = {"public_texts": loaded.texts, "public_questions": loaded.questions}
    tables |= {"private_texts": loaded.gold.private_texts, "private_qa": loaded.gold.private_qa}
    for dataset, rows in tables.items():
        assert pl.DataFrame(rows.to_pylist()).equals(read_table(hub, dataset, "1.1.0").select(rows.column_names))
    withdraw(hub, "1.1.0", "в ответах нашлась ошибка")
    assert load().version == "1.0.0"
    with pytest.warns(RagBenchWarning, match=r"1\.1\.0 was withdrawn: в ответах нашлась ошибка"):
        assert load("1.1.0").version == "1.1.0"


def test_a_baseline_runs_on_it_and_is_scored(shelf, release, files):
    hub, load = shelf
    publish(release, None, TODAY, hub, files, SETTINGS)
    loaded = load()
    run = rag_bench.run(Baseline(loaded.texts), loaded)
    assert rag_bench.check(run, loaded, k=1).ok
    scores = rag_bench.evaluate(run, loaded, "standard")
    assert scores.mean("Hit@5") == 1.0 and scores.mean("Substring") > 0
