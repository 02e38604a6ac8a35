import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragon_pipeline.core.release.gate import says
from dragon_pipeline.core.release.leaks import Secrets, find_leaks
from dragon_pipeline.core.release.tables import MANIFEST_PATH, SCHEMAS, TABLE_PATH, to_parquet

ID = "0123456789abcdef"
SECRETS = Secrets({ID}, {0: ["Анна Лещинская"], 1: ["2024"]})
ROWS = [{"id": 0, "question": "Кто открыл сад?"}, {"id": 1, "question": "В каком году?"}]


def leaks(path: str, content: bytes, dataset: str = "public_questions") -> list[str]:
    return find_leaks({dataset: {path: content}}, SECRETS)


def parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def test_clean_files_are_clean():
    assert leaks(TABLE_PATH, to_parquet("public_questions", ROWS)) == []
    assert leaks(MANIFEST_PATH, b'{"day": "2024-05-01"}') == []


def test_metadata_of_a_table_is_a_leak():
    table = pa.Table.from_pylist(ROWS, schema=SCHEMAS["public_questions"]).replace_schema_metadata({"made": "now"})
    assert any("metadata key b'made'" in fault for fault in leaks(TABLE_PATH, parquet(table)))


def test_an_id_in_the_metadata_is_found():
    table = pa.Table.from_pylist(ROWS, schema=SCHEMAS["public_questions"]).replace_schema_metadata({"x": ID.upper()})
    assert f"public_questions/{TABLE_PATH} holds the internal id {ID}" in leaks(TABLE_PATH, parquet(table))


def test_a_private_column_is_a_leak():
    table = pa.Table.from_pylist([{**row, "answer": "x"} for row in ROWS])
    assert any(
        "has the columns id: int64, question: string, answer: string" in fault for fault in leaks(TABLE_PATH, parquet(table))
    )


@pytest.mark.parametrize("around", ["{}", "см. {}", "ff{}ff", "local:{}", "https://x.example/{}?a=1"])
def test_an_id_is_found_wherever_it_stands(around):
    rows = [{"id": 0, "question": around.format(ID)}]
    assert any(f"holds the internal id {ID}" in fault for fault in leaks(TABLE_PATH, to_parquet("public_questions", rows)))


def test_an_answer_in_a_card_or_manifest_is_found():
    assert leaks("README.md", "Пример: анна лещинская.".encode())
    assert leaks(MANIFEST_PATH, '{"sample": "Анна Лещинская"}'.encode())


def test_an_unknown_manifest_key_or_file_is_a_fault():
    assert leaks(MANIFEST_PATH, b'{"private": {}}') == [f"public_questions/{MANIFEST_PATH} has the key 'private'"]
    assert leaks("notes.txt", b"x") == ["public_questions/notes.txt does not belong to a public dataset"]


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("Кто такой Артём Ёлкин?", "артем елкин", True),
        ("Кто купил «Сталь и Свет»?", "Сталь и Свет", True),
        ("Чей Андреи\u0306 Краи\u0306нов?", "Андрей Крайнов", True),
        ("Кто живёт в Казани?", "Казань", False),
        ("Сколько будет 120?", "12", False),
        ("Кто?", "…", False),
        ("Кто?", "", False),
    ],
)
def test_an_answer_is_said_when_its_words_stand_in_a_row(text, answer, said):
    assert says(text, answer) is said
