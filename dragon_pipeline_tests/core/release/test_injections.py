"""Every kind of secret, put into every public file of a release that is otherwise whole: none passes the blocking check."""

import io
import json

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.release import manifest
from dragon_pipeline.core.release.tables import (
    CARD_PATH,
    DATASETS,
    MANIFEST_PATH,
    PUBLIC,
    TABLE_PATH,
    from_parquet,
    of_rows,
    to_parquet,
)
from dragon_pipeline.core.release.verification import release_faults


class Files(dict):
    """(dataset, path) → content; as the release's own table of files, with manifests that name them."""

    def stored(self, release: pl.DataFrame, store) -> pl.DataFrame:
        told = dict(self)
        named = {
            d: {path: sha256(data) for (o, path), data in told.items() if o == d and path != MANIFEST_PATH} for d in DATASETS
        }
        for dataset in DATASETS:
            now = {**manifest.load(told[dataset, MANIFEST_PATH]), "files": named}
            told[dataset, MANIFEST_PATH] = manifest.dump(now)
        names = {at: store.add(lambda path, data=data: path.write_bytes(data)).sha256 for at, data in told.items()}
        at = zip(release["dataset"], release["path"], strict=True)
        return release.with_columns(sha256=pl.Series([names[one] for one in at]))


@pytest.fixture(scope="module")
def whole(release, files) -> Files:
    found = Files()
    for dataset, path, name in release.select("dataset", "path", "sha256").iter_rows():
        with files.local(name) as local:
            found[dataset, path] = local.read_bytes()
    return found


@pytest.fixture(scope="module")
def secrets(day, whole) -> dict[str, str]:
    qa = from_parquet(whole["private_qa", TABLE_PATH])
    private = json.loads(whole["private_qa", MANIFEST_PATH])["private"]
    return {
        "answer": qa["answer"][0],
        "set answer": "Пётр Сомов",
        "subgraph": qa["subgraph"][0],
        "text_ids": qa["text_ids"][0],
        "article id": day.articles["article_id"][3],
        "question id": day.accepted["qa_id"][0],
        "fact id": day.accepted["fact_ids"][0][0],
        "private id": from_parquet(whole["private_texts", TABLE_PATH])["id"][0],
        "key": private["key"],
        "mapping": private["mappings"]["texts"],
        "time": "2024-05-03T02:11:09+03:00",
        "run id": "f7f4c2f7-b70d-4aba-9622-5fc65edf4770",
    }


KINDS = ["answer", "subgraph", "private id", "key", "time"]
"""those that look unlike each other"""
ALL = [*KINDS, "set answer", "text_ids", "article id", "question id", "fact id", "mapping", "run id"]


def changed(table: bytes, dataset: str, column: str, secret: str) -> bytes:
    rows = from_parquet(table).to_dicts()
    rows[0][column] = f"{rows[0][column]} {secret}"
    return to_parquet(of_rows(dataset, rows))


def faults(day, release, whole: Files, at: tuple[str, str], content: bytes) -> list[str]:
    told = Files({**whole, at: content}).stored(release, day.files)
    return release_faults(told, day.accepted, day.window, day.files)


def test_the_copy_itself_is_clean(day, release, whole):
    for at, content in whole.items():
        assert faults(day, release, whole, at, content) == []


@pytest.mark.parametrize("kind", ["answer", "article id"])
@pytest.mark.parametrize(
    ("dataset", "column"),
    [("public_texts", name) for name in ("text", "title", "url", "published_at")] + [("public_questions", "question")],
)
def test_a_secret_in_a_value_of_a_table(day, release, whole, secrets, dataset, column, kind):
    at = (dataset, TABLE_PATH)
    found = faults(day, release, whole, at, changed(whole[at], dataset, column, secrets[kind]))
    assert f"{dataset}/{TABLE_PATH}: row 0 is of no article or question of the day" in found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dataset", PUBLIC)
def test_a_secret_in_the_metadata_or_between_the_pages_of_a_table(day, release, whole, secrets, dataset, kind):
    at, secret = (dataset, TABLE_PATH), secrets[kind].encode()
    table, sink = pq.read_table(io.BytesIO(whole[at])), io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"note": secret}), sink)
    assert any("has the metadata key b'note'" in fault for fault in faults(day, release, whole, at, sink.getvalue()))
    footer = int.from_bytes(whole[at][-8:-4], "little") + 8
    hidden = whole[at][:-footer] + secret + whole[at][-footer:]
    assert any("bytes that are in no column" in fault for fault in faults(day, release, whole, at, hidden))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("dataset", PUBLIC)
def test_a_secret_in_a_card(day, release, whole, secrets, dataset, kind):
    at = (dataset, CARD_PATH)
    found = faults(day, release, whole, at, whole[at] + f"\n<!-- {secrets[kind]} -->\n".encode())
    assert f"the card of {dataset} is not what its manifest and tables give" in found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["key", "outlet", "type", "screen", "prompt"])
def test_a_secret_in_a_manifest(day, release, whole, secrets, place, kind):
    at, secret = ("public_questions", MANIFEST_PATH), secrets[kind]
    told = json.loads(whole[at])
    {
        "key": lambda: told.update({secret: 1}),
        "outlet": lambda: told["texts"]["by_outlet"].update({secret: 1}),
        "type": lambda: told["questions"]["by_type"].update({secret: 1}),
        "screen": lambda: told["screens"].update({secret: {"state": "ran"}}),
        "prompt": lambda: told["prompts"].update({"writer": secret}),
    }[place]()
    assert any(
        fault != "the manifests of the datasets differ" for fault in faults(day, release, whole, at, manifest.dump(told))
    )


@pytest.mark.parametrize("dataset", PUBLIC)
def test_a_private_column_or_a_table_in_private_order(day, release, whole, dataset):
    at = (dataset, TABLE_PATH)
    table = pq.read_table(io.BytesIO(whole[at]))
    more = table.append_column("rank", pa.array(range(table.num_rows)))
    assert any("has the columns" in fault for fault in faults(day, release, whole, at, to_parquet(more)))
    turned = to_parquet(table.take(list(reversed(range(table.num_rows)))))
    assert any("in row order" in fault for fault in faults(day, release, whole, at, turned))
