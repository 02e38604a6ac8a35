"""A site of which one part is hostile: that part is a row with its reason, and the rest comes as if nothing had been."""

import asyncio
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline_tests.local_sites.faults import Fault
from dragon_pipeline_tests.local_sites.fixtures import Site, SiteAnswer, read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

MOTOR = read_site(Path(__file__).parent / "sites" / "motor")
DAY = date(2024, 11, 20)
HOST = "https://motor.ru"
PAGE, OTHER, GONE = (f"{HOST}/news/{name}-20-11-2024.htm" for name in ("zavod-kuzovov", "shtrafy-skidka", "propavshaya"))
FIRST = "В индустриальном парке «Грабцево» начал работать завод, который будет штамповать кузова для трёх российских автомарок."


@pytest.fixture
def run(tmp_path: Path):
    """run(faults, answers instead of the site's own): the table, and what was asked for."""

    def crawled(faults: dict[str, Fault] | None = None, instead: tuple[SiteAnswer, ...] = ()) -> tuple[pl.DataFrame, list[str]]:
        urls = {answer.url for answer in instead}
        answers = [*instead, *(answer for answer in MOTOR.answers if answer.url not in urls)]
        with LocalSites([Site(name="motor", folder=MOTOR.folder, answers=answers)]) as serving:
            serving.faults.update(faults or {})
            settings = NewsroomSettings(gateway=serving.address, ca_file=serving.ca_file, delay=0, seconds_per_outlet=30)
            outlet = load_outlets(["motor"])["motor"]
            crawling = crawl([outlet], DAY, settings, PageArchive(tmp_path), date(2025, 7, 17))
            return asyncio.run(crawling)["motor"].table(), serving.urls

    return crawled


def outcomes(table: pl.DataFrame) -> dict[str, str]:
    return {url: reason or status for url, status, reason in table.select("url", "status", "reason").iter_rows()}


def page(**said: str | None) -> SiteAnswer:
    answer = next(answer for answer in MOTOR.answers if answer.url == PAGE)
    return answer.model_copy(update=said)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault("status", status=500), "http_5xx"),
        (Fault("status", status=451), "http_451"),
        (Fault("drop"), "no_connection"),
        (Fault("garbage"), "no_body"),
        (Fault("bomb"), "too_large"),
        (Fault("redirects"), "redirects"),
        (Fault("slow"), "ok"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else None,
)
def test_a_page_that_misbehaves_is_a_row_and_no_other_is_touched(run, fault, reason):
    table, _ = run({PAGE: fault})
    assert outcomes(table) | {PAGE: None} == {PAGE: None, OTHER: "ok", GONE: "http_404"} | _led_on(table)
    assert outcomes(table)[PAGE] == reason


def _led_on(table: pl.DataFrame) -> dict[str, str]:
    """Rows of addresses that only a redirect names: there are to be none."""
    return {url: "" for url in table["url"] if "/again-" in url}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault("status", status=403), "listing: http_403"),
        (Fault("garbage"), "listing: bad_listing"),
        (Fault("redirects"), "listing: redirects"),
        (Fault("drop"), "listing: no_connection"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else None,
)
def test_a_listing_that_misbehaves_is_a_row(run, fault, reason):
    assert outcomes(run({f"{HOST}/sitemap.xml": fault})[0]) == {f"{HOST}/sitemap.xml": reason}


def test_a_site_that_forbids_all_is_left_alone(run):
    table, asked = run(instead=(SiteAnswer(url=f"{HOST}/robots.txt", text="User-agent: *\nDisallow: /\n", type="text/plain"),))
    assert outcomes(table) == {f"{HOST}/sitemap.xml": "listing: robots"}
    assert asked == [f"{HOST}/robots.txt"]


def test_a_robots_txt_that_is_itself_broken_on_the_server_forbids_all(run):
    table, asked = run({f"{HOST}/robots.txt": Fault("status", status=500)})
    assert outcomes(table) == {f"{HOST}/sitemap.xml": "listing: robots_unreachable"}
    assert set(asked) == {f"{HOST}/robots.txt"}


def test_a_page_of_fifty_megabytes_is_not_read_to_its_end(run):
    table, _ = run(instead=(page(file=None, text="<html><h1>Длинная</h1><p>" + "слово " * 5_000_000),))
    assert outcomes(table) == {PAGE: "too_large", OTHER: "ok", GONE: "http_404"}


@pytest.mark.parametrize(
    ("encoding", "kind"),
    [
        ("windows-1251", "text/html; charset=utf-8"),
        ("utf-8", "text/html; charset=windows-1251"),
        ("koi8-r", "text/html; charset=koi8-r"),
        ("windows-1251", "text/html"),
        ("utf-8", ""),
    ],
)
def test_a_page_is_read_whatever_charset_the_header_says(run, encoding, kind):
    table, _ = run(instead=(page(encoding=encoding, type=kind),))
    text = table.filter(pl.col("url") == PAGE)["text"].item()
    assert text.startswith(FIRST)


def test_ten_thousand_tags_deep_there_is_a_row_and_the_crawl_goes_on(run):
    source = (MOTOR.folder / "zavod-kuzovov.html").read_text("utf-8")
    deep = source.replace("<main>", "<main>" + "<div>" * 10_000).replace("</main>", "</div>" * 10_000 + "</main>")
    table, _ = run(instead=(page(file=None, text=deep),))
    assert outcomes(table)[PAGE] in ("ok", "no_body")
    assert outcomes(table) | {PAGE: None} == {PAGE: None, OTHER: "ok", GONE: "http_404"}


NO_DATES = {"2999-01-01T00:00:00+03:00": None, "1970-01-01T00:00:00Z": None, "2024-11-31T10:00": None, "0": None}

ODD_DATES = {**NO_DATES, "вчера": "2025-07-16", "": "2024-11-20T10:15:00+03:00"}
"""what is stated → what is made of it; where nothing is, the page still shows its day"""


@pytest.mark.parametrize(("stated", "published"), ODD_DATES.items())
def test_a_page_with_an_odd_date_belongs_to_the_day_that_the_listing_says(run, stated, published):
    source = (MOTOR.folder / "zavod-kuzovov.html").read_text("utf-8")
    assert "2024-11-20T10:15:00+03:00" in source
    table, _ = run(instead=(page(file=None, text=source.replace("2024-11-20T10:15:00+03:00", stated)),))
    assert outcomes(table)[PAGE] == "ok"
    assert table.filter(pl.col("url") == PAGE)["published_at"].item() == published


def test_a_sitemap_leads_to_no_other_host_and_no_other_scheme(run):
    leads = [
        "https://letidor.ru/news/a-20-11-2024.htm",
        "file:///etc/passwd",
        "https://motor.ru.evil.example/news/a-20-11-2024.htm",
    ]
    rows = "".join(f"<url><loc>{url}</loc><lastmod>2024-11-20</lastmod></url>" for url in [*leads, PAGE])
    table, asked = run(instead=(SiteAnswer(url=f"{HOST}/sitemap.xml", text=f"<urlset>{rows}</urlset>", type="text/xml"),))
    assert outcomes(table) == {PAGE: "ok"}
    assert set(asked) == {f"{HOST}/robots.txt", f"{HOST}/sitemap.xml", PAGE}
