import gzip
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse, Response, XmlResponse

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.listings import Listed, Listing, NoListing, read_feed, read_listing, read_sitemap
from dragon_pipeline.adapters.web.outlet import parse_outlet

ARCHIVE = Entry(kind="archive", url="http://vestnik.example/{day:%Y/%m/%d}/", links=".list a")
PAGE = Entry(kind="page", url="http://vestnik.example/")
DAY = date(2026, 3, 4)
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
    assert read_listing(ARCHIVE, response, DAY).pages == [Listed("http://vestnik.example/a/1", FOURTH)]
    undated = PAGE.model_copy(update={"links": ".list a"})
    assert read_listing(undated, response, DAY).pages == [Listed("http://vestnik.example/a/1", frozenset())]


@pytest.mark.parametrize("href", ["/a/" + "x" * 3_000, "http://[", " ", "/a/\ud800"])
def test_what_is_no_usable_address_is_not_listed(href):
    response = HtmlResponse(AT, body=f'<a href="{href}">1</a>'.encode("utf-8", "surrogatepass"))
    assert [listed for listed in read_listing(PAGE, response, DAY).pages if len(listed.url) > 100 or "[" in listed.url] == []


def test_addresses_in_cyrillic_are_listed_as_they_will_be_fetched():
    response = HtmlResponse(AT, body='<a href="/a/ёлка">1</a>'.encode(), encoding="utf-8")
    assert [listed.url for listed in read_listing(PAGE, response, DAY).pages] == [
        "http://vestnik.example/a/%D1%91%D0%BB%D0%BA%D0%B0"
    ]


def dated(*days: str, more: str = "") -> HtmlResponse:
    items = "".join(f'<div class=card><a href="/a/{day[-2:]}">1</a><time>{day}</time></div>' for day in days)
    return HtmlResponse(AT, body=f"{items}<a class=more href='{more}'>ещё</a>".encode())


PAGED = Entry(
    kind="archive", url="http://vestnik.example/all", items=".card", dates="time", next="a.more::attr(href)", most_pages=3
)


def test_an_archive_is_followed_until_a_page_is_older_than_the_day_and_never_beyond_its_bound():
    newer, older = dated("2026-03-06", "2026-03-05", more="?p=2"), dated("2026-03-03", more="?p=3")
    assert read_listing(PAGED, newer, DAY).next == AT + "?p=2"
    assert read_listing(PAGED, dated("2026-03-04", "2026-03-03", more="?p=2"), DAY).next == AT + "?p=2"
    assert read_listing(PAGED, older, DAY).next is None
    assert read_listing(PAGED, newer, DAY, page=3).next is None
    assert read_listing(PAGED, dated(more="?p=2"), DAY).next is None
    assert read_listing(PAGED, dated("2026-03-04"), DAY).pages == [Listed("http://vestnik.example/a/04", FOURTH)]


def urlset(*days: str) -> Response:
    urls = "".join(f"<url><loc>/a/{day[-2:]}</loc><lastmod>{day}</lastmod></url>" for day in days)
    return Response(AT, body=f"<urlset>{urls}</urlset>".encode())


def test_numbered_sitemaps_are_followed_to_the_first_that_is_wholly_older():
    entry = Entry(kind="sitemap", url="http://vestnik.example/s{number}.xml", first=1, most_pages=4)
    assert entry.address(DAY) == "http://vestnik.example/s1.xml"
    assert read_listing(entry, urlset("2026-03-07", "2026-03-05"), DAY).next == "http://vestnik.example/s2.xml"
    assert read_listing(entry, urlset("2026-03-04"), DAY, page=2).next == "http://vestnik.example/s3.xml"
    assert read_listing(entry, urlset("2026-03-03"), DAY, page=3).next is None
    assert read_listing(entry, urlset("2026-03-04"), DAY, page=4).next is None


