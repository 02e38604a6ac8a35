import gzip
from datetime import date

import pytest
from scrapy.http import HtmlResponse, Response, XmlResponse

from dragon_pipeline.adapters.web.listings import Listed, NoListing, read_feed, read_links, read_sitemap

AT = "http://vestnik.example/list/"
FOURTH = frozenset({date(2026, 3, 4)})


def xml(text: str, encoding: str = "utf-8") -> XmlResponse:
    return XmlResponse(AT, body=text.encode(encoding), headers={"Content-Type": "text/xml"})


def test_rss_gives_links_with_the_moscow_day_of_their_date():
    feed = """<?xml version="1.0" encoding="windows-1251"?><rss><channel><link>http://vestnik.example/</link>
    <item><title>Ёлка</title><link> http://vestnik.example/a/1#top </link>
    <pubDate>Tue, 03 Mar 2026 22:00:00 GMT</pubDate></item>
    <item><guid>http://vestnik.example/a/2</guid></item><item><title>без адреса</title></item></channel></rss>"""
    assert read_feed(xml(feed, "windows-1251")).pages == [
        Listed("http://vestnik.example/a/1", FOURTH),
        Listed("http://vestnik.example/a/2", frozenset()),
    ]


def test_atom_counts_for_the_day_of_publication_and_of_update():
    feed = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="self" href="/no"/><link href="/a/1"/>
    <published>2026-03-04T10:00:00Z</published><updated>2026-03-06T10:00:00Z</updated></entry></feed>"""
    assert read_feed(xml(feed)).pages == [Listed("http://vestnik.example/a/1", FOURTH | {date(2026, 3, 6)})]


@pytest.mark.parametrize("pack", [lambda body: body, gzip.compress])
def test_sitemaps_and_indexes_are_read_packed_or_not(pack):
    urls = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/a/1</loc><lastmod>2026-03-04</lastmod></url></urlset>"
    index = "<sitemapindex><sitemap><loc>http://vestnik.example/s.xml</loc></sitemap></sitemapindex>"
    assert read_sitemap(Response(AT, body=pack(urls.encode())), 1000).pages == [Listed("http://vestnik.example/a/1", FOURTH)]
    assert read_sitemap(Response(AT, body=pack(index.encode())), 1000).children == [
        Listed("http://vestnik.example/s.xml", frozenset())
    ]


def test_a_sitemap_that_unpacks_beyond_the_limit_is_refused():
    bomb = gzip.compress(b"<urlset>" + b" " * 1_000_000 + b"</urlset>")
    with pytest.raises(NoListing):
        read_sitemap(Response(AT, body=bomb), 10_000)


@pytest.mark.parametrize("body", [b"", b"<html/>", b"\x1f\x8b\x08", b"no markup"])
def test_what_is_no_listing_says_so(body):
    with pytest.raises(NoListing):
        read_feed(XmlResponse(AT, body=body))
    with pytest.raises(NoListing):
        read_sitemap(Response(AT, body=body), 1000)


def test_links_of_an_archive_page_count_for_its_day_and_other_links_for_none():
    html = (
        '<div class="list"><a href="../a/1">1</a><a>no</a><a href="">no</a><a href="http://[">no</a></div><a href="/side">s</a>'
    )
    response = HtmlResponse(AT, body=html.encode())
    assert read_links(response, ".list a", date(2026, 3, 4)).pages == [Listed("http://vestnik.example/a/1", FOURTH)]
    assert read_links(response, ".list a", None).pages == [Listed("http://vestnik.example/a/1", frozenset())]


@pytest.mark.parametrize("href", ["/a/" + "x" * 3_000, "http://[", " ", "/a/\ud800"])
def test_what_is_no_usable_address_is_not_listed(href):
    response = HtmlResponse(AT, body=f'<a href="{href}">1</a>'.encode("utf-8", "surrogatepass"))
    assert [listed for listed in read_links(response, "a", None).pages if len(listed.url) > 100 or "[" in listed.url] == []


def test_addresses_in_cyrillic_are_listed_as_they_will_be_fetched():
    response = HtmlResponse(AT, body='<a href="/a/ёлка">1</a>'.encode(), encoding="utf-8")
    assert [listed.url for listed in read_links(response, "a", None).pages] == [
        "http://vestnik.example/a/%D1%91%D0%BB%D0%BA%D0%B0"
    ]
