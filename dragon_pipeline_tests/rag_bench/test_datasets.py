import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragon_pipeline.adapters.hub.folder import FolderHub
from rag_bench.data import get_datasets
from rag_bench.datasets import get_gold
from rag_bench.errors import NotOnHub

TABLES = {
    "public_texts": [
        {"id": 0, "text": "Завод открылся.", "title": "Завод", "url": "https://a.example/1", "published_at": None}
    ],
    "public_questions": [{"id": 0, "question": "Что открылось?"}],
    "private_texts": [{"id": "aa", "public_id": 0}],
    "private_qa": [{"public_id": 0, "answer": "Завод", "answers": ["Завод"], "type": "simple", "text_ids": '["aa"]'}],
}


def publish(root, version: str, datasets=tuple(TABLES)) -> None:
    hub = FolderHub(root, "dragon")
    for dataset in datasets:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(TABLES[dataset]), sink)
        files = {"data/train-00000-of-00001.parquet": sink.getvalue().to_pybytes(), "README.md": version.encode()}
        hub.tag(dataset, version, hub.upload(dataset, files, version, private=dataset.startswith("private")))


def test_the_newest_version_is_by_number_and_rows_are_dicts(tmp_path):
    for version in ("1.9.0", "1.10.0", "1.2.0"):
        publish(tmp_path, version)
    texts, questions, version = get_datasets(hub=tmp_path)
    assert version == "1.10.0"
    assert texts == {"train": TABLES["public_texts"]} and questions == {"train": TABLES["public_questions"]}
    assert get_datasets("1.2.0", hub=str(tmp_path))[2] == "1.2.0"


def test_a_version_that_only_one_dataset_has_is_not_the_newest(tmp_path):
    publish(tmp_path, "1.1.0")
    publish(tmp_path, "1.2.0", ["public_texts"])
    assert get_datasets(hub=tmp_path)[2] == "1.1.0"


def test_gold_is_read_for_those_who_hold_it(tmp_path):
    publish(tmp_path, "1.1.0")
    private_qa, private_texts, version = get_gold(hub=tmp_path)
    assert (private_qa.to_pylist(), private_texts.to_pylist(), version) == (
        TABLES["private_qa"],
        TABLES["private_texts"],
        "1.1.0",
    )


def test_what_the_hub_does_not_hold_is_said(tmp_path):
    with pytest.raises(NotOnHub, match="holds no namespace 'dragon'"):
        get_datasets(hub=tmp_path)
    publish(tmp_path, "1.1.0")
    with pytest.raises(NotOnHub, match=r"no version 1\.4\.0 of public_texts and public_questions; there are 1\.1\.0"):
        get_datasets("1.4.0", hub=tmp_path)
    with pytest.raises(NotOnHub, match="no version"):
        get_datasets("../../1.1.0", hub=tmp_path)
    with pytest.raises(NotOnHub, match="is no namespace"):
        get_datasets(namespace="../dragon", hub=tmp_path)


def test_a_hub_that_cannot_be_reached_is_said(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(NotOnHub, match="cannot read the versions of dragon/public_texts"):
        get_datasets()