@pytest.mark.parametrize(
    ("children", "address", "chosen"),
    [
        (r"start=(?P<start>\d+)&end=(?P<end>\d+)", "s.xml?start=20260301&amp;end=20260331", True),
        (r"start=(?P<start>\d+)&end=(?P<end>\d+)", "s.xml?start=20260201&amp;end=20260303", False),
        (r"start=(?P<start>\d+)&end=(?P<end>\d+)", "s.xml?start=1772571600&amp;end=1772658000", True),
        (r"start=(?P<start>\d+)&end=(?P<end>\d+)", "s.xml?start=1772485200&amp;end=1772571600", False),
        (r"(?P<year>\d{4})-(?P<month>\d\d)", "2026-03.xml", True),
        (r"(?P<year>\d{4})-(?P<month>\d\d)", "2026-02.xml", False),
        (r"(?P<year>\d{4})-(?P<month>\d\d)", "other.xml", True),
    ],
)
def test_children_of_an_index_are_chosen_by_the_dates_in_their_addresses(children, address, chosen):
    entry = Entry(kind="sitemap", url="http://vestnik.example/s.xml", children=children)
    index = f"<sitemapindex><sitemap><loc>/{address}</loc></sitemap></sitemapindex>"
    assert bool(read_listing(entry, Response(AT, body=index.encode()), DAY).children) is chosen


def test_children_without_dates_in_their_addresses_are_chosen_by_their_last_change_the_soonest_first():
    index = "".join(
        f"<sitemap><loc>/{day}.xml</loc><lastmod>{day}</lastmod></sitemap>"
        for day in ("2026-03-09", "2026-03-03", "2026-03-20", "2026-03-04")
    )
    entry = Entry(kind="sitemap", url="http://vestnik.example/s.xml", most_pages=2)
    body = f"<sitemapindex>{index}<sitemap><loc>/x.xml</loc></sitemap></sitemapindex>"
    found = read_listing(entry, Response(AT, body=body.encode()), DAY).children
    assert [child.url.rpartition("/")[2] for child in found] == ["2026-03-04.xml", "2026-03-09.xml"]


def test_a_news_sitemap_dates_by_publication_a_packed_one_too():
    body = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"
    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>/a/1</loc><image:image><image:loc>/1.jpg</image:loc>
    </image:image><n:news><n:publication_date>2026-03-03T21:30:00Z</n:publication_date></n:news></url></urlset>"""
    for packed in (body.encode(), gzip.compress(body.encode())):
        assert read_sitemap(Response(AT, body=packed), 10_000).pages == [Listed("http://vestnik.example/a/1", FOURTH)]


def test_rss_1_is_a_feed_too():
    feed = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>http://vestnik.example/</link></channel>
    <item rdf:about="x"><link>http://vestnik.example/a/1</link><dc:date>2026-03-04T10:00:00+03:00</dc:date></item></rdf:RDF>"""
    assert read_feed(xml(feed)).pages == [Listed("http://vestnik.example/a/1", FOURTH)]


BOMB = "<!DOCTYPE x [<!ENTITY a 'ааааааааааааааааааааааааааааааа'>" + "".join(
    f"<!ENTITY {chr(98 + level)} '{f'&{chr(97 + level)};' * 30}'>" for level in range(8)
)
OUTSIDE = "<!DOCTYPE x [<!ENTITY i SYSTEM 'file:///etc/passwd'><!ENTITY h SYSTEM 'http://127.0.0.1/'>"


@pytest.mark.parametrize(("entities", "name"), [(BOMB, "i"), (OUTSIDE, "i"), (OUTSIDE, "h")])
def test_entities_of_a_listing_are_never_expanded_nor_fetched(entities, name):
    feed = f"{entities}]><rss><channel><item><link>http://vestnik.example/a/&{name};</link></item></channel></rss>"
    sitemap = f"{entities}]><urlset><url><loc>http://vestnik.example/a/&{name};</loc></url></urlset>"
    for read, body in ((read_feed, feed), (lambda response: read_sitemap(response, 100_000), sitemap)):
        try:
            urls = [listed.url for listed in read(xml(body)).pages]
        except NoListing:
            urls = []
        assert all(len(url) < 100 and "root" not in url for url in urls)


