"""What everybody else uses to read a release."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.core.release.small_day import many_texts
from dragon_pipeline_tests.local_hub.answers import WRITE

TODAY = "2024-05-02"


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda path: datasets.load_dataset(str(path), cache_dir=str(tmp_path / "cache"))


@pytest.fixture
def hub(tmp_path: Path) -> FolderHub:
    return FolderHub(tmp_path, "bench")


def test_every_dataset_loads_from_the_folder_in_split_train(hub, release, load, files):
    publish(release, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
    rows = {}
    for dataset in ("public_texts", "public_questions", "private_texts", "private_qa"):
        loaded = load(hub.location(dataset))
        assert list(loaded) == ["train"]
        rows[dataset] = list(loaded["train"])
    assert [row["id"] for row in rows["public_texts"]] == list(range(5))
    assert [row["id"] for row in rows["public_questions"]] == list(range(4))
    private = {row["id"] for row in rows["private_texts"]}
    assert all(set(json.loads(row["text_ids"])) <= private for row in rows["private_qa"])
    assert ["Ирина Шведова", "Пётр Сомов"] in [row["answers"] for row in rows["private_qa"]]


def test_the_folder_gives_the_newest_version_and_its_tags_the_older_ones(hub, release, other_release, load, files):
    for each, questions in ((release, 4), (other_release, 3)):
        publish(each, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
        assert len(load(hub.location("public_questions"))["train"]) == questions
    assert len(load(hub.location("public_questions") / "tags" / "1.0.0")["train"]) == 4


def test_another_hub_s_folder_is_not_given_from_the_cache(tmp_path, release, other_release, load, files):
    for name, each, questions in (("here", release, 4), ("there", other_release, 3)):
        hub = FolderHub(tmp_path, name)
        publish(each, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
        assert len(load(hub.location("public_questions"))["train"]) == questions


@pytest.mark.slow
def test_a_table_of_several_pieces_loads_as_one(hub, day, load, files):
    publish(many_texts(day).build(), None, TODAY, hub, files, ReleaseSettings(min_questions=2))
    assert [row["id"] for row in load(hub.location("public_texts"))["train"]] == list(range(5999))


def test_every_dataset_loads_from_the_hub_by_its_tag(local_hub, release, other_release, files):
    hub = HuggingFaceHub("bench", WRITE, local_hub.url)
    for each in (release, other_release):
        publish(each, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
    names = ("public_texts", "public_questions", "private_texts", "private_qa")
    code = (
        "import datasets, json\n"
        f"read = {{n: datasets.load_dataset('bench/' + n, revision='1.0.0') for n in {names}}}\n"
        "print(json.dumps({n: {split: rows.to_list() for split, rows in one.items()} for n, one in read.items()}))"
    )
    fresh = {**os.environ, **local_hub.env}  # a process of its own: where huggingface_hub goes is settled at import
    done = subprocess.run([sys.executable, "-c", code], env=fresh, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2_000:]
    told = json.loads(done.stdout)
    assert [list(one) for one in told.values()] == [["train"]] * 4
    rows = {name: one["train"] for name, one in told.items()}
    assert len(rows["public_questions"]) == len(rows["private_qa"]) == 4  # version 1.1.0 has 3
    assert (
        [row["id"] for row in rows["public_texts"]]
        == sorted(row["public_id"] for row in rows["private_texts"])
        == list(range(5))
    )
    assert ["Ирина Шведова", "Пётр Сомов"] in [row["answers"] for row in rows["private_qa"]]


def test_the_code_on_a_card_runs(hub, release, files, tmp_path, monkeypatch, capsys):
    publish(release, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
    card = (hub.location("public_questions") / "README.md").read_text("utf-8")
    code = card.split("```python\n")[1].split("```")[0]
    assert code.count('version="1.N.0"') == 1
    code = code.replace('version="1.N.0"', f'version="1.0.0", source={str(tmp_path)!r}, namespace="bench"')
    code = code.replace("list[int]: ...", "list[int]: return [0, 1]").replace("-> str: ...", '-> str: return "да"')
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "card", "exec"), {"__name__": "card"})
    assert (tmp_path / "results.json").exists()
    assert capsys.readouterr().out.strip()
