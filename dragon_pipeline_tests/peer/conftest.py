"""A release of 600 invented questions, built by the pipeline and published to a Hub on loopback; and the published client."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from upath import UPath

import rag_bench
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.records import ACCEPTED, ARTICLES, VERDICTS
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY
from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub
from dragon_pipeline_tests.rag_bench.invented import Release, invent

PEER = Path(__file__).resolve().parents[2] / ".venv-peer" / "bin" / "python"
SCRIPT = Path(__file__).with_name("published_client.py")
TODAY, NAMESPACE, QUESTIONS = "2024-05-02", "dragon", 600
NO_HOME = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
"""all that the other environment is told of this one"""


@pytest.fixture(scope="session")
def peer_python() -> Path:
    if not PEER.exists():
        pytest.skip("needs the published client in .venv-peer: `make peer`")
    return PEER


@pytest.fixture(scope="session")
def published_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalHub]:
    """Holds version 1.0.0."""
    files = ReleaseFiles(UPath(tmp_path_factory.mktemp("files").as_uri()))
    settings = Settings.model_validate({"screens": {"required": ["grammar"]}})
    news = invent(QUESTIONS)
    accepted, articles = ACCEPTED.frame(_accepted(news)), _articles(news)
    grammar = {"order": 0, "screen": "grammar", "outcome": "passed", "score": None, "reason": None}
    verdicts = VERDICTS.frame([{"qa_id": id, **grammar} for id in accepted["qa_id"]])
    window = Batches(ARTICLES, lambda columns: articles.select(columns).iter_slices(500))
    provenance = Provenance("c0ffee", {"writer": "rules"}, {})
    release = build_release(accepted, window, verdicts, TODAY, settings, bytes(range(32)), provenance, files)
    with LocalHub() as hub:
        at = HuggingFaceHub(NAMESPACE, WRITE, hub.url)
        assert publish(release, None, TODAY, at, files, settings.release)["outcome"].to_list() == ["published"] * 4
        yield hub


@pytest.fixture(scope="session")
def release(published_hub: LocalHub, tmp_path_factory: pytest.TempPathFactory) -> rag_bench.Release:
    """As our client loads it, with its gold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_TOKEN", WRITE)
        found = rag_bench.load("1.0.0", endpoint=published_hub.url, cache=tmp_path_factory.mktemp("cache"))
        assert found.gold and len(found.questions) == len(found.gold.private_qa) == QUESTIONS
        return found


@pytest.fixture(scope="session")
def peer(peer_python: Path, published_hub: LocalHub, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Runs a part of `published_client.py` with the published client, in a fresh folder with a cache of its own."""

    def run(part: str, *paths: Path) -> Any:
        folder = tmp_path_factory.mktemp("peer")
        env = NO_HOME | published_hub.env | {"HF_HOME": str(folder / "home")}
        done = subprocess.run(
            [peer_python, SCRIPT, part, NAMESPACE, folder / "told.json", *paths],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3_000:]
        return json.loads((folder / "told.json").read_text("utf-8"))

    return run


def _articles(news: Release) -> pl.DataFrame:
    rows = [
        {
            "article_id": content_id("article", n),
            "url": f"https://gavan.example/{n}",
            "outlet": "gavan",
            "version": 1,
            "change": "new",
            "title": text.split(".")[0],
            "text": text,
            "author": None,
            "section": None,
            "published_at": f"{TODAY}T09:00:00+03:00",
            DAY: TODAY,
        }
        for n, text in enumerate(news.articles)
    ]
    return pl.DataFrame(rows, schema={**ARTICLES.schema, DAY: pl.String()})


def _accepted(news: Release) -> list[dict]:
    return [
        {
            "qa_id": content_id("qa", n),
            "type": one["type"],
            "question": one["question"],
            "answer": ", ".join(one["answers"]),
            "answers": one["answers"],
            "given": [],
            "bridge": None,
            "fact_ids": [content_id("fact", n)],
            "article_ids": sorted(content_id("article", place) for place in one["articles"]),
            "direction": None,
            "cross_story": False,
            "one_article": len(one["articles"]) == 1,
            "subgraph": json.dumps([{"head": subject} for subject in one["subjects"]], ensure_ascii=False),
            "writer": "rules",
            "reason": None,
            "raw": None,
            "rank": n + 1,
            "score": 0.9,
            "standing": "{}",
        }
        for n, one in enumerate(news.questions)
    ]
