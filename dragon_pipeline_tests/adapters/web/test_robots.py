"""What robots.txt says, and what it means that it says nothing."""

import time

import pytest

PAGES = {1: (1, "Мост через реку открыли утром.")}
ENTRIES = ("", "sitemap.xml")


def robots(**said):
    return {"/robots.txt": {"text": "", "type": "text/plain", **said}}


def test_a_host_that_forbids_all_is_asked_for_nothing_and_rows_say_so(crawled, playing, vestnik, reasons):
    with playing(PAGES, robots(text="User-agent: *\nDisallow: /\n")) as site:
        assert reasons(crawled(site, 1, vestnik)["vestnik"]) == dict.fromkeys(ENTRIES, "listing: robots")
        assert site.urls == ["https://vestnik.example/robots.txt"]


def test_rules_for_our_name_count_before_those_for_all(crawled, playing, vestnik, reasons):
    said = "User-agent: *\nDisallow: /\n\nUser-agent: DragonPipeline\nDisallow: /news/\n"
    with playing(PAGES, robots(text=said)) as site:
        assert reasons(crawled(site, 1, vestnik)["vestnik"]) == {"news/1": "robots"}
        assert all("DragonPipeline" in (asked.agent or "") for asked in site.requests)


@pytest.mark.parametrize("status", [500, 503])
def test_a_robots_txt_that_fails_forbids_all(crawled, playing, vestnik, reasons, status):
    with playing(PAGES, robots(status=status)) as site:
        assert reasons(crawled(site, 1, vestnik)["vestnik"]) == dict.fromkeys(ENTRIES, "listing: robots_unreachable")
        assert set(site.urls) == {"https://vestnik.example/robots.txt"}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_robots_txt_that_is_not_there_forbids_nothing_whatever_its_page_says(crawled, playing, vestnik, status):
    with playing(PAGES, robots(status=status, text="User-agent: *\nDisallow: /\n")) as site:
        assert crawled(site, 1, vestnik)["vestnik"]["status"].to_list() == ["ok"]


def test_a_robots_txt_that_leads_elsewhere_forbids_nothing(crawled, playing, vestnik):
    with playing(PAGES, robots(status=302, headers={"Location": "https://other.example/robots.txt"})) as site:
        assert crawled(site, 1, vestnik)["vestnik"]["status"].to_list() == ["ok"]
        assert not [url for url in site.urls if "other.example" in url]


@pytest.mark.parametrize("text", ["<html><body>404</body></html>", "\x00\x01\x02", "Disallow\n::::\n" * 50])
def test_a_robots_txt_that_is_none_forbids_nothing(crawled, playing, vestnik, text):
    with playing(PAGES, robots(text=text)) as site:
        assert crawled(site, 1, vestnik)["vestnik"]["status"].to_list() == ["ok"]


def test_of_an_endless_robots_txt_the_beginning_counts(crawled, playing, vestnik, reasons):
    filler = "".join(f"Disallow: /{number}\n" for number in range(60_000))
    with playing(PAGES, robots(text=f"User-agent: *\nDisallow: /news/\n{filler}Disallow: /sitemap\n")) as site:
        assert reasons(crawled(site, 1, vestnik)["vestnik"]) == {"news/1": "robots"}


@pytest.mark.parametrize("delay", [0, 0.05])
def test_a_crawl_delay_is_kept_with_and_without_one_of_our_own(crawled, playing, vestnik, delay):
    """A lower bound, which no busy machine breaks: two listings and three pages after robots.txt."""
    pages = {number: (1, f"Мост номер {number} через реку открыли утром.") for number in (1, 2, 3)}
    with playing(pages, robots(text="User-agent: *\nCrawl-delay: 0.5\n")) as site:
        started = time.monotonic()
        table = crawled(site, 1, vestnik, delay=delay)["vestnik"]
        taken = time.monotonic() - started
        assert table["status"].to_list() == ["ok"] * 3
        assert taken >= 0.5 * (len(site.urls) - 1)


def test_a_crawl_delay_of_a_year_is_none_of_ours(crawled, playing, vestnik):
    with playing(PAGES, robots(text="User-agent: Other\nCrawl-delay: 31536000\n")) as site:
        assert crawled(site, 1, vestnik)["vestnik"]["status"].to_list() == ["ok"]
