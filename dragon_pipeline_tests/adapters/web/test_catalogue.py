"""Sites by configuration alone: what is made of the settings, and what crawls of two such sites give."""

import asyncio
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from pydantic import ValidationError

from dragon_pipeline.adapters.web.catalogue import outlet_of, outlets_of
from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import NewsroomSettings, SiteSettings
from dragon_pipeline_tests.adapters.web.test_sites import expected, found, today
from dragon_pipeline_tests.local_sites.fixtures import ExpectedCrawl, Site, read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

FOLDER = Path(__file__).parent / "configured"
COURIER: dict[str, Any] = {
    "name": "river-courier",
    "feeds": ["https://www.river-courier.example/feed.xml"],
    "sitemaps": ["https://www.river-courier.example/sitemap-news.xml"],
    "language": "en",
    "timezone": "Europe/London",
}
GEFYRA: dict[str, Any] = {
    "name": "nea-gefyra",
    "feeds": ["http://nea-gefyra.example/atom.xml"],
    "sitemaps": ["http://nea-gefyra.example/sitemap.xml.gz"],
    "language": "el",
    "timezone": "Europe/Athens",
}
CONFIGURED = {site["name"]: site for site in (COURIER, GEFYRA)}
CRAWLS = [(site, told) for site in map(read_site, sorted(FOLDER.iterdir())) for told in site.crawls]


@pytest.mark.parametrize(("site", "told"), CRAWLS, ids=lambda one: one.name if isinstance(one, Site) else str(one.day))
def test_a_configured_site_gives_its_articles_in_any_language(site: Site, told: ExpectedCrawl, tmp_path: Path):
    with LocalSites([site]) as serving:
        serving.day = told.day
        settings = NewsroomSettings.model_validate(
            {
                "sites": [CONFIGURED[site.name]],
                "gateway": serving.address,
                "ca_file": serving.ca_file,
                "delay": 0,
                "seconds_per_outlet": 30,
            }
        )
        outlets = list(outlets_of(settings).values())
        table = asyncio.run(crawl(outlets, told.day, settings, PageArchive(tmp_path), today(told)))[site.name].table()
        asked, strangers = serving.urls, serving.strangers
    assert found(table, told) == expected(told)
    assert (strangers, sorted(set(told.not_asked) & set(asked))) == ([], [])


def test_a_home_has_its_sites_beside_the_bundled_outlets():
    settings = NewsroomSettings.model_validate({"outlets": ["motor-city"], "sites": [COURIER]})
    assert list(outlets_of(settings)) == ["motor-city", "river-courier"]
    assert list(outlets_of(settings, ["river-courier"])) == ["river-courier"]
    with pytest.raises(BadInput, match="no outlet `nope`"):
        outlets_of(settings, ["nope"])


@pytest.mark.parametrize(
    ("url", "article", "day"),
    [
        ("https://river-courier.example/town/2025/09/01/ferry", True, date(2025, 9, 1)),
        ("https://www.river-courier.example/2025-09-01-ferry.html", True, date(2025, 9, 1)),
        ("https://www.river-courier.example/20250901/ferry", True, date(2025, 9, 1)),
        ("https://www.river-courier.example/2025/09/01.html", True, date(2025, 9, 1)),
        ("https://www.river-courier.example/ferry-99991399", True, None),
        ("https://www.river-courier.example/", False, None),
        ("https://www.river-courier.example/plan.PDF", False, None),
        ("https://cdn.river-courier.example/ferry", False, None),
        ("ftp://www.river-courier.example/ferry", False, None),
    ],
)
def test_any_page_of_the_sites_hosts_may_be_an_article_unless_a_pattern_says_which(url, article, day):
    outlet = outlet_of(SiteSettings.model_validate(COURIER))
    assert (outlet.is_article(url), outlet.url_day(url)) == (article, day)


def test_a_pattern_and_further_hosts_are_the_sites_own():
    outlet = outlet_of(
        SiteSettings.model_validate(COURIER | {"articles": "/news/\\d+", "hosts": ["News.river-courier.example"]})
    )
    assert outlet.is_article("https://news.river-courier.example/news/7")
    assert not outlet.is_article("https://news.river-courier.example/town/7")


def test_braces_in_an_address_are_only_braces():
    entry = outlet_of(SiteSettings(name="a", feeds=("https://a.example/rss?q={day}{x}",))).entries[0]
    assert entry.address(date(2025, 9, 1)) == "https://a.example/rss?q={day}{x}"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": "River Courier"}, "name"),
        ({"name": "import"}, "named import"),
        ({"name": "motor-city"}, "two outlets are named motor_city"),
        ({"feeds": [], "sitemaps": []}, "river-courier: say its `feeds`, its `sitemaps`, or both"),
        ({"feeds": ["river-courier.example/feed"]}, "is no address like https://"),
        ({"sitemaps": ["file:///etc/passwd"]}, "is no address like https://"),
        ({"feeds": ["https://user@river-courier.example/feed"]}, "is no address like https://"),
        ({"articles": "("}, "is no pattern"),
        ({"timezone": "Europe/Alder Quay"}, "invalid timezone"),
        ({"timezone": "../../etc/passwd"}, "invalid timezone"),
        ({"language": "english"}, "language"),
        ({"feed": "https://river-courier.example/feed"}, "feed"),
    ],
)
def test_a_wrong_configuration_says_what_is_wrong(change, says):
    with pytest.raises(ValidationError) as error:
        NewsroomSettings.model_validate({"outlets": ["motor-city"], "sites": [COURIER | change]})
    assert says in str(error.value)


MATERIALISED = """
import dagster as dg
from dragon_pipeline.defs.corpus import crawl, url_rules
from dragon_pipeline.defs.resources import resources, settings
assert dg.materialize([crawl], resources=resources(), partition_key="2025-09-01", selection=["crawl/nea-gefyra"]).success
assert url_rules(settings())["nea-gefyra"].hosts == ("nea-gefyra.example", "www.nea-gefyra.example")
"""


@pytest.mark.slow
def test_a_site_in_dragon_yaml_is_an_outlet_of_the_home(tmp_path: Path):
    with LocalSites([read_site(FOLDER / "nea-gefyra")]) as serving:
        newsroom = {"sites": [GEFYRA], "gateway": serving.address, "delay": 0}
        (tmp_path / "dragon.yaml").write_text(yaml.safe_dump({"newsroom": newsroom}), encoding="utf-8")
        told = subprocess.run(
            [sys.executable, "-c", MATERIALISED],
            env={**os.environ, "DRAGON_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert told.returncode == 0, told.stderr
    (table,) = (tmp_path / "tables" / "crawl" / "nea-gefyra").glob("2025-09-01.parquet")
    assert pl.read_parquet(table).filter(pl.col("status") == "ok")["extractor"].to_list() == ["trafilatura", "json_ld"]


def test_a_site_cannot_take_the_name_of_a_bundled_outlet():
    site = SiteSettings(name="lenta", feeds=("https://other.example/rss",))
    with pytest.raises(BadInput, match="lenta is the name of a bundled outlet"):
        outlets_of(NewsroomSettings(sites=(site,)))
