"""Loading from a Hub, through huggingface_hub, over HTTP on loopback."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import rag_bench
from dragon_pipeline_tests.local_hub.answers import READ
from dragon_pipeline_tests.local_hub.server import LocalHub
from dragon_pipeline_tests.rag_bench.releasing import TABLES, add_commit, upload
from rag_bench import data, helper
from rag_bench.errors import NotOnHub, RagBenchWarning, Unreachable
from rag_bench.hubs import HuggingFaceHub
from rag_bench.retrying import Retrying


@pytest.fixture
def reader(monkeypatch):
    """One who may read everything."""
    monkeypatch.setenv("HF_TOKEN", READ)


@pytest.fixture
def anyone(monkeypatch, tmp_path):
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))


def load(hub: LocalHub, cache: Path, version="latest", source="hub"):
    return rag_bench.load(version, source, endpoint=hub.url, cache=cache)


def test_both_halves_are_read_at_the_commits_of_one_tag(local_hub, tmp_path, reader):
    upload(local_hub, "1.9.0")
    commits = upload(local_hub, "1.10.0", pieces=2)
    release = load(local_hub, tmp_path)
    assert (release.version, release.commits) == ("1.10.0", commits)
    assert list(release.texts) == TABLES["public_texts"] and release.gold and list(release.gold[0]) == TABLES["private_qa"]
    assert release.source == f"{local_hub.url}/datasets/dragon"


def test_anyone_reads_the_public_half(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    release = load(local_hub, tmp_path)
    assert (release.version, release.gold, len(release.questions)) == ("1.1.0", None, 3)


def test_gold_in_the_cache_is_not_shown_to_who_may_not_read_it(local_hub, tmp_path, reader, monkeypatch):
    upload(local_hub, "1.1.0")
    assert load(local_hub, tmp_path).gold
    monkeypatch.setenv("HF_TOKEN", "hf_unknown")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.delenv("HF_TOKEN")
    assert load(local_hub, tmp_path).gold is None


def test_a_new_version_is_seen_at_once_and_nothing_is_fetched_twice(local_hub, tmp_path, reader):
    upload(local_hub, "1.1.0")
    load(local_hub, tmp_path)
    upload(local_hub, "1.2.0", tables={**TABLES, "public_questions": TABLES["public_questions"][:2]})
    assert len(load(local_hub, tmp_path).questions) == 2
    asked = len(local_hub.requests)
    load(local_hub, tmp_path)
    again = [request.route for request in local_hub.requests[asked:] if ".parquet" in request.path]
    assert again == []


def test_the_sandbox_is_public_with_its_gold(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    upload(local_hub, "1.0.0", prefix="sandbox_")
    release = load(local_hub, tmp_path, source="sandbox")
    assert release.version == "1.0.0" and release.gold and list(release.gold.private_qa) == TABLES["private_qa"]


def test_a_withdrawn_version_is_passed_over(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    upload(local_hub, "1.2.0")
    add_commit(local_hub, "public_questions", {"withdrawn.json": json.dumps({"1.2.0": "wrong answers"}).encode()})
    assert load(local_hub, tmp_path).version == "1.1.0"
    with pytest.warns(RagBenchWarning, match=r"version 1\.2\.0 was withdrawn: wrong answers"):
        assert load(local_hub, tmp_path, "1.2.0").version == "1.2.0"


def test_a_version_that_other_software_tagged_is_not_the_latest(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    upload(local_hub, "2.0.0")
    assert load(local_hub, tmp_path).version == "1.1.0"
    assert load(local_hub, tmp_path, "2.0.0").version == "2.0.0"


def test_what_was_fetched_loads_without_the_hub_and_says_so(local_hub, tmp_path, reader):
    upload(local_hub, "1.1.0")
    upload(local_hub, "1.2.0")
    whole, newer = load(local_hub, tmp_path, "1.1.0"), load(local_hub, tmp_path)
    local_hub.fail("any", "reset", times=3 * 3)
    with pytest.warns(RagBenchWarning, match=r"gives no answer.*; this is version 1\.2\.0 as it was fetched before"):
        assert load(local_hub, tmp_path) == newer
    local_hub._faults.planned.clear()
    add_commit(local_hub, "public_texts", {"withdrawn.json": json.dumps({"1.2.0": "wrong answers"}).encode()})
    with pytest.warns(RagBenchWarning, match="withdrawn"):
        load(local_hub, tmp_path, "1.2.0")
    local_hub.fail("any", "reset", times=10_000)
    with pytest.warns(RagBenchWarning, match=r"this is version 1\.1\.0 as it was fetched before"):
        assert load(local_hub, tmp_path) == whole
    with warnings.catch_warnings(record=True, action="always") as told:
        assert load(local_hub, tmp_path, "1.2.0") == newer
    assert "as it was fetched before" in str(told[0].message) and "1.2.0 was withdrawn: wrong answers" in str(told[1].message)
    with pytest.raises(Unreachable, match="gives no answer"):
        load(local_hub, tmp_path, "1.3.0")


def test_a_memory_of_fetched_versions_that_cannot_be_read_is_begun_anew(local_hub, tmp_path, reader):
    upload(local_hub, "1.1.0")
    memory = tmp_path / "rag_bench" / "fetched.json"
    memory.parent.mkdir()
    for broken in ("{", "[]", '{"x": 1}', json.dumps({f"{local_hub.url}/datasets/dragon/public_questions": {"1.1.0": {}}})):
        memory.write_text(broken)
        assert load(local_hub, tmp_path).version == "1.1.0"
        assert "1.1.0" in memory.read_text()


@pytest.mark.parametrize("answer", [429, 500, 503, "reset"])
def test_a_busy_hub_is_asked_again(local_hub, tmp_path, anyone, answer):
    upload(local_hub, "1.1.0")
    waits: list[float] = []
    hub = HuggingFaceHub("dragon", local_hub.url, retrying=Retrying(3, 0.5, waits.append))
    local_hub.fail("any", answer, times=2, retry_after="4" if answer == 429 else None)
    refs = hub.refs("public_texts")
    assert refs and list(refs.tags) == ["1.1.0"] and len(waits) == 2
    assert waits[0] == 4.0 if answer == 429 else 0.4 <= waits[0] <= 0.6


def test_a_hub_that_stays_busy_is_as_one_that_is_away(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    release = load(local_hub, tmp_path)
    local_hub.fail("any", 503, times=10_000)
    with pytest.warns(RagBenchWarning, match=r"\(503\).*; this is version 1\.1\.0 as it was fetched before"):
        assert load(local_hub, tmp_path) == release


def test_a_page_instead_of_an_answer_is_no_hub(local_hub, tmp_path, anyone):
    upload(local_hub, "1.1.0")
    local_hub.fail("any", "page", times=100)
    with pytest.raises(Unreachable, match="does not answer as a hub does"):
        load(local_hub, tmp_path)


def test_a_path_that_leads_out_of_the_cache_is_not_followed(local_hub, tmp_path, anyone):
    commits = upload(local_hub, "1.1.0")
    held = local_hub.repositories["dragon/public_texts"].commits[commits["public_texts"]]
    blob = next(iter(held.files.values()))
    object.__setattr__(held, "files", {**held.files, "../../../../x.parquet": blob})
    with pytest.raises(Unreachable, match="does not answer as a hub does"):
        load(local_hub, tmp_path / "a" / "cache")
    assert not list(tmp_path.rglob("x.parquet"))


def test_a_dataset_that_is_not_there_names_the_token(local_hub, tmp_path, anyone):
    with pytest.raises(
        NotOnHub, match=r"has no dataset public_texts and public_questions, or does not show it to you \(HF_TOKEN\)"
    ):
        load(local_hub, tmp_path)
    with pytest.raises(NotOnHub, match="cannot name a dataset"):
        rag_bench.load(namespace="../dragon", endpoint=local_hub.url, cache=tmp_path)


SCRIPT = """
import rag_bench.data as data
from rag_bench.helper import get_ds_versions, get_latest_version
data.PUBLIC_TEXTS_REPO_ID = "dragon/public_texts"
data.PUBLIC_QUESTIONS_REPO_ID = "dragon/public_questions"
texts, questions, version = data.get_datasets()
print(version, len(texts["train"]), questions["train"][0]["question"], questions["train"]["id"][:2])
print(get_latest_version(get_ds_versions(data.PUBLIC_TEXTS_REPO_ID)), len(data.get_texts()["train"]))
"""


def test_a_script_of_the_published_client_reads_the_newest_version(local_hub, tmp_path):
    for version in ("1.9.0", "1.10.0"):
        upload(local_hub, version)
    command, env = [sys.executable, "-c", SCRIPT], {**os.environ, **local_hub.env}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    told = "1.10.0 3 В каком городе открыли новый мост через Волгу? [0, 1]"
    assert (done.stderr, done.stdout.splitlines()) == ("", [told, "1.10.0 3"])
    offline = subprocess.run(command, env=env | {"HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=False)
    assert "this is version 1.10.0 as it was fetched before" in offline.stderr and offline.stdout.startswith(told)


def test_versions_are_those_of_a_repository(local_hub, monkeypatch, anyone):
    assert helper.sort_versions(["1.10.0", "1.9.0", "main", "1.9"]) == ["1.9.0", "1.10.0"]
    with pytest.raises(NotOnHub, match=r"there is no version 1\.N\.0 yet"):
        helper.get_latest_version(["v1"])
    assert {name for name in vars(data) if name.endswith("_REPO_ID")} == {
        "PUBLIC_TEXTS_REPO_ID",
        "PUBLIC_QUESTIONS_REPO_ID",
        "HIST_TEXTS_REPO_ID",
        "HIST_QUESTIONS_REPO_ID",
    }
