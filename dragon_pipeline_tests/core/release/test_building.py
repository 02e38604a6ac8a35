import io
import json
import random
import subprocess
import sys

import polars as pl
import pyarrow.parquet as pq
import pytest
from upath import UPath

from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import content_id, sha256
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.records import ACCEPTED, ARTICLES
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE, TABLE_PATH, from_parquet, of_rows, to_parquet
from dragon_pipeline.core.release.verification import release_faults
from dragon_pipeline_tests.core.release.small_day import many_texts

FILES = ReleaseFiles(UPath("memory://release-tests"))  # where the fixtures' files lie


def content(release: pl.DataFrame, dataset: str, path: str = TABLE_PATH) -> bytes:
    row = release.row(by_predicate=(pl.col("dataset") == dataset) & (pl.col("path") == path), named=True)
    with FILES.local(row["sha256"]) as file:
        assert file.stat().st_size == row["bytes"]
        return file.read_bytes()


def table(release: pl.DataFrame, dataset: str, path: str = TABLE_PATH) -> pl.DataFrame:
    return from_parquet(content(release, dataset, path))


def manifest(release: pl.DataFrame, dataset: str) -> dict:
    return json.loads(content(release, dataset, "manifest.json"))


def test_all_four_tables_have_the_declared_columns(release):
    columns = {dataset: table(release, dataset).columns for dataset in DATASETS}
    assert columns == {
        "public_texts": ["id", "text", "title", "url", "published_at"],
        "public_questions": ["id", "question"],
        "private_texts": ["id", "public_id"],
        "private_qa": ["public_id", "question", "answer", "answers", "type", "text_ids", "subgraph"],
    }
    assert table(release, "private_qa").schema["answers"] == pl.List(pl.String())
    RELEASE.check(release)


def test_equal_inputs_in_any_row_order_give_equal_bytes(day, release):
    shuffled = day.vary(
        accepted=day.accepted.sample(fraction=1, shuffle=True, seed=3),
        articles=day.articles.sample(fraction=1, shuffle=True, seed=4),
        verdicts=day.verdicts.sample(fraction=1, shuffle=True, seed=5),
    )
    assert shuffled.build().equals(release)


def test_another_process_with_another_hash_seed_writes_the_same_parquet():
    code = (
        "from dragon_pipeline.core.release.tables import of_rows, to_parquet; import hashlib;"
        "print(hashlib.sha256(to_parquet(of_rows('public_questions', [{'id': 0, 'question': 'Кто?'}]))).hexdigest())"
    )
    run = subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == sha256(to_parquet(of_rows("public_questions", [{"id": 0, "question": "Кто?"}])))


def test_public_ids_are_the_row_order_and_private_rows_point_at_them(release):
    questions, private = table(release, "public_questions"), table(release, "private_qa")
    assert questions["id"].to_list() == list(range(4)) == private["public_id"].to_list()
    assert questions["question"].to_list() == private["question"].to_list()
    assert (
        table(release, "public_texts")["id"].to_list()
        == list(range(5))
        == table(release, "private_texts")["public_id"].to_list()
    )


def test_gold_leads_from_a_question_to_the_texts_that_state_its_answer(release):
    place = dict(table(release, "private_texts").iter_rows())
    texts = table(release, "public_texts")
    gold = {
        row["question"]: {texts["title"][place[id]] for id in json.loads(row["text_ids"])}
        for row in table(release, "private_qa").iter_rows(named=True)
    }
    assert gold["Кто открыл ботанический сад в Ярославле?"] == {"Сад открыт", "В Ярославле открыт сад"}
    assert gold["Кто закрыл мост через реку Каменку?"] == {"Мост закрыли до осени"}


def test_a_replaced_version_is_no_text(release):
    titles = table(release, "public_texts")["title"].to_list()
    assert "Мост закрыли до осени" in titles
    assert "Мост закрыли" not in titles


def test_a_question_on_a_replaced_version_is_withheld_and_counted(day, question):
    stale = question(5, "simple", "Кто закрыл мост на ремонт?", ["Олег Дымов"], [0])
    gone = question(6, "simple", "Кто построил маяк?", ["Лев Горин"], [99])
    says = question(7, "simple", "Правда ли, что Пётр Сомов провёл форум?", ["Петр Сомов"], [5])
    release = with_questions(day, stale, gone, says).build()
    assert table(release, "public_questions").height == 4
    assert manifest(release, "public_questions")["withheld"] == {"answer_in_question": 1, "gold_missing": 1, "gold_replaced": 1}


