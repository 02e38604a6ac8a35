"""Past days of all eleven outlets through the flow: crawled from their fixture sites, one of them refusing, one hanging."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml

from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.core.corpus.articles import SHORTEST
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline_tests.local_sites.faults import Fault
from dragon_pipeline_tests.local_sites.fixtures import ExpectedRow, read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

FOLDER = Path(__file__).parents[1] / "adapters" / "web" / "sites"
SITES = [read_site(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]
REFUSING, HANGING = "rg", "letidor"
BACKFILL = """
import sys
import dagster as dg
from dragon_pipeline.defs.corpus import articles, crawl, ledger
from dragon_pipeline.defs.resources import resources
for day in sys.argv[1:]:
    done = dg.materialize([crawl, ledger, articles], partition_key=day, resources=resources(), raise_on_error=False)
    checks = {check.check_name: check.passed for check in done.get_asset_check_evaluations()}
    print(day, done.success, checks, flush=True)
    assert done.success and all(checks.values()), checks
"""
"""In a process of its own: the flow takes its outlets from the home when it is loaded."""


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, ExpectedRow]]:
    """Past day → canonical address → what is expected of it, of the outlets that answer."""
    days: dict[str, dict[str, ExpectedRow]] = {}
    for site in (site for site in SITES if site.name not in (REFUSING, HANGING)):
        rules = load_outlets([site.name])[site.name].url_rules
        for crawl in (crawl for crawl in site.crawls if not crawl.live):
            of_day = days.setdefault(crawl.day.isoformat(), {})
            of_day.update({canonical_url(row.url, rules): row for row in crawl.rows})
    return {day: days[day] for day in sorted(days)[::5]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, told: dict[str, dict[str, ExpectedRow]]) -> Path:
    """A home in which the days were backfilled, the newest first: between them lie years, which no window may miss."""
    folder = tmp_path_factory.mktemp("home")
    with LocalSites(SITES) as serving:
        for site in SITES:
            if site.name in (REFUSING, HANGING):
                fault = Fault("status", status=403) if site.name == REFUSING else Fault("hang")
                serving.faults.update(dict.fromkeys(load_outlets([site.name])[site.name].hosts, fault))
        newsroom = {
            "outlets": [site.name for site in SITES],
            "gateway": serving.address,
            "ca_file": serving.ca_file,
            "delay": 0,
            "seconds_per_outlet": 15,
        }
        settings = {"first_day": min(told), "newsroom": newsroom}
        (folder / "dragon.yaml").write_text(yaml.safe_dump(settings), "utf-8")
        environment = {**os.environ, "DRAGON_HOME": str(folder)}
        done = subprocess.run(
            [sys.executable, "-c", BACKFILL, *sorted(told, reverse=True)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr[-5000:]
    return folder


def table(home: Path, *names: str) -> pl.DataFrame:
    return pl.read_parquet(home.joinpath("tables", *names[:-1], f"{names[-1]}.parquet"))


@pytest.mark.slow
def test_the_eleven_outlets_have_sites():
    assert len(SITES) == 11


@pytest.mark.slow
def test_a_backfilled_day_has_the_articles_of_all_that_answered(home, told):
    for day, expected in told.items():
        assert set(table(home, "ledger", day)["url"]) == set(expected), day
        long = {url: row.title for url, row in expected.items() if len("\n".join(row.text)) >= SHORTEST}
        assert dict(table(home, "articles", day).select("url", "title").iter_rows()) == long, day


@pytest.mark.slow
def test_who_refuses_and_who_hangs_are_rows_with_reasons(home, told):
    for day in told:
        refused, hung = table(home, "crawl", REFUSING, day), table(home, "crawl", HANGING, day)
        assert set(refused["status"]) == set(hung["status"]) == {"failed"}, day
        assert set(refused["reason"]) == {"listing: http_403"}, day
        assert set(hung["reason"]) == {"listing: timeout"}, day


@pytest.mark.slow
def test_raw_pages_are_kept_of_every_article(home, told):
    kept = {path.parent.name for path in (home / "raw").rglob("*.page.gz")}
    assert kept == set(told)