@pytest.mark.parametrize(
    "body",
    [
        "<rss><channel><item><link>http://vestnik.example/a/1</link>",
        "<rss><channel><item><link>http://vestnik.example/a/1</link><b></item></i></channel>",
        "<rss><channel><item><link>http://vestnik.example/a/1</link><title>А & Б <br> \x08</title></item></channel></rss>",
        "\n \ufeff<?xml version='1.0'?><rss><channel><item><link>http://vestnik.example/a/1</link></item></channel></rss>",
    ],
    ids=["cut", "crossed", "unescaped", "late declaration"],
)
def test_what_can_be_read_of_a_malformed_feed_is_read(body):
    assert [listed.url for listed in read_feed(xml(body)).pages] == ["http://vestnik.example/a/1"]


def test_a_page_instead_of_a_listing_says_so():
    page = HtmlResponse(
        AT, body="<!DOCTYPE html><html><body><h1>Проверка браузера</h1><a href=/a/1>1</a></body></html>".encode()
    )
    with pytest.raises(NoListing, match="found <html>"):
        read_feed(page)
    with pytest.raises(NoListing, match="found <html>"):
        read_sitemap(page, 10_000)


def test_foreign_hosts_and_other_schemes_are_listed_as_they_stand_and_own_nothing():
    body = "".join(
        f"<url><loc>{url}</loc></url>"
        for url in ("http://10.0.0.1/a/1", "file:///etc/passwd", "//other.example/a/1", "javascript:x()")
    )
    outlet = parse_outlet(
        "vestnik", "hosts: [vestnik.example]\nentries: [{kind: feed, url: 'http://vestnik.example/'}]\narticles: ['/.*']"
    )
    pages = read_sitemap(Response(AT, body=f"<urlset>{body}</urlset>".encode()), 10_000).pages
    assert len(pages) == 4
    assert [listed for listed in pages if outlet.is_article(listed.url) or outlet.owns(listed.url)] == []


def test_a_full_sitemap_is_read_whole():
    urls = "".join(f"<url><loc>/a/{number}</loc><lastmod>2026-03-04</lastmod></url>" for number in range(50_000))
    assert len(read_sitemap(Response(AT, body=f"<urlset>{urls}</urlset>".encode()), 10_000_000).pages) == 50_000


def test_relative_dates_of_an_archive_count_from_the_day_it_was_seen():
    assert read_listing(PAGED, dated("ВЧЕРА"), DAY, 1, date(2026, 3, 5)).pages[0].days == FOURTH
    assert read_listing(PAGED, dated("4 марта, 10:30"), DAY, 1, date(2027, 1, 1)).pages[0].days == FOURTH
    assert read_listing(PAGED, dated("ВЧЕРА"), DAY).pages[0].days == frozenset()


def test_an_archives_dates_may_be_attributes_of_the_item_itself():
    entry = PAGED.model_copy(update={"dates": "::attr(data-time)", "next": None})
    body = "<div class=card data-time=1772600000><a href=/a/1>1</a></div>"
    assert read_listing(entry, HtmlResponse(AT, body=body.encode()), DAY).pages == [
        Listed("http://vestnik.example/a/1", FOURTH)
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_listing_or_none(body):
    for entry in (
        ARCHIVE,
        PAGE,
        PAGED,
        Entry(kind="feed", url="http://vestnik.example/"),
        Entry(kind="sitemap", url="http://v.example/"),
    ):
        for whole in (body, b"<rss><item>" + body, b"<urlset><url><loc>" + body):
            try:
                assert isinstance(read_listing(entry, Response(AT, body=whole), DAY), Listing)
            except NoListing:
                assert entry.kind in ("feed", "sitemap")
