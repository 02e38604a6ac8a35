import base64
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.release.leaks import Secrets, find_leaks
from dragon_pipeline.core.release.notices import NOTICES_PATH
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, SCHEMAS, TABLE_PATH, of_rows, to_parquet

ID, LONG = "0123456789abcdef", "fedcba98765432100f1e2d3c4b5a6978"
SECRETS = Secrets({ID, LONG}, {"Анна Лещинская", "Казань"}, {"возглавить музей у", "Q4711", "P39", "Олег Дымов"})
ROWS = [{"id": 0, "question": "Кто открыл сад?"}, {"id": 1, "question": "В каком году?"}]
MANIFEST = {
    "format": 1,
    "day": "2024-05-01",
    "ranking": False,
    "questions": {"all": 2, "by_type": {"simple": 2}},
    "texts": {"all": 1, "by_outlet": {"Казань": 1}},
    "withheld": {},
    "screens": {"grammar": {"state": "ran", "passed": 2, "failed": 0, "not_run": 0}},
    "writers": ["rules"],
    "engines": {"writer": "rules"},
    "prompts": {},
    "knowledge_base": "bundled",
    "source_commit": "c0ffee",
    "commitments": {"key": "a" * 64, "seed": "b" * 64},
    "canary": "dragon-canary-00000000-0000-0000-0000-000000000000",
    "files": {"public_texts": {"README.md": "c" * 64}},
}


def leaks(path: str, content: bytes, dataset: str = "public_questions") -> list[str]:
    return find_leaks(dataset, path, content, SECRETS)


def manifest(**changes: object) -> bytes:
    return json.dumps({**MANIFEST, **changes}, ensure_ascii=False).encode()


def table(rows: list[dict] = ROWS) -> pa.Table:
    return of_rows("public_questions", rows)


def parquet(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)  # type: ignore[arg-type]
    return sink.getvalue()


def test_clean_files_are_clean():
    assert leaks(TABLE_PATH, to_parquet(table())) == []
    assert leaks("data/train-00003-of-00007.parquet", to_parquet(table())) == []
    assert leaks(MANIFEST_PATH, manifest()) == [], "an outlet may have the name of an answer"
    assert leaks(CARD_PATH, "# Тексты\nИз Казань-ТВ, 12 штук; Анна и Олег.".encode()) == []


def test_metadata_of_a_table_is_a_leak():
    told = table().replace_schema_metadata({"made": "now"})
    assert any("metadata key b'made'" in fault for fault in leaks(TABLE_PATH, parquet(told)))


def test_an_id_in_the_metadata_is_found():
    told = table().replace_schema_metadata({"x": ID.upper()})
    assert f"public_questions/{TABLE_PATH} holds the internal id {ID}" in leaks(TABLE_PATH, parquet(told))


def test_metadata_of_a_column_is_a_leak():
    fields = [field.with_metadata({"from": "accepted"}) for field in SCHEMAS["public_questions"]]
    assert leaks(TABLE_PATH, parquet(pa.table(table().columns, schema=pa.schema(fields))))


def test_bytes_that_no_reader_shows_are_a_leak():
    """Behind the last column and before the metadata, where a Parquet file may hold anything."""
    content = to_parquet(table())
    footer = int.from_bytes(content[-8:-4], "little") + 8
    hidden = content[:-footer] + "Казань".encode() + content[-footer:]
    assert pq.read_table(io.BytesIO(hidden)).equals(table()), "it is a table all the same"
    assert leaks(TABLE_PATH, hidden) == [f"public_questions/{TABLE_PATH} holds bytes that are in no column"]


def test_a_page_index_is_a_leak():
    assert any(
        "in no column" in fault for fault in leaks(TABLE_PATH, parquet(table(), write_page_index=True, store_schema=False))
    )


def test_statistics_of_other_values_are_a_leak():
    """A file whose least question is told to be another than it is."""
    plain = parquet(table(), compression="none", use_dictionary=False, store_schema=False)
    least = "В каком году?".encode()
    assert plain.count(least) > 1, "the column and its statistics"
    at = plain.rindex(least)
    forged = plain[:at] + "А каком году?".encode() + plain[at + len(least) :]
    assert any("statistics of other values" in fault for fault in leaks(TABLE_PATH, forged))


def test_a_private_column_is_a_leak():
    told = pa.Table.from_pylist([{**row, "answer": "x"} for row in ROWS])
    assert any(
        "has the columns id: int64, question: string, answer: string" in fault for fault in leaks(TABLE_PATH, parquet(told))
    )


@pytest.mark.parametrize("around", ["{}", "см. {}", "ff{}ff", "local:{}", "https://x.example/{}?a=1", "мост{}"])
def test_an_id_is_found_wherever_it_stands(around):
    rows = [{"id": 0, "question": around.format(ID)}]
    assert any(f"holds the internal id {ID}" in fault for fault in leaks(TABLE_PATH, to_parquet(table(rows))))


