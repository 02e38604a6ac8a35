import re

import pyarrow as pa
import pytest
from huggingface_hub import DatasetCard

from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE, SCHEMAS

MANIFEST = {
    "day": "2024-05-02",
    "ranking": True,
    "questions": {"all": 4, "by_type": {"simple": 3, "set": 1}},
    "texts": {"all": 5, "by_outlet": {"gavan": 2, "vestnik": 3}},
    "withheld": {"gold_replaced": 2},
    "screens": {
        "grammar": {"state": "ran", "passed": 4, "failed": 0, "not_run": 0},
        "judge_fluency": {"state": "not_run", "passed": 0, "failed": 0, "not_run": 4},
    },
    "writers": ["a-model"],
    "engines": {"writer": "a-model"},
    "prompts": {"writer_set": "0123abcd"},
    "knowledge_base": "wikidata-2024-05-01",
    "source_commit": "c0ffee",
    "canary": "dragon-canary-1",
}


def card(dataset: str, rows: int = 5, **options: object) -> str:
    manifest = {**MANIFEST, **{name: options[name] for name in ("sandbox", "ranking") if name in options}}
    return render_card(dataset, manifest, rows, "f" * 64, opened=bool(options.get("opened"))).decode()


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("options", [{}, {"sandbox": True}, {"opened": True}], ids=["closed", "sandbox", "opened"])
def test_the_hub_reads_the_metadata_of_a_card(dataset, options):
    data = DatasetCard(card(dataset, **options)).data.to_dict()
    assert data["language"] == ["ru"]
    assert data["license"] == ("other" if dataset == "public_texts" else "cc-by-4.0")
    assert set(data["task_categories"]) <= {"question-answering", "text-retrieval"}
    assert data["size_categories"] == ["n<1K"]
    assert data["pretty_name"].startswith("DRAGON ")
    assert data["tags"]
    (config,) = data["configs"]
    assert config["data_files"] == [{"split": "train", "path": "data/train-*"}]
    assert config["description"] == f"train is {'f' * 64}"


@pytest.mark.parametrize(
    ("rows", "size"),
    [(999, "n<1K"), (1_000, "1K<n<10K"), (10_000, "10K<n<100K"), (100_000, "100K<n<1M"), (1_000_000, "n>1M")],
)
def test_the_size_is_one_of_the_hubs(rows, size):
    assert DatasetCard(card("public_texts", rows)).data.to_dict()["size_categories"] == [size]


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_columns_told_are_those_of_the_table(dataset):
    columns = card(dataset).split("## Columns")[1].split("## ")[0]
    told = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", columns, re.MULTILINE)
    assert {name: type for name, type, _ in told} == {field.name: named(field) for field in SCHEMAS[dataset]}
    assert all(meaning.strip() for *_, meaning in told)


def named(field: pa.Field) -> str:
    type = "list of string" if pa.types.is_list(field.type) else str(field.type)
    return f"{type} or null" if field.nullable else type


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_card_tells_provenance_screens_licence_canary_and_citation(dataset):
    told = card(dataset)
    for part in (
        "`writer`: `a-model`.",
        "`wikidata-2024-05-01`",
        "`0123abcd`",
        "`c0ffee`",
        "`dragon-canary-1`",
        "`gold_replaced` 2",
    ):
        assert part in told
    assert "Did not run: `judge_fluency`." in told
    assert "belong to their outlets" in told
    assert told.count("@misc{") == 2 and "eprint={2507.05713}" in told and "title={DRAGON release of 2024-05-02}" in told
    assert "rag_bench.load(" in told
    assert "{{" not in told and "{%" not in told


@pytest.mark.parametrize("dataset", DATASETS)
def test_only_the_card_of_a_private_dataset_says_what_must_not_be_done(dataset):
    assert ("must not be done" in card(dataset)) == (dataset in PRIVATE)
    assert ("**Private.**" in card(dataset)) == (dataset in PRIVATE)
    for options in ({"sandbox": True}, {"opened": True}):
        assert "must not be done" not in card(dataset, **options)
        assert "**Private.**" not in card(dataset, **options)


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_sandbox_card_names_its_own_datasets_and_how_to_load_them(dataset):
    told = card(dataset, sandbox=True)
    assert f"# DRAGON sandbox {dataset.replace('_', ' ')}," in told
    assert "`sandbox_public_texts`, `sandbox_public_questions`, `sandbox_private_texts`, `sandbox_private_qa`" in told
    assert 'source="sandbox"' in told


def test_a_release_by_rules_is_marked_on_every_card():
    for dataset in DATASETS:
        assert ("Not for ranking" in card(dataset, ranking=False), "Not for ranking" in card(dataset)) == (True, False)
