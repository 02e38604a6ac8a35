"""Pages are hostile: what they say never leads out of the outlet, and never breaks a crawl."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import polars as pl
import pytest

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.demo.pages import Answer
from dragon_pipeline_tests.adapters.web.conftest import article

MOTOR = "motor-city.example"
PAGE = "/news/mot-1-1-05-05-2031.htm"


@pytest.fixture
def local_site() -> Iterator[tuple[str, list[str]]]:
    """A server inside the private network, and what it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html><h1>secret</h1></html>")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def reason(table: pl.DataFrame, url: str = f"http://{MOTOR}{PAGE}") -> str | None:
    return table.filter(pl.col("url") == url)["reason"].item()


def test_a_redirect_to_a_private_address_is_not_followed(newsroom, crawled, local_site):
    host, asked = local_site
    newsroom.extra[MOTOR, PAGE] = Answer(b"", "text/html", 302, (("Location", f"http://{host}/secret"),))
    assert reason(crawled(newsroom, 1, "motor-city")["motor-city"]) == "other_host"
    assert asked == []


@pytest.mark.parametrize(
    "target", ["http://other.example/", "file:///etc/passwd", "ftp://motor-city.example/x", "http://[", "//x"]
)
def test_a_redirect_that_leads_out_is_a_row(newsroom, crawled, target):
    newsroom.extra[MOTOR, PAGE] = Answer(b"", "text/html", 302, (("Location", target),))
    assert reason(crawled(newsroom, 1, "motor-city")["motor-city"]) is not None
    assert {host for host, _, _ in newsroom.requests} == {MOTOR}


def test_a_redirect_inside_the_outlet_is_followed_and_the_last_address_counts(newsroom, crawled):
    page = newsroom.pages(MOTOR, None)[PAGE]
    newsroom.extra[MOTOR, PAGE] = Answer(b"", "text/html", 301, (("Location", "/news/novyj-adres-05-05-2031.htm"),))
    newsroom.extra[MOTOR, "/news/novyj-adres-05-05-2031.htm"] = page
    table = crawled(newsroom, 1, "motor-city")["motor-city"]
    assert f"http://{MOTOR}/news/novyj-adres-05-05-2031.htm" in table["url"].to_list()
    assert table["status"].to_list() == ["ok", "ok"]


def test_a_redirect_loop_ends_in_a_row(newsroom, crawled):
    newsroom.extra[MOTOR, PAGE] = Answer(b"", "text/html", 302, (("Location", PAGE),))
    assert reason(crawled(newsroom, 1, "motor-city")["motor-city"]) == "redirects"


def test_links_to_other_hosts_and_schemes_in_listings_are_never_asked_for(newsroom, crawled):
    links = [
        "http://other.example/news/a-05-05-2031.htm",
        "file:///news/a-05-05-2031.htm",
        f"http://{MOTOR}@127.0.0.1/news/a-05-05-2031.htm",
    ]
    entries = "".join(f"<url><loc>{link}</loc><lastmod>2031-05-05</lastmod></url>" for link in links)
    newsroom.extra[MOTOR, "/sitemap.xml"] = Answer(f"<urlset>{entries}</urlset>".encode(), "application/xml")
    table = crawled(newsroom, 1, "motor-city")["motor-city"]
    assert table.height == 2
    assert {host for host, _, _ in newsroom.requests} == {MOTOR}


def test_a_sitemap_that_points_at_itself_ends(newsroom, crawled):
    index = f"<sitemapindex><sitemap><loc>http://{MOTOR}/sitemap.xml</loc></sitemap></sitemapindex>"
    newsroom.extra[MOTOR, "/sitemap.xml"] = Answer(index.encode(), "application/xml")
    assert crawled(newsroom, 1, "motor-city")["motor-city"].height == 2