def test_a_question_without_a_passed_required_screen_is_withheld(day):
    first = day.accepted["qa_id"][0]
    release = day.vary(verdicts=day.verdicts.filter(pl.col("qa_id") != first)).build()
    assert manifest(release, "private_qa")["withheld"] == {"not_screened": 1}
    assert table(release, "public_questions").height == 3


def with_questions(day, *questions):
    accepted = ACCEPTED.frame([*day.accepted.iter_rows(named=True), *questions])
    extra = day.verdicts.filter(pl.col("qa_id") == day.accepted["qa_id"][0])
    more = [extra.with_columns(qa_id=pl.lit(row["qa_id"])) for row in questions]
    return day.vary(accepted=accepted, verdicts=pl.concat([day.verdicts, *more]))


def test_too_few_questions_make_an_empty_release(day):
    assert day.vary(accepted=day.accepted.head(1)).build().is_empty()
    assert day.vary(accepted=day.accepted.clear()).build().is_empty()


def test_another_key_gives_another_order_and_other_private_ids(day, question):
    many = [question(n, "simple", f"Вопрос {n}: кто провёл форум?", ["Ирина Шведова"], [5]) for n in range(10, 30)]
    here = with_questions(day, *many)
    one, two = here.build(), here.vary(key=bytes(32)).build()
    orders = [table(release, "public_questions")["question"].to_list() for release in (one, two)]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    assert not set(table(one, "private_texts")["id"]) & set(table(two, "private_texts")["id"])


def test_a_day_s_key_does_not_open_another_day(day):
    one, two = (manifest(day.vary(day=name).build(), "private_qa")["private"]["key"] for name in ("2024-05-02", "2024-05-03"))
    assert one != two
    assert day.key.hex() not in (one, two)


def test_a_short_key_is_refused(day):
    with pytest.raises(BadInput, match="16"):
        day.vary(key=b"secret").build()


def test_the_public_manifest_commits_to_key_and_seed_that_only_the_private_one_tells(release, day):
    public, private = manifest(release, "public_texts"), manifest(release, "private_texts")
    key = bytes.fromhex(private["private"]["key"])
    assert public["commitments"] == {
        "key": ids.key_commitment(key),
        "seed": ids.seed_commitment(key, day.settings.seed),
    }
    assert "private" not in public
    assert {name: value for name, value in private.items() if name != "private"} == public


def test_a_release_by_rules_says_that_it_is_not_for_ranking(release, day):
    by_model = day.vary(accepted=day.accepted.with_columns(writer=pl.lit("a-model"))).build()
    assert manifest(release, "public_questions")["ranking"] is False
    assert manifest(by_model, "public_questions")["ranking"] is True
    for dataset in DATASETS:
        assert "Not for ranking" in content(release, dataset, "README.md").decode()
        assert "Not for ranking" not in content(by_model, dataset, "README.md").decode()


def test_the_manifest_tells_counts_outlets_and_screens(release):
    told = manifest(release, "public_questions")
    assert told["questions"] == {"all": 4, "by_type": {"conditional": 1, "set": 1, "simple": 2}}
    assert told["texts"] == {"all": 5, "by_outlet": {"gavan": 2, "vestnik": 3}}
    states = {name: screen["state"] for name, screen in told["screens"].items()}
    assert states == {"grammar": "ran", "judge_fluency": "not_run", "closed_book": "not_run"}
    assert told["screens"]["grammar"]["passed"] == 4


def test_manifest_and_card_name_models_by_role_and_prompts_by_digest(day, release):
    engines = {"extractor": "big-model", "closed_book": "small-one, small-two", "judge": "judge|`model"}
    made = day.vary(
        provenance=Provenance("c0ffee", engines, prompts={"writer_set": "0123abcd", "judge_question_clarity": "4567"})
    )
    told = manifest(made.build(), "public_questions")
    assert told["engines"] == engines
    assert told["prompts"] == {"judge_question_clarity": "4567", "writer_set": "0123abcd"}
    card = content(made.build(), "public_texts", "README.md").decode()
    assert "`closed_book`: `small-one, small-two`; `extractor`: `big-model`; `judge`: `judge model`." in " ".join(card.split())
    assert "`judge_question_clarity` `4567`, `writer_set` `0123abcd`.\n\nQuestions written by" in card
    assert "Prompts" not in content(release, "public_texts", "README.md").decode()


