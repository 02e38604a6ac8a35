"""`datasets.load_dataset` on a Hub over HTTP, in a process with a cache of its own."""

import json
import os
import subprocess
import sys

import pytest

from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import WRITE

TODAY = "2024-05-02"
LOADING = """
import json, sys, datasets
told = {}
for dataset in sys.argv[1:]:
    for revision in ("1.0.0", "1.1.0", None):
        try:
            loaded = datasets.load_dataset(f"bench/{dataset}", revision=revision)
            told[f"{dataset} {revision}"] = [list(loaded), loaded["train"].column_names, loaded["train"].num_rows]
        except Exception as error:
            told[f"{dataset} {revision}"] = type(error).__name__
print(json.dumps(told))
"""


@pytest.fixture
def load(local_hub, release, other_release, files):
    hub = HuggingFaceHub("bench", WRITE, local_hub.url)
    for each in (release, other_release):
        publish(each, None, TODAY, hub, files, ReleaseSettings(min_questions=2))

    def loaded(token: str | None) -> dict[str, object]:
        environment = {**os.environ, **local_hub.env}
        environment.pop("HF_TOKEN")
        done = subprocess.run(
            [sys.executable, "-c", LOADING, *DATASETS],
            env=environment | ({"HF_TOKEN": token} if token else {}),
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])

    return loaded


@pytest.mark.slow
def test_every_dataset_loads_by_tag_and_newest(load):
    told = load(WRITE)
    questions = {"1.0.0": 4, "1.1.0": 3, "None": 3}
    for dataset in ("public_questions", "private_qa"):
        assert {revision: told[f"{dataset} {revision}"][2] for revision in questions} == questions
    for dataset in ("public_texts", "private_texts"):
        assert {told[f"{dataset} {revision}"][2] for revision in questions} == {5}
    assert all(splits == ["train"] for splits, _, _ in told.values())
    assert told["public_texts None"][1] == ["id", "text", "title", "url", "published_at"]


@pytest.mark.slow
def test_the_private_half_loads_for_nobody_without_a_token(load):
    told = load(None)
    for dataset in DATASETS:
        failed = {isinstance(told[f"{dataset} {revision}"], str) for revision in ("1.0.0", "1.1.0", None)}
        assert failed == {dataset in PRIVATE}
