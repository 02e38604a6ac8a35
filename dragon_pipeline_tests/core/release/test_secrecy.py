"""What the public half may be thought to tell, and does not."""

import json
import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.origin import tables_digest
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, PRIVATE, PUBLIC, TABLE_PATH, from_parquet


@pytest.fixture(scope="module")
def read(files):
    def content(release: pl.DataFrame, dataset: str, path: str) -> bytes:
        sha256 = release.row(by_predicate=(pl.col("dataset") == dataset) & (pl.col("path") == path), named=True)["sha256"]
        with files.local(sha256) as local:
            return local.read_bytes()

    return content


@pytest.fixture(scope="module")
def other_key(day):
    return day.vary(key=bytes(range(100, 132))).build()


def shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=seed)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), key=st.binary(min_size=32, max_size=32))
def test_public_order_depends_on_ids_and_key_alone(day, read, seed, key):
    """Not on rank, type, score, fact, outlet or the order of rows: all of them are dealt anew here."""
    here = day.vary(key=key)
    dealt = {
        name: shuffled(day.accepted.select("rank", "type", "score", "direction", "fact_ids"), seed)[name]
        for name in ("rank", "type", "score", "direction", "fact_ids")
    }
    outlets = shuffled(day.articles.select("outlet"), seed)["outlet"]
    there = here.vary(
        accepted=shuffled(day.accepted.with_columns(**dealt), seed),
        articles=shuffled(day.articles.with_columns(outlet=outlets), seed),
    )
    one, two = here.build(), there.build()
    for dataset in PUBLIC:
        assert read(one, dataset, TABLE_PATH) == read(two, dataset, TABLE_PATH)


@pytest.mark.parametrize("kind", ["question", "text"])
def test_over_many_keys_no_private_order_shows_in_the_public_one(kind):
    """Rank correlation with the order of ids, and with the order in which the items come, over 400 keys: its mean is 0 within
    four standard errors, and no item prefers a place (chi-square within four standard deviations of its mean)."""
    names = [content_id(kind, number) for number in range(30)]
    keys = [ids.release_key(bytes([number % 256]) * 32, f"day {number}") for number in range(400)]
    places = [ids.permutation(key, kind, names) for key in keys]
    for private in (names, sorted(names)):
        mean = sum(_spearman([found[name] for name in private]) for found in places) / len(places)
        assert abs(mean) < 4 / math.sqrt(len(places) * (len(names) - 1))
    expected = len(places) / len(names)
    table = [[sum(found[name] == place for found in places) for place in range(len(names))] for name in names]
    chi = sum((cell - expected) ** 2 / expected for row in table for cell in row)
    freedom = (len(names) - 1) ** 2
    assert abs(chi - freedom) < 4 * math.sqrt(2 * freedom)


def _spearman(places: list[int]) -> float:
    n = len(places)
    return 1 - 6 * sum((place - at) ** 2 for at, place in enumerate(places)) / (n * (n * n - 1))


def test_questions_and_texts_are_ordered_independently():
    names = [content_id(number) for number in range(100)]
    one, two = (ids.permutation(bytes(32), kind, names) for kind in ("question", "text"))
    assert abs(_spearman([two[name] for name in sorted(names, key=one.__getitem__)])) < 4 / math.sqrt(99)


def test_every_row_of_every_private_table_holds_a_value_under_the_key(release, other_key, read):
    """So nobody without the key can write the file again to see whether its hash confirms a guess (ADR 0040)."""
    for dataset, keyed in (("private_texts", "id"), ("private_qa", "text_ids")):
        one, two = (from_parquet(read(made, dataset, TABLE_PATH)) for made in (release, other_key))
        assert one.height == two.height > 0
        values = [set(json.loads(value)) if keyed == "text_ids" else {value} for value in one[keyed]]
        others = {id for value in two[keyed] for id in (json.loads(value) if keyed == "text_ids" else [value])}
        assert all(ids_ and not ids_ & others for ids_ in values)


def test_the_hash_of_no_private_file_stays_the_same_under_another_key(release, other_key, read):
    """Though they tell of the same questions and texts."""
    one, two = (json.loads(read(made, "public_texts", MANIFEST_PATH)) for made in (release, other_key))
    for dataset in PRIVATE:
        told = one["files"][dataset]
        assert set(told) == {CARD_PATH, TABLE_PATH}
        assert all(told[path] != two["files"][dataset][path] for path in told)
    assert one["commitments"]["key"] != two["commitments"]["key"]
    assert one["commitments"]["seed"] != two["commitments"]["seed"], "blinded: the seed is the same"


def test_a_private_card_says_what_the_public_manifest_says_and_the_hash_of_its_table(release, read):
    for dataset in PRIVATE:
        public = json.loads(read(release, "public_texts", MANIFEST_PATH))
        rows = public["texts" if dataset == "private_texts" else "questions"]["all"]
        digest = tables_digest(public["files"][dataset])
        assert read(release, dataset, CARD_PATH) == render_card(dataset, public, rows, digest)


def test_public_manifests_tell_no_sizes_and_private_parts_stay_private(release, read):
    for dataset in PUBLIC:
        told = read(release, dataset, MANIFEST_PATH).decode()
        sizes = release.filter(pl.col("dataset").is_in(PRIVATE))["bytes"]
        assert not any(str(size) in told for size in sizes)
        private = json.loads(read(release, "private_qa", MANIFEST_PATH))["private"]
        assert not any(secret in told for secret in (private["key"], *private["mappings"].values()))


def test_the_two_keys_of_two_days_have_nothing_in_common(day, read):
    one, two = (day.vary(day=name).build() for name in ("2024-05-02", "2024-05-03"))
    found = [set(from_parquet(read(made, "private_texts", TABLE_PATH))["id"]) for made in (one, two)]
    assert not found[0] & found[1]
