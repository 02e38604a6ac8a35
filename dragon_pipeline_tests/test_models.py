"""Days through models, end to end: what a strong model says of 20 articles becomes a release, a weak model's nonsense does not;
a spent budget and an outage are gone on from."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline_tests.strong_model.server import MODEL, StrongModel, Think, stories, strong, weak
from dragon_pipeline_tests.test_cli import dragon

pytestmark = pytest.mark.slow

RULED = ("grammar", "entities", "correspondence", "standalone", "duplicates")
REQUIRED = [*RULED, "closed_book", "multi_hop", *(f"judge_{name}" for name in CRITERIA)]
DAYS = ["run", "--day", "2025-09-01", "--until", "2025-09-02"]
FIRST = ["run", "--day", "2025-09-01"]


class World:
    """A home whose every role is played by one server, and the file of 20 articles."""

    def __init__(self, folder: Path, server: StrongModel) -> None:
        self.home, self.articles, self.server = folder / "home", folder / "articles.jsonl", server
        self.home.mkdir()
        (self.home / "release.key").write_bytes(b"k" * 32)
        rows = [
            {
                "url": f"https://{story.outlet}.example/{story.slug}", "outlet": story.outlet, "title": story.title,
                "lead": story.lead, "text": "\n".join(story.paragraphs), "published_on": story.published.isoformat(),
                "day": story.day.isoformat(),
            }
            for story in stories().values()
        ]  # fmt: skip
        self.articles.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
        self.configure({})

    def configure(self, models: Mapping[str, Any]) -> None:
        model = {"url": self.server.url, "model": MODEL, "attempts": 2, "patience": 60}
        roles = dict.fromkeys(("extractor", "normaliser", "writer", "judge"), model)
        told = {
            "first_day": "2025-09-01",
            "models": {**roles, "closed_book": [model], **models},
            "screens": {"required": REQUIRED},
            "evaluation": {"baselines": ["bm25"]},
        }
        (self.home / "dragon.yaml").write_text(yaml.safe_dump(told), "utf-8")

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return dragon(*words, "--articles", str(self.articles), home=self.home)

    def table(self, name: str) -> pl.DataFrame:
        return pl.concat([pl.read_parquet(path) for path in sorted((self.home / "tables" / name).glob("*.parquet"))])

    @property
    def versions(self) -> list[str]:
        return sorted(FolderHub(self.home / "hub", "dragon").tags("public_questions"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Callable[..., World]]:
    servers: list[StrongModel] = []

    def make(think: Think = strong) -> World:
        servers.append(StrongModel(think).__enter__())
        return World(tmp_path, servers[-1])

    yield make
    for server in servers:
        server.__exit__()


def test_what_a_strong_model_says_becomes_a_release_and_is_paid_for_once(world):
    made = world()
    told = made.run(DAYS)
    assert told.returncode == 0, told.stderr
    accepted, verdicts, facts = (made.table(name) for name in ("accepted", "verdicts", "facts"))
    assert set(accepted["type"]) == set(TYPES)
    assert accepted.height >= 60
    assert set(accepted["writer"]) == {MODEL}
    assert set(verdicts.filter(outcome="passed")["screen"]) == set(REQUIRED)
    known = facts.filter(novelty="known")
    assert set(known["why"]) == {"stated"} and known["statement_id"].null_count() == 0
    assert {("Модена", "P17", "Италия"), ("Познань", "P17", "Польша")} == set(
        known.select("head", "relation_id", "tail").rows()
    )
    manifest = FolderHub(made.home / "hub", "dragon").read("public_questions", made.versions[-1], ["manifest.json"])
    shown = json.loads(manifest["manifest.json"])
    assert shown["ranking"] is True
    roles = ("extractor", "normaliser", "writer", "closed_book_1", "judge")
    assert {shown["engines"][role] for role in roles} == {MODEL}
    assert shown["engines"]["grammar"].startswith("embedded-ru@")
    assert {"extractor", "normaliser", "writer_simple", "closed_book", "judge_question_clarity"} <= shown["prompts"].keys()

    asked = len(made.server.asked)
    again = made.run(DAYS)
    assert again.returncode == 0, again.stderr
    assert len(made.server.asked) == asked, made.server.roles()


def test_a_weak_model_publishes_nothing_and_every_row_says_why(world):
    made = world(weak)
    told = made.run(FIRST)
    assert told.returncode == 3, told.stderr
    assert "nothing to publish" in told.stderr
    triplets = made.table("triplets")
    assert triplets.height and not triplets.filter(status="kept").height
    assert triplets["reason"].null_count() == 0
    assert not made.versions


def test_a_spent_budget_stops_the_day_and_a_higher_one_goes_on_without_paying_again(world):
    made = world()
    made.configure({"run_tokens": 20_000})
    told = made.run(FIRST)
    assert told.returncode == 1
    assert "budget" in told.stderr and "run_tokens" in told.stderr
    before = made.server.roles()
    assert 0 < before["extractor"] < 14
    made.configure({})
    again = made.run(FIRST)
    assert again.returncode == 0, again.stderr
    assert made.server.roles()["extractor"] == 14


def test_an_outage_stops_the_day_and_the_next_run_asks_only_what_was_not_answered(world):
    made = world()

    def away_for_one(prompt: str, message: str, schema: dict) -> dict | None:
        return None if "завод «Вымпел» в Саратове" in message and prompt == "extractor" else strong(prompt, message, schema)

    made.server.think = away_for_one
    told = made.run(FIRST)
    assert told.returncode == 1
    assert "models_answered" in told.stderr and "run the day again" in told.stderr
    assert not made.versions
    answered = made.server.roles()["extractor"]
    assert answered < 14
    made.server.think = strong
    again = made.run(FIRST)
    assert again.returncode == 0, again.stderr
    assert made.server.roles()["extractor"] == 14
