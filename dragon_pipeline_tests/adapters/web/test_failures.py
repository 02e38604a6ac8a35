"""Crawls of sites that fail: every address still has a row, and the next crawl makes it whole."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline.demo.pages import Answer
from dragon_pipeline_tests.local_sites.faults import Fault

KURIER = "severny-kurier.example"
MOTOR = "motor-city.example"

CRAWL_SLOWLY = """
import asyncio, sys
from datetime import date
from pathlib import Path
from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
gateway, archive = sys.argv[1:]
outlets = list(load_outlets(["severny-kurier", "motor-city"]).values())
settings = NewsroomSettings(gateway=gateway, delay=0.3, gateway_shows_days=True)
asyncio.run(crawl(outlets, date(2031, 5, 5), settings, PageArchive(Path(archive)), date(2031, 5, 5)))
"""


def rows(tables):
    return {name: table.to_dicts() for name, table in tables.items()}


def test_a_crawl_killed_half_way_and_repeated_is_the_same_as_an_undisturbed_one(newsroom, crawled, tmp_path):
    archive = tmp_path / "killed"
    child = subprocess.Popen([sys.executable, "-c", CRAWL_SLOWLY, newsroom.address, str(archive)])
    until = time.monotonic() + 60
    while not list(archive.rglob("*.page.gz")) and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    kept = len(list(archive.rglob("*.page.gz")))
    assert 0 < kept < 4
    (archive / "motor-city" / "2031-05-05").mkdir(parents=True, exist_ok=True)
    (archive / "motor-city" / "2031-05-05" / ".half.tmp").write_bytes(b"half a page")
    repeated = crawled(newsroom, 1, "severny-kurier", "motor-city", archive="killed")
    undisturbed = crawled(newsroom, 1, "severny-kurier", "motor-city", archive="fresh")
    assert rows(repeated) == rows(undisturbed)
    assert _parquet(repeated, tmp_path) == _parquet(undisturbed, tmp_path)
    assert not list(archive.rglob("*.tmp"))


def _parquet(tables: dict[str, pl.DataFrame], folder: Path) -> list[bytes]:
    written = []
    for table in tables.values():
        table.write_parquet(folder / "table.parquet")
        written.append((folder / "table.parquet").read_bytes())
    return written


def test_a_newsroom_that_dies_in_mid_crawl_leaves_rows_for_what_it_owed(newsroom, crawled, reasons):
    newsroom.dies_after = 6  # robots.txt, the feed, two sitemaps, the archive page, one article
    table = crawled(newsroom, 1, "severny-kurier")["severny-kurier"]
    assert sorted(reasons(table).values()) == ["no_connection", "robots"]
    assert table.filter(pl.col("status") == "ok").height == 1


@pytest.mark.parametrize("requests", range(1, 9))
def test_whenever_a_newsroom_dies_the_next_crawl_makes_the_day_whole(newsroom, crawled, requests):
    undisturbed = crawled(newsroom, 1, "severny-kurier", archive="fresh")
    newsroom.dies_after = len(newsroom.requests) + requests
    crawled(newsroom, 1, "severny-kurier", archive="died")
    with Newsroom(articles=newsroom.stories) as revived:
        assert rows(crawled(revived, 1, "severny-kurier", archive="died")) == rows(undisturbed)


def test_a_newsroom_that_comes_back_gives_what_it_would_have_given(newsroom, crawled):
    newsroom.extra[MOTOR, "/news/mot-1-1-05-05-2031.htm"] = Answer(b"", "text/html", 503)
    broken = crawled(newsroom, 1, "motor-city", archive="back")["motor-city"]
    assert broken["reason"].to_list() == ["http_5xx", None]
    newsroom.extra.clear()
    assert rows(crawled(newsroom, 1, "motor-city", archive="back")) == rows(crawled(newsroom, 1, "motor-city", archive="new"))


def test_a_gateway_that_is_not_there_gives_one_row_for_every_entry_point(crawled, reasons):
    tables = crawled("http://127.0.0.1:9", 1)
    assert {name: reasons(table) for name, table in tables.items()} == {
        "severny-kurier": dict.fromkeys(("rss/news", "sitemap.xml.gz", "2031/05/05/"), "listing: no_connection"),
        "delovaya-volna": dict.fromkeys(("export/rss/lenta.xml", "sitemap.xml"), "listing: no_connection"),
        "motor-city": dict.fromkeys(("exports/rss", "sitemap.xml"), "listing: no_connection"),
        "afisha-kvartal": {"sitemap.xml": "listing: no_connection"},
    }


def test_a_hung_outlet_times_out_and_does_not_delay_the_others(newsroom, crawled, reasons):
    crawled(newsroom, 1, archive="warm")  # Scrapy's parts are loaded at first use, which is not what is timed here
    newsroom.hanging.add(MOTOR)
    started = time.monotonic()
    tables = crawled(newsroom, 1, seconds_per_outlet=2)
    assert time.monotonic() - started < 5
    assert reasons(tables["motor-city"]) == dict.fromkeys(("exports/rss", "sitemap.xml"), "listing: timeout")
    assert [table.filter(pl.col("status") == "ok").height for table in tables.values()] == [2, 2, 0, 2]


def test_a_page_that_hangs_times_out_and_the_others_stay(newsroom, crawled, reasons):
    newsroom.slow[MOTOR, "/news/mot-1-1-05-05-2031.htm"] = 60
    table = crawled(newsroom, 1, "motor-city", seconds_per_outlet=2)["motor-city"]
    assert reasons(table) == {"news/mot-1-1-05-05-2031.htm": "timeout"}
    assert table.filter(pl.col("status") == "ok")["url"].to_list() == ["http://motor-city.example/news/mot-1-2-05-05-2031.htm"]


def test_an_outlet_too_slow_for_its_time_gives_what_it_got_and_rows_for_the_rest(newsroom, crawled, reasons):
    started = time.monotonic()
    table = crawled(newsroom, 1, "severny-kurier", seconds_per_outlet=2, delay=5)["severny-kurier"]
    assert time.monotonic() - started < 5
    assert set(reasons(table).values()) == {"listing: timeout"}


@pytest.mark.parametrize(("status", "reason"), [(403, "http_403"), (500, "robots_unreachable"), (404, "http_404")])
def test_a_host_that_refuses_gives_rows_with_its_status(newsroom, crawled, reasons, status, reason):
    newsroom.statuses[MOTOR] = status
    assert set(reasons(crawled(newsroom, 1, "motor-city")["motor-city"]).values()) == {f"listing: {reason}"}


@pytest.mark.parametrize("path", ["/rss/news", "/sitemap.xml.gz"])
@pytest.mark.parametrize("body", [b"", b"<html><body>Sorry</body></html>", b"\x1f\x8b broken", b"<rss", "<опа".encode()])
def test_a_listing_that_is_none_is_a_row_and_the_others_still_count(newsroom, crawled, reasons, path, body):
    newsroom.extra[KURIER, path] = Answer(body, "text/html; charset=utf-8")
    table = crawled(newsroom, 1, "severny-kurier")["severny-kurier"]
    found = reasons(table)
    assert found.pop(path[1:], None) == "listing: bad_listing" or body == b"<rss"
    assert set(found.values()) == {"robots"}
    assert table.filter(pl.col("status") == "ok").height == 2


def test_a_crawl_that_is_cancelled_stops_and_leaves_nothing_running(newsroom, tmp_path):
    newsroom.hanging.add(MOTOR)
    outlets = list(load_outlets(["motor-city", "severny-kurier"]).values())
    settings = NewsroomSettings(gateway=newsroom.address, gateway_shows_days=True, delay=0, seconds_per_outlet=3)

    async def cancel() -> int:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(crawl(outlets, date(2031, 5, 5), settings, PageArchive(tmp_path), date(2031, 5, 5)), 1)
        return len(asyncio.all_tasks())

    assert asyncio.run(cancel()) == 1


def test_our_own_disk_is_no_row(newsroom, crawled, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "motor-city").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="motor-city"):
        crawled(newsroom, 1, "motor-city", "severny-kurier")


@pytest.mark.slow
def test_a_page_that_is_never_done_being_read_is_a_row_and_the_others_stay(playing, crawled, vestnik, reasons):
    endless = vestnik.model_copy(update={"drop_paragraphs": (r"^(а|аа)+$",)})
    with playing({1: (1, "а" * 200 + "б"), 2: (1, "Мост через реку открыли утром.")}) as site:
        table = crawled(site, 1, endless, seconds_per_outlet=60)["vestnik"]
    assert reasons(table) == {"news/1": "unreadable"}
    assert table.filter(status="ok")["text"].to_list() == ["Мост через реку открыли утром."]


@pytest.mark.slow
def test_listings_that_take_long_leave_half_of_the_time_to_the_pages(playing, crawled, vestnik, reasons):
    hung = [f"https://vestnik.example/s{number}.xml" for number in range(16)]
    index = "<sitemapindex>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in hung) + "</sitemapindex>"
    empty = {f"/s{number}.xml": {"text": "<urlset></urlset>", "type": "text/xml"} for number in range(16)}
    answers = empty | {"/sitemap.xml": {"text": index, "type": "text/xml"}}
    with playing({1: (1, "Мост через реку открыли утром.")}, answers) as site:
        site.faults.update(dict.fromkeys(hung, Fault("slow", seconds=1)))
        table = crawled(site, 1, vestnik, seconds_per_outlet=12)["vestnik"]
    assert table.filter(status="ok")["url"].to_list() == ["https://vestnik.example/news/1"]
    assert set(reasons(table).values()) == {"listing: timeout"}
    assert site.urls.index("https://vestnik.example/news/1") < len(site.urls) - 1, "not after the last listing"


@pytest.mark.slow
def test_an_outlet_whose_pages_are_never_done_being_read_stops_no_other(playing, crawled, vestnik, reasons):
    endless = vestnik.model_copy(update={"name": "endless", "drop_paragraphs": (r"^(а|аа)+$",)})
    with playing(dict.fromkeys(range(1, 9), (1, "а" * 200 + "б"))) as site:
        tables = crawled(site, 1, endless, vestnik, seconds_per_outlet=30)
    assert tables["vestnik"]["status"].to_list() == ["ok"] * 8
    assert set(reasons(tables["endless"]).values()) <= {"unreadable", "timeout"}
