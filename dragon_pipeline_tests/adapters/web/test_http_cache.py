"""Sites are asked only whether what we hold is still right, and what is stale is never taken for an answer."""

import os
import time
from pathlib import Path

import polars as pl
import pytest

PAGES = {1: (1, "Мост через реку открыли утром."), 2: (1, "Второй мост откроют осенью.")}


def ok(table: pl.DataFrame) -> dict[str, str]:
    return dict(table.filter(status="ok").select("url", "text").iter_rows())


def entries(tmp_path: Path) -> list[Path]:
    return sorted(path.parent for path in tmp_path.rglob("whole"))


def test_what_we_hold_is_asked_for_with_its_etag_and_a_304_counts_as_fetched(crawled, playing, vestnik, tmp_path):
    with playing(PAGES) as site:
        first = crawled(site, 1, vestnik)["vestnik"]
        assert not any(asked.etag for asked in site.requests)
    with playing(PAGES) as site:
        again = crawled(site, 1, vestnik)["vestnik"]
        assert all(asked.etag for asked in site.requests)
        assert len(site.requests) == 5
    assert again.equals(first)
    assert len(ok(again)) == 2


def test_a_page_that_has_changed_is_a_new_version(crawled, playing, vestnik):
    with playing(PAGES) as site:
        crawled(site, 1, vestnik)
    with playing(PAGES | {2: (1, "Второй мост откроют зимой.")}) as site:
        table = crawled(site, 1, vestnik)["vestnik"]
    assert table.filter(pl.col("fetch") == 1)["text"].to_list() == ["Второй мост откроют зимой."]


def test_an_answer_of_another_day_is_not_taken_for_this_one(crawled, playing, vestnik):
    with playing(PAGES) as site:
        crawled(site, 1, vestnik)
        before = len(site.requests)
        crawled(site, 4, vestnik)
        assert len(site.requests) > before
        assert not any(asked.etag for asked in site.requests)


def test_a_proxy_that_shows_no_days_is_told_none_so_that_the_next_day_has_what_lists_them_all(crawled, playing, vestnik):
    with playing(PAGES) as site:
        crawled(site, 1, vestnik, gateway_shows_days=False, today=9)
        before = len(site.requests)
        crawled(site, 2, vestnik, gateway_shows_days=False, today=9)
        assert {asked.day for asked in site.requests} == {None}
        again = [asked for asked in site.requests[before:] if asked.url in {other.url for other in site.requests[:before]}]
        assert again and all(asked.etag for asked in again)


def test_a_server_that_fails_is_a_failure_although_an_old_answer_is_held(crawled, playing, vestnik, reasons):
    with playing(PAGES) as site:
        crawled(site, 1, vestnik, archive="a")
    with playing(PAGES, {"/news/1": {"text": "", "status": 503}, "/": {"text": "", "status": 500}}) as site:
        table = crawled(site, 1, vestnik, archive="a")["vestnik"]
    assert reasons(table) == {"": "listing: http_5xx"}


def test_only_what_the_server_called_fresh_is_not_asked_for(crawled, playing, vestnik):
    old = {"Last-Modified": "Mon, 05 May 2025 09:00:00 GMT"}
    answers = {
        "/news/1": {"text": "", "status": 404, "headers": {"Cache-Control": "max-age=3600"}},
        "/": {"text": '<a href="/news/1">1</a>', "headers": old},
    }
    with playing({}, answers) as site:
        crawled(site, 1, vestnik)
        crawled(site, 1, vestnik)
        assert (site.urls.count("https://vestnik.example/news/1"), site.urls.count("https://vestnik.example/")) == (1, 2)


@pytest.mark.parametrize("name", ["response_body", "pickled_meta", "response_headers", "whole"])
@pytest.mark.parametrize("damage", [b"", b"\x80garbage", None])
def test_a_broken_entry_is_fetched_again(crawled, playing, vestnik, tmp_path, name, damage, recwarn):
    with playing(PAGES) as site:
        first = crawled(site, 1, vestnik)["vestnik"]
        held = entries(tmp_path)
        assert len(held) == 5
        for entry in held:
            (entry / name).unlink() if damage is None else (entry / name).write_bytes(damage)
        again = crawled(site, 1, vestnik)["vestnik"]
    assert ok(again) == ok(first)
    assert len(entries(tmp_path)) == 5


def test_old_entries_go(crawled, playing, vestnik, tmp_path):
    with playing(PAGES) as site:
        crawled(site, 1, vestnik)
        for entry in entries(tmp_path):
            os.utime(entry, (time.time() - 10 * 86_400,) * 2)
        crawled(site, 5, vestnik)
        assert len(entries(tmp_path)) == 5