def groups(id: str, size: int, by: str) -> str:
    return by.join(id[at : at + size] for at in range(0, len(id), size))


GUISES = {
    "upper": str.upper,
    "hyphens": lambda id: groups(id, 4, "-"),
    "colons": lambda id: groups(id, 2, ":"),
    "spaces": lambda id: groups(id, 8, " "),
    "mixed": lambda id: id[:5].upper() + id[5:],
    "reversed": lambda id: id[::-1],
    "bytes reversed": lambda id: bytes.fromhex(id)[::-1].hex(),
    "base64 of bytes": lambda id: base64.b64encode(bytes.fromhex(id)).decode(),
    "base64 of digits": lambda id: base64.b64encode(id.encode()).decode().rstrip("="),
    "base64 for URLs": lambda id: base64.urlsafe_b64encode(bytes.fromhex(id)).decode().rstrip("="),
    "decimal": lambda id: str(int(id, 16)),
}


@pytest.mark.parametrize("id", [ID, LONG])
@pytest.mark.parametrize("guise", GUISES)
@pytest.mark.parametrize("place", ["question", "url", "card", "manifest"])
def test_an_id_in_disguise_is_found(guise, id, place):
    told = GUISES[guise](id)
    text = {"id": 0, "text": "Текст.", "title": "Заголовок", "url": f"https://x.example/?{told}", "published_at": None}
    found = {
        "question": lambda: leaks(TABLE_PATH, to_parquet(table([{"id": 0, "question": f"Кто ({told})?"}]))),
        "url": lambda: leaks(TABLE_PATH, to_parquet(of_rows("public_texts", [text])), "public_texts"),
        "card": lambda: leaks(CARD_PATH, f"# Карта\n\n{told}\n".encode()),
        "manifest": lambda: leaks(MANIFEST_PATH, manifest(knowledge_base=told)),
    }[place]()
    assert any(f"holds the internal id {id}" in fault for fault in found)


@given(st.text(alphabet="0123456789abcdef", min_size=16, max_size=16), st.text(), st.text())
def test_an_id_is_found_between_whatever_stands_around_it(id, before, after):
    secrets = Secrets({id}, ())
    assert secrets.known.in_text(f"{before}{id}{after}") == {id}


@given(st.text() | st.text(alphabet="0123456789abcdefXYZ-_:. +/=", min_size=11))
def test_texts_without_ids_are_clean_and_no_text_is_a_crash(text):
    assert SECRETS.known.in_text(text) == set()


@pytest.mark.parametrize("phrase", ["анна лещинская", "ОЛЕГ ДЫМОВ", "возглавить музей у", "Q4711", "P39"])
@pytest.mark.parametrize("path", [CARD_PATH, MANIFEST_PATH, NOTICES_PATH])
def test_an_answer_or_a_piece_of_a_subgraph_in_a_card_or_manifest_is_found(phrase, path):
    content = manifest(knowledge_base=f"Пример: {phrase}.") if path == MANIFEST_PATH else f"Пример: {phrase}.".encode()
    assert len(leaks(path, content)) == 1


def test_a_manifest_value_that_is_an_answer_is_found_even_if_it_is_one_word():
    assert any("holds the answer 'казань'" in fault for fault in leaks(MANIFEST_PATH, manifest(source_commit="казань")))


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"private": {}}, "'private' was unexpected"),
        ({"questions": {**MANIFEST["questions"], "answers": ["Казань"]}}, "'answers' was unexpected"),
        ({"screens": {"grammar": {"state": "ran", "sample": "Кто?"}}}, "'sample' was unexpected"),
        ({"questions": {"all": 2, "by_type": {"simple: Казань": 2}}}, "does not match"),
        ({"prompts": {"writer": "не хеш"}}, "does not match"),
        ({"files": {"Казань": {}}}, "does not match"),
        ({"files": {"public_texts": {"answers.txt": "c" * 64}}}, "does not match"),
        ({"day": "2024-05-01T10:00:00"}, "does not match"),
        ({"commitments": {**MANIFEST["commitments"], "answers": "d" * 64}}, "'answers' was unexpected"),
    ],
)
def test_a_manifest_that_says_more_than_it_may_is_a_fault(changes, where):
    assert any(where in fault for fault in leaks(MANIFEST_PATH, manifest(**changes)))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"\xff"])
def test_a_manifest_that_is_none_is_a_fault_and_no_crash(content):
    assert leaks(MANIFEST_PATH, content)


@pytest.mark.parametrize("path", ["notes.txt", "data/answers.parquet", "data/train-0-of-1.parquet"])
def test_a_file_of_another_name_is_a_fault(path):
    assert leaks(path, b"x") == [f"public_questions/{path} does not belong to a public dataset"]


@pytest.mark.parametrize("cut", [0, 3, 40, -9, -1])
def test_a_torn_table_is_a_fault_and_no_crash(cut):
    assert leaks(TABLE_PATH, to_parquet(table())[:cut])
