"""Every outlet against its fixture site, over real HTTP and TLS: exactly these rows, and nothing else asked for."""

import asyncio
import difflib
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urljoin

import polars as pl
import pytest
import yaml

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline_tests.local_sites.fixtures import ExpectedCrawl, Site, read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

FOLDER = Path(__file__).parent / "sites"
SITES = [read_site(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]
CRAWLS = [
    pytest.param(site, told, id=f"{site.name}-{told.day}{'-live' if told.live else ''}")
    for site in SITES
    for told in site.crawls
]
EXACT = ("title", "lead", "text", "author", "section", "published_at", "modified_at", "extractor")


@pytest.mark.parametrize(("site", "told"), CRAWLS)
def test_a_site_gives_exactly_what_its_fixture_says(site: Site, told: ExpectedCrawl, tmp_path: Path):
    with LocalSites([site]) as serving:
        serving.day = told.day
        table = crawled(site.name, told, serving, tmp_path)
        asked, strangers = serving.urls, serving.strangers
    if wrong := differences(found(table, told), expected(told)):
        pytest.fail(wrong, pytrace=False)
    assert (strangers, sorted(set(told.not_asked) & set(asked))) == ([], [])
    assert [url for url in asked if asked.count(url) > 1 and url not in led_to(site)] == [], "asked twice"


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_a_site_has_a_live_and_a_past_day(site: Site):
    assert {crawl.live for crawl in site.crawls} == {True, False}


def led_to(site: Site) -> set[str]:
    """Addresses that redirects lead to: a listing may name them as well."""
    return {urljoin(answer.url, answer.headers["Location"]) for answer in site.answers if "Location" in answer.headers}


def crawled(outlet: str, told: ExpectedCrawl, serving: LocalSites, archive: Path) -> pl.DataFrame:
    settings = NewsroomSettings(gateway=serving.address, delay=0, seconds_per_outlet=30, ca_file=serving.ca_file)
    crawling = crawl([load_outlets([outlet])[outlet]], told.day, settings, PageArchive(archive), today(told))
    return asyncio.run(crawling)[outlet].table()


def expected(told: ExpectedCrawl) -> dict[str, dict]:
    """By address what a row must say, as `found` reads it."""
    good = {
        row.url: {"status": "ok"} | {name: getattr(row, name) for name in _compared(row.model_fields_set)} for row in told.rows
    }
    others = [(told.failed, "failed"), (told.left_out, "left_out")]
    return good | {url: {"status": status, "reason": why} for urls, status in others for url, why in urls.items()}


def found(table: pl.DataFrame, told: ExpectedCrawl) -> dict[str, dict]:
    compared = {row.url: _compared(row.model_fields_set) for row in told.rows}
    return {row["url"]: _row(row, compared.get(row["url"], EXACT)) for row in table.iter_rows(named=True)}


def differences(found: dict[str, dict], expected: dict[str, dict]) -> str:
    """Line by line, a paragraph a line; empty when there are none. `-` was expected, `+` was found."""
    told, got = (
        yaml.safe_dump(rows, allow_unicode=True, width=1_000_000).splitlines(keepends=True) for rows in (expected, found)
    )
    return "".join(["\n", *difflib.unified_diff(told, got, "expected", "found")]) if told != got else ""


def _row(row: dict, names: tuple[str, ...]) -> dict:
    if row["status"] != "ok":
        return {"status": row["status"], "reason": row["reason"]}
    return {"status": "ok"} | {name: row[name].split("\n") if name == "text" else row[name] for name in names}


def _compared(given: set[str]) -> tuple[str, ...]:
    return (*EXACT, "canonical") if "canonical" in given else EXACT


def today(told: ExpectedCrawl) -> date:
    """The day on which the crawl is made."""
    return told.day + timedelta(days=0 if told.live else 40)
