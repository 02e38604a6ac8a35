"""What feeds, sitemaps and archive pages list, and for which day."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urldefrag, urljoin

from lxml.etree import LxmlError
from parsel import Selector
from scrapy.http import Response
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.sitemap import Sitemap
from w3lib.url import safe_url_string

from dragon_pipeline.adapters.web.charset import decode
from dragon_pipeline.adapters.web.dates import moscow_day, parse_date

FEED_ROOTS = ("rss", "feed", "RDF")
LONGEST_URL = 2_000
FEED_DATES = "*[local-name()='pubDate' or local-name()='published' or local-name()='updated' or local-name()='date']/text()"


class NoListing(Exception):
    """The answer is not the kind of listing it was declared to be."""


@dataclass(frozen=True)
class Listed:
    url: str
    days: frozenset[date]
    """the Moscow days that the listing names for it; empty when it names none"""


@dataclass(frozen=True)
class Listing:
    pages: list[Listed] = field(default_factory=list)
    children: list[Listed] = field(default_factory=list)
    """further sitemaps"""


def read_feed(response: Response) -> Listing:
    """RSS and Atom.

    Raises:
        NoListing: it is neither.
    """
    root = Selector(text=decode(response.body, _content_type(response)).strip() or "<none/>", type="xml")
    name = root.xpath("local-name(/*)").get()
    if name not in FEED_ROOTS:
        raise NoListing(f"a feed was expected, found <{name}>")
    return Listing(pages=list(_feed_items(root, response.url)))


def _feed_items(root: Selector, base: str) -> Iterator[Listed]:
    for item in root.xpath("//*[local-name()='item' or local-name()='entry']"):
        links = item.xpath("*[local-name()='link'][not(@rel) or @rel='alternate']")
        address = links.xpath("@href").get() or links.xpath("text()").get() or item.xpath("*[local-name()='guid']/text()").get()
        if address and (url := _join(base, address)):
            yield Listed(url, _days(*item.xpath(FEED_DATES).getall()))


def read_sitemap(response: Response, most_bytes: int) -> Listing:
    """A sitemap or an index of sitemaps, gzipped or not.

    Raises:
        NoListing: it is neither, or unpacks to more than `most_bytes`.
    """
    try:
        packed = gzip_magic_number(response)
        sitemap = Sitemap(gunzip(response.body, max_size=most_bytes) if packed else response.body)
        found = [
            Listed(url, _days(entry.get("lastmod"))) for entry in sitemap if (url := _join(response.url, entry.get("loc", "")))
        ]
    except (LxmlError, StopIteration, OSError, EOFError, ValueError) as error:
        raise NoListing(f"a sitemap was expected: {error}") from error
    if sitemap.type == "urlset":
        return Listing(pages=found)
    if sitemap.type == "sitemapindex":
        return Listing(children=found)
    raise NoListing(f"a sitemap was expected, found <{sitemap.type}>")


def read_links(response: Response, css: str, day: date | None) -> Listing:
    """The links of an archive page of `day`, or of an undated page (None)."""
    html = Selector(text=decode(response.body, _content_type(response)), type="html")
    days = frozenset() if day is None else frozenset({day})
    hrefs = (link.attrib.get("href", "") for link in html.css(css))
    return Listing(pages=[Listed(url, days) for href in hrefs if (url := _join(response.url, href))])


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def _days(*stamps: str | None) -> frozenset[date]:
    return frozenset(day for stamp in stamps if (day := moscow_day(parse_date(stamp))))


def _join(base: str, address: str) -> str | None:
    """The absolute address, escaped and without its fragment; None for what is no address, or an absurdly long one."""
    if not address.strip():
        return None
    try:
        url = safe_url_string(urldefrag(urljoin(base, address.strip())).url)
    except ValueError:
        return None
    return url if len(url) <= LONGEST_URL else None