def test_a_screen_that_was_spared_what_had_failed_did_run(day):
    first = day.accepted["qa_id"][0]
    spared = pl.col("reason").is_null() & (pl.col("screen") == "judge_fluency")
    verdicts = day.verdicts.with_columns(
        outcome=pl.when(spared & (pl.col("qa_id") != first)).then(pl.lit("passed")).otherwise("outcome"),
        reason=pl.when(spared & (pl.col("qa_id") == first)).then(pl.lit("failed_earlier")).otherwise("reason"),
    )
    told = manifest(day.vary(verdicts=verdicts).build(), "public_questions")["screens"]["judge_fluency"]
    assert told == {"state": "ran", "passed": 3, "failed": 0, "not_run": 1}


def test_every_card_carries_the_canary_and_the_screens(release):
    canary = manifest(release, "public_questions")["canary"]
    for dataset in DATASETS:
        card = content(release, dataset, "README.md").decode()
        assert canary in card
        assert "| `judge_fluency` | not_run |" in card
        assert card.startswith("---\n")
        assert ("**Private.**" in card) == (dataset in PRIVATE)


def test_an_outlet_s_name_cannot_break_the_card(day):
    evil = "a|b`\n## Free answers\n<script>"
    named = day.articles.with_columns(outlet=pl.lit(evil))
    card = content(day.vary(articles=named).build(), "public_texts", "README.md").decode()
    assert "\n## Free answers" not in card
    assert "<script>" not in card


def test_tables_hold_no_metadata(release):
    for dataset in DATASETS:
        assert not pq.read_metadata(io.BytesIO(content(release, dataset))).metadata


def test_the_permutation_does_not_depend_on_the_order_of_its_input():
    names = [content_id(n) for n in range(200)]
    shuffled = random.Random(1).sample(names, len(names))
    found = ids.permutation(b"k" * 32, "text", names)
    assert found == ids.permutation(b"k" * 32, "text", shuffled)
    assert sorted(found.values()) == list(range(200))
    assert sorted(names, key=found.__getitem__) != sorted(names)
    assert found != ids.permutation(b"k" * 32, "question", names)


@pytest.fixture(scope="module")
def large(day):
    return many_texts(day)


@pytest.fixture(scope="module")
def large_release(large):
    return large.build()


@pytest.mark.slow
def test_many_texts_are_written_in_pieces_that_are_one_table(large, large_release):
    release = large_release
    texts = release.filter(pl.col("dataset") == "public_texts", pl.col("path").str.starts_with("data/")).sort("path")
    assert texts["path"].to_list() == ["data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"]
    assert texts["rows"].to_list() == [5000, 999]
    tables = [table(release, "public_texts", path) for path in texts["path"]]
    assert pl.concat(tables)["id"].to_list() == list(range(5999))
    assert set(manifest(release, "private_qa")["files"]["public_texts"]) == {*texts["path"], "README.md"}
    assert release_faults(release, large.accepted, large.window, large.files) == []


@pytest.mark.slow
def test_pieces_do_not_depend_on_how_articles_are_read(large, large_release):
    day_by_day = Batches(ARTICLES, lambda columns: large.articles.sort("day", "title").select(columns).iter_slices(4000))
    other = build_release(
        large.accepted, day_by_day, large.verdicts, large.day, large.settings, large.key, large.provenance, large.files
    )
    assert other.equals(large_release)


@pytest.mark.slow
def test_row_groups_are_small_enough_to_read_one_at_a_time(large_release):
    metadata = pq.read_metadata(io.BytesIO(content(large_release, "public_texts", "data/train-00000-of-00002.parquet")))
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [1000] * 5


def test_a_text_of_two_days_is_taken_from_the_last(day):
    """A page that was changed and changed back has one id on both days."""
    again = day.articles.filter(pl.col("url").str.ends_with("/forum")).with_columns(
        day=pl.lit("2024-05-03"), published_at=pl.lit("2024-05-03T08:00:00+03:00")
    )
    release = day.vary(articles=pl.concat([day.articles, again])).build()
    texts = table(release, "public_texts").filter(pl.col("title") == "Форум")
    assert texts["published_at"].to_list() == ["2024-05-03T08:00:00+03:00"]
