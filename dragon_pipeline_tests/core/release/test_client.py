"""What the pipeline publishes, as the client loads, runs and scores it."""

from pathlib import Path

import polars as pl
import pytest

import rag_bench
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.core.release.opening import open_versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.sandbox import SandboxHub
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE, read_table
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
        return FolderHub(folder, "bench"), lambda *told, **how: rag_bench.load(
            *(told or ["latest"]), folder, namespace="bench", **how
        )
    where = {"namespace": "bench", "endpoint": local_hub.url, "cache": tmp_path / "cache"}
    return HuggingFaceHub("bench", WRITE, local_hub.url, patience=5), lambda *told, **how: rag_bench.load(*told, **where, **how)


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


def test_everyone_has_the_gold_of_the_sandbox_and_of_opened_versions(
    shelf, release, other_release, files, monkeypatch, tmp_path
):
    hub, load = shelf
    for each in (other_release, release):
        publish(each, None, TODAY, hub, files, SETTINGS)
    publish(other_release, None, TODAY, SandboxHub(hub), files, SETTINGS)
    open_versions(hub, ["1.0.0", "1.1.0"], even_newest=True)
    gold = load().gold
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    hide(hub)
    sandbox, opened = load(sandbox=True), load("opened")
    assert sandbox.gold and sandbox.version == "1.0.0" and set(sandbox.commits) == {f"sandbox_{name}" for name in DATASETS}
    assert opened.version == "1.1.0" and opened.gold == gold and {"opened_qa", "opened_texts"} < set(opened.commits)


def hide(hub) -> None:
    """Takes the private datasets out of a folder, which its owner may read; a Hub shows them to none without a token."""
    if isinstance(hub, FolderHub):
        for dataset in PRIVATE:
            hub.location(dataset).rename(hub.location(dataset).with_name(f"hidden_{dataset}"))


def test_a_baseline_runs_on_it_and_is_scored(shelf, release, files):
    hub, load = shelf
    publish(release, None, TODAY, hub, files, SETTINGS)
    loaded = load()
    run = rag_bench.run(Baseline(loaded.texts), loaded)
    assert rag_bench.check(run, loaded, k=1).ok
    scores = rag_bench.evaluate(run, loaded, "standard")
    assert scores.mean("Hit@5") == 1.0 and scores.mean("Substring") > 0
