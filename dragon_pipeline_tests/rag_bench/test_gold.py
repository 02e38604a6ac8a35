import json
from collections import namedtuple

import polars as pl
import pyarrow as pa
import pytest

from rag_bench.errors import BadTable
from rag_bench.gold import Gold, read_gold, read_ids, read_key

QA = [
    {"public_id": 1, "answer": "Казань, Тверь", "answers": ["Казань", "Тверь"], "type": "set", "text_ids": ["b", "a"]},
    {"public_id": 0, "answer": "007", "answers": ["007"], "type": "simple", "text_ids": ["c"]},
]
TEXTS = [{"id": "a", "public_id": 5}, {"id": "b", "public_id": 2}, {"id": "c", "public_id": 9}]
GOLD = [
    Gold(0, "simple", "007", ("007",), frozenset({9})),
    Gold(1, "set", "Казань, Тверь", ("Казань", "Тверь"), frozenset({2, 5})),
]


def as_json(rows: list[dict]) -> list[dict]:
    return [{key: json.dumps(value) if isinstance(value, list) else value for key, value in row.items()} for row in rows]


@pytest.mark.parametrize(
    "kind",
    [list, pl.DataFrame, pa.Table.from_pylist, as_json, lambda rows: {"train": rows}, lambda rows: pl.DataFrame(as_json(rows))],
)
def test_every_kind_of_table_gives_the_same_gold(kind):
    key = read_key((kind(QA), kind(TEXTS)))
    assert list(key.gold) == GOLD and key.texts == {2, 5, 9} and key.questions == {0, 1}
    assert read_key(key) is key


def test_a_dataset_of_the_datasets_package_is_a_table_too():
    datasets = pytest.importorskip("datasets")
    assert list(read_key((datasets.Dataset.from_list(QA), datasets.Dataset.from_list(TEXTS))).gold) == GOLD


def test_a_release_is_read_once_and_another_one_anew():
    class Release:
        def __init__(self, *answers: str):
            self.gold = ([{**QA[1], "answer": answers[0], "answers": list(answers)}], TEXTS)

    one, other = Release("007"), Release("008")
    assert read_key(one) is read_key(one)
    assert [read_key(release).gold[0].answer for release in (one, other, one)] == ["007", "008", "007"]
    Slotted = namedtuple("Slotted", "gold")
    assert [read_key(Slotted(one.gold)).gold[0].answer, read_key(Slotted(other.gold)).gold[0].answer] == ["007", "008"]


def test_nested_text_ids_are_flattened():
    assert read_gold([{**QA[0], "text_ids": '[["a"], ["b", ["c"]]]'}], read_ids(TEXTS))[0].text_ids == {2, 5, 9}


def test_a_table_without_answers_and_type_has_one_answer_and_is_simple():
    row = {"public_id": 3, "answer": "Казань", "text_ids": '["a"]'}
    assert read_gold([row], read_ids(TEXTS)) == [Gold(3, "simple", "Казань", ("Казань",), frozenset({5}))]


@pytest.mark.parametrize(
    ("qa", "texts", "words"),
    [
        ([QA[0], QA[0]], TEXTS, "question 1 occurs twice"),
        (QA, TEXTS[:2], "question 0: gold text c is not in private_texts"),
        ([{**QA[0], "text_ids": []}], TEXTS, "question 1: no gold text"),
        ([{**QA[0], "text_ids": "a, b"}], TEXTS, "not a JSON list"),
        ([{**QA[0], "answer": None}], TEXTS, "question 1: an answer is no text"),
        ([{**QA[0], "answers": ["Казань", 5]}], TEXTS, "question 1: an answer is no text"),
        ([{"public_id": 1}], TEXTS, "private_qa has no column answer, text_ids"),
        (QA, [{"id": "a"}], "private_texts has no column public_id"),
    ],
)
def test_private_tables_that_contradict_each_other_are_refused(qa, texts, words):
    with pytest.raises(BadTable, match=words):
        read_key((qa, texts))
