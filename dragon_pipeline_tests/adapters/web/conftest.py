"""A small newsroom of our own words, and a way to crawl it."""

import asyncio
import json
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import Outlet, load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline.demo.articles import Story
from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline_tests.local_sites.fixtures import Site, SiteAnswer
from dragon_pipeline_tests.local_sites.server import LocalSites

OUTLETS = ("severny-kurier", "delovaya-volna", "motor-city", "afisha-kvartal")
FIRST = date(2031, 5, 5)

VESTNIK = "https://vestnik.example"

Crawl = Callable[..., dict[str, pl.DataFrame]]


def story(outlet: str, slug: str, day: int = 1, **said: Any) -> Story:
    """An article of the `day`-th day, published at nine in Moscow unless said otherwise."""
    of_day = FIRST + timedelta(days=day - 1)
    nine = datetime(of_day.year, of_day.month, of_day.day, 9, tzinfo=timezone(timedelta(hours=3)))
    words = {
        "title": f"Заголовок заметки {slug}",
        "lead": "Вводка в одну строку.",
        "author": "Инна Погодина",
        "published": nine,
        "paragraphs": (f"Первый абзац заметки {slug}.", "Второй абзац, с «ёлочками» и тире — вот так."),
    }
    return Story(**{**words, "outlet": outlet, "slug": slug, "day": of_day, **said})


@pytest.fixture(scope="session")
def make_story() -> Callable[..., Story]:
    return story


@pytest.fixture
def newsroom() -> Iterator[Newsroom]:
    """Two days, two articles a day on each site."""
    stories = [story(outlet, f"{outlet[:3]}-{day}-{n}", day) for outlet in OUTLETS for day in (1, 2) for n in (1, 2)]
    with Newsroom(articles=stories) as serving:
        yield serving


@pytest.fixture
def crawled(tmp_path: Path) -> Crawl:
    """crawled(newsroom, day, *outlets, archive=…, **settings): the tables of one crawl, all four outlets by default."""

    def run(
        newsroom: Newsroom | LocalSites | str,
        day: int,
        *outlets: str | Outlet,
        archive: str = "pages",
        today: int | None = None,
        **settings: Any,
    ) -> dict[str, pl.DataFrame]:
        gateway = newsroom if isinstance(newsroom, str) else newsroom.address
        shows_days = not isinstance(newsroom, str)
        trusted = {"ca_file": newsroom.ca_file} if isinstance(newsroom, LocalSites) else {}
        given = trusted | {
            "gateway": gateway,
            "gateway_shows_days": shows_days,
            "delay": 0,
            "seconds_per_outlet": 20,
            **settings,
        }
        named = [load_outlets([outlet])[outlet] if isinstance(outlet, str) else outlet for outlet in outlets or OUTLETS]
        of_day, now = (FIRST + timedelta(days=number - 1) for number in (day, today or day))
        crawling = crawl(
            named, of_day, NewsroomSettings(**given), PageArchive(tmp_path / archive, tmp_path / f"{archive}-http"), now
        )
        return {name: outlet.table() for name, outlet in asyncio.run(crawling).items()}

    return run


@pytest.fixture(scope="session")
def reasons() -> Callable[[pl.DataFrame], dict[str, str]]:
    """Path of every failed address → its reason."""

    def read(table: pl.DataFrame) -> dict[str, str]:
        failed = table.filter(pl.col("status") == "failed")
        return {url.split("/", 3)[3]: reason for url, reason in failed.select("url", "reason").iter_rows()}

    return read


@pytest.fixture(scope="session")
def vestnik() -> Outlet:
    """A site of plain pages with schema.org articles, one list of links and one sitemap."""
    entries = (Entry(kind="page", url=f"{VESTNIK}/"), Entry(kind="sitemap", url=f"{VESTNIK}/sitemap.xml"))
    return Outlet(name="vestnik", hosts=("vestnik.example",), entries=entries, articles=(r"/news/\d+",))


@pytest.fixture
def playing(tmp_path: Path) -> Callable[..., LocalSites]:
    """playing(pages, **answers by path): vestnik with these pages (number → (day, text)) on https, and other answers."""

    def play(pages: dict[int, tuple[int, str]], answers: dict[str, dict[str, Any]] | None = None) -> LocalSites:
        links = "".join(f'<a href="/news/{number}">{number}</a>' for number in pages)
        said: dict[str, dict[str, Any]] = {
            "/robots.txt": {"text": "", "type": "text/plain"},
            "/": {"text": f"<html><body>{links}</body></html>"},
            "/sitemap.xml": {"text": "<urlset></urlset>", "type": "text/xml"},
            **{f"/news/{number}": {"text": article(*said)} for number, said in pages.items()},
        }
        given, html = said | (answers or {}), {"type": "text/html; charset=utf-8"}
        return LocalSites(
            [
                Site(
                    name="vestnik",
                    folder=tmp_path,
                    answers=[SiteAnswer(url=VESTNIK + path, **html | told) for path, told in given.items()],
                )
            ]
        )

    return play


def article(day: int, text: str) -> str:
    """A page of the `day`-th day."""
    said = {
        "@type": "NewsArticle",
        "headline": "Мост открыт",
        "datePublished": (FIRST + timedelta(days=day - 1)).isoformat() + "T12:00:00+03:00",
        "articleBody": text,
    }
    payload = json.dumps(said, ensure_ascii=False)
    return f'<html><head><script type="application/ld+json">{payload}</script></head><body></body></html>'
