"""Pages that are to stay forgotten, over real HTTP: known by address, not asked for; naming somebody, not kept."""

import asyncio
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline.languages.ru.lemmas import forms
from dragon_pipeline_tests.adapters.web.conftest import FIRST, story

NOBODY = Forgotten(b"k" * 32, forms)
OUTLET = load_outlets(["severny-kurier"])["severny-kurier"]


def crawled(newsroom: Newsroom, folder: Path, known: Forgotten) -> pl.DataFrame:
    settings = NewsroomSettings(gateway=newsroom.address, gateway_shows_days=True, delay=0, seconds_per_outlet=20)
    found = asyncio.run(crawl([OUTLET], FIRST, settings, PageArchive(folder, forgotten=known), FIRST))
    return found[OUTLET.name].table()


def test_a_forgotten_address_is_not_asked_for_and_not_shown(tmp_path: Path):
    with Newsroom(articles=[story(OUTLET.name, "odna"), story(OUTLET.name, "drugaya")]) as newsroom:
        first = crawled(newsroom, tmp_path / "one", NOBODY)
        (url,) = (url for url in first["url"] if "odna" in url)
        newsroom.requests.clear()
        known = Forgotten(NOBODY.key, forms, frozenset({NOBODY.hash(canonical_url(url, OUTLET.url_rules))}))
        left = crawled(newsroom, tmp_path / "two", known)
    assert first.filter(status="ok").height == 2
    assert not [path for _, path, _ in newsroom.requests if "odna" in path]
    assert left.select("status", "reason").rows().count(("left_out", "forgotten")) == 1
    assert left.filter(status="ok").height == 1
    assert not left["url"].str.contains("odna").any()
    assert not [path for path in (tmp_path / "two").rglob("*") if path.is_file() and b"odna" in path.read_bytes()]


def test_a_page_that_names_somebody_forgotten_is_not_kept(tmp_path: Path):
    told = story(OUTLET.name, "o-masterskoy", paragraphs=("Мастерскую открыла Глафира Зимородкова.", "Второй абзац."))
    with Newsroom(articles=[told, story(OUTLET.name, "drugaya")]) as newsroom:
        known = Forgotten(NOBODY.key, forms, names=(NOBODY.name(["Глафира", "Зимородкова"]),))
        left = crawled(newsroom, tmp_path, known)
    assert left.filter(reason="forgotten").height == 1
    assert left.filter(status="ok").height == 1
    assert not left["url"].str.contains("masterskoy").any()
    assert len(list(tmp_path.rglob("*.page.gz"))) == 1