def test_entities_in_a_feed_read_no_files(newsroom, crawled, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a-05-05-2031")
    feed = (
        f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file://{secret}">]><rss><channel><item>'
        f"<link>http://{MOTOR}/news/&x;.htm</link><pubDate>Mon, 05 May 2031 09:00:00 +0300</pubDate></item></channel></rss>"
    )
    newsroom.extra[MOTOR, "/exports/rss"] = Answer(feed.encode(), "text/xml")
    crawled(newsroom, 1, "motor-city")
    assert not [path for _, path, _ in newsroom.requests if "a-05-05-2031" in path]


def test_a_page_of_more_than_five_megabytes_is_a_row(newsroom, crawled):
    newsroom.extra[MOTOR, PAGE] = Answer(b"<html>" + b"x" * 5_000_001, "text/html")
    assert reason(crawled(newsroom, 1, "motor-city")["motor-city"]) == "too_large"


@pytest.mark.parametrize("content_type", ["application/pdf", "image/png", "application/json"])
def test_what_is_no_html_is_a_row(newsroom, crawled, content_type):
    newsroom.extra[MOTOR, PAGE] = Answer(b"\x89PNG\x00\x01", content_type)
    assert reason(crawled(newsroom, 1, "motor-city")["motor-city"]) == "not_html"


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
def test_without_a_gateway_a_private_address_is_not_even_connected_to(crawled, local_site, name):
    address, asked = local_site
    host = address.replace("127.0.0.1", name)
    outlet = load_outlets(["motor-city"])["motor-city"]
    inside = outlet.model_copy(update={"hosts": (host,), "entries": (Entry(kind="page", url=f"http://{host}/"),)})
    table = crawled("", 1, inside, gateway=None)["motor-city"]
    assert reason(table, f"http://{host}/") == "listing: private_address"
    assert asked == []


def test_a_certificate_that_nobody_we_trust_has_issued_is_a_row(playing, crawled, vestnik, reasons):
    with playing({1: (1, "Мост через реку открыли утром.")}) as site:
        table = crawled(site, 1, vestnik, ca_file=None)["vestnik"]
        assert reasons(table) == dict.fromkeys(("", "sitemap.xml"), "listing: bad_certificate")
        assert site.urls == []


@pytest.mark.parametrize(
    "address", ["https://other.example/s.xml", "file:///etc/passwd", "http://127.0.0.1/s.xml", "ftp://vestnik.example/s.xml"]
)
def test_sitemaps_of_an_index_that_lead_out_are_not_followed(playing, crawled, vestnik, address):
    index = f"<sitemapindex><sitemap><loc>{address}</loc></sitemap></sitemapindex>"
    with playing({1: (1, "Мост.")}, {"/sitemap.xml": {"text": index, "type": "text/xml"}}) as site:
        table = crawled(site, 1, vestnik)["vestnik"]
        assert (table["status"].to_list(), site.strangers) == (["ok"], [])


def test_an_archive_without_end_ends(playing, crawled, vestnik):
    following = {"text": '<a href="/news/1">1</a><a class="more" href="/?page=1">more</a>'}
    endless = {f"/?page={number}": {"text": following["text"].replace("page=1", f"page={number + 1}")} for number in range(99)}
    entry = Entry(kind="page", url="https://vestnik.example/", next="a.more::attr(href)", most_pages=7)
    outlet = vestnik.model_copy(update={"entries": (entry,)})
    with playing(
        {1: (1, "Мост.")}, {"/": following | {"text": following["text"].replace("page=1", "page=0")}, **endless}
    ) as site:
        crawled(site, 1, outlet)
        assert len([url for url in site.urls if "?page=" in url]) == 6


@pytest.mark.parametrize("target", ["/", "/login?next=/news/1"])
def test_an_article_that_leads_to_a_front_page_or_a_login_is_none_of_the_day(playing, crawled, vestnik, reasons, target):
    front = {"text": article(1, "Мост через реку открыли утром.").replace("<head>", '<head></head><a href="/news/1">1</a>')}
    moved = {"text": "", "status": 302, "headers": {"Location": target}}
    with playing({1: (1, "Мост.")}, {"/news/1": moved, "/": front, "/login?next=/news/1": front}) as site:
        assert reasons(crawled(site, 1, vestnik)["vestnik"]) == {"news/1": "not_article"}


def test_of_two_twins_the_encrypted_one_is_asked_for(playing, crawled, vestnik):
    links = {"text": '<a href="http://vestnik.example/news/1">1</a><a href="https://vestnik.example/news/1">1</a>'}
    with playing({1: (1, "Мост.")}, {"/": links}) as site:
        assert crawled(site, 1, vestnik)["vestnik"]["url"].to_list() == ["https://vestnik.example/news/1"]
