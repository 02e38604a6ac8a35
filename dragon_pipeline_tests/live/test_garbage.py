"""A model that understands no Russian ends in nothing to publish, with reasons, never in a release."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import yaml

DRAGON = Path(sys.executable).with_name("dragon")
ARTICLES = Path(__file__).with_name("articles.jsonl")
DAY = "2024-03-01"
NOTHING_TO_PUBLISH = 3
SCREENS = ("grammar", "entities", "correspondence", "closed_book", "judge_question_clarity", "judge_answer_uniqueness")


def settings_of(server, roles: dict[str, dict]) -> dict:
    """Every question that passes would be published: one is enough."""

    def model(role: str) -> dict:
        return {"url": server.url, "model": server.model, "patience": 600, "timeout": 600} | roles[role]

    models = {role: [model(role)] if role == "closed_book" else model(role) for role in roles}
    return {
        "models": models,
        "screens": {"required": [*SCREENS]},
        "release": {"min_questions": 1},
        "questions": {"sampled_per_type": 4},
    }


def run(home: Path, settings: dict) -> subprocess.CompletedProcess[str]:
    home.mkdir()
    (home / "dragon.yaml").write_text(yaml.safe_dump(settings, allow_unicode=True), "utf-8")
    command = [DRAGON, "run", "--home", home, "--day", DAY, "--articles", ARTICLES]
    return subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)


def table(home: Path, name: str) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted((home / "tables" / name).rglob("*.parquet"))])


def test_extracting_garbage_publishes_nothing_and_says_why(server, tmp_path):
    home = tmp_path / "home"
    small = {"window": 5000, "max_tokens": 300}  # of which the instructions take 4,000: an article goes in parts
    roles = {"extractor": small, "normaliser": {}, "writer": {"max_tokens": 200}, "judge": {"max_tokens": 120}}
    before = server.asked()
    done = run(home, settings_of(server, roles | {"closed_book": {"max_tokens": 60}}))
    assert done.returncode == NOTHING_TO_PUBLISH, done.stderr[-3000:]
    assert DAY in done.stderr
    assert json.loads((home / "summary.json").read_text("utf-8"))["versions"] == []
    assert not [*(home / "hub").rglob("*.parquet")]
    triplets = table(home, "triplets")
    assert set(triplets["article_id"]) == set(table(home, "articles")["article_id"]), "an article vanished"
    assert triplets.filter(pl.col("status") != "kept")["reason"].null_count() == 0
    assert server.asked() - before > triplets["article_id"].n_unique() + 2, "no article was split"


def test_garbage_written_about_true_facts_is_rejected_with_reasons(server, tmp_path):
    home = tmp_path / "home"
    roles = {"writer": {"max_tokens": 200}, "closed_book": {"max_tokens": 60}, "judge": {"max_tokens": 120}}
    done = run(home, settings_of(server, roles))
    assert done.returncode == NOTHING_TO_PUBLISH, done.stderr[-3000:]
    assert table(home, "facts").filter(novelty="novel").height > 0, "there was nothing to write about"
    qa, rejected = table(home, "qa"), table(home, "rejected")
    assert qa.height > 0
    assert table(home, "accepted").is_empty()
    assert set(rejected["qa_id"]) == set(qa["qa_id"])
    assert rejected["because"].null_count() == 0
    assert json.loads((home / "summary.json").read_text("utf-8"))["rejected"]
