"""What feeds, sitemaps and archive pages list, and for which day."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from urllib.parse import urldefrag, urljoin

from lxml.etree import LxmlError
from parsel import Selector
from scrapy.http import Response
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.sitemap import Sitemap
from w3lib.url import safe_url_string

from dragon_pipeline.adapters.web.charset import decode
from dragon_pipeline.adapters.web.dates import moscow_day, parse_date
from dragon_pipeline.adapters.web.entry import Entry

FEED_ROOTS = ("rss", "feed", "RDF")
LONGEST_URL = 2_000
MOST_BYTES = 50_000_000
"""the sitemap protocol's own limit"""
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
    next: str | None = None
    """where this listing goes on"""


def read_listing(
    entry: Entry, response: Response, day: date, page: int = 1, seen: date | None = None, most_bytes: int = MOST_BYTES
) -> Listing:
    """What the `page`-th page of an entry (1 is the first), or a sitemap of its index, lists.

    `pages` is everything listed, of any day and host; `children` are the sitemaps that may list the day, and `next` is
    the page to ask for after this one, while it may still list the day: never beyond `entry.most_pages`. Relative dates
    («вчера») count from the day on which it was `seen`.

    Raises:
        NoListing: it is not what the entry declares.
    """
    if entry.kind == "feed":
        return read_feed(response)
    if entry.kind == "sitemap":
        found = read_sitemap(response, most_bytes)
        chosen = [child for child in found.children if entry.child_may_list(child.url, max(child.days, default=None), day)]
        chosen.sort(key=lambda child: max(child.days, default=date.max))  # changed soonest after the day: knows it best
        listing = Listing(found.pages, chosen[: entry.most_pages])
        return replace(listing, next=_next_number(entry, listing, day, page))
    html = Selector(text=decode(response.body, _content_type(response)), type="html")
    listing = Listing(list(_links(entry, html, response.url, day, seen)))
    following = html.css(entry.next).get() if entry.next else None
    if following and _goes_on(entry, listing, day, page):
        return replace(listing, next=_join(response.url, following))
    return replace(listing, next=_next_number(entry, listing, day, page))


def _next_number(entry: Entry, listing: Listing, day: date, page: int) -> str | None:
    return entry.address(day, page + 1) if entry.is_numbered and _goes_on(entry, listing, day, page) else None


def _goes_on(entry: Entry, listing: Listing, day: date, page: int) -> bool:
    """Newest come first: a page that lists something, and not only what is older than the day."""
    return page < entry.most_pages and any(not listed.days or max(listed.days) >= day for listed in listing.pages)


def _links(entry: Entry, html: Selector, base: str, day: date, seen: date | None) -> Iterator[Listed]:
    given = frozenset({day}) if entry.kind == "archive" and not entry.dates else frozenset()
    for item in html.css(entry.items) if entry.items else [html]:
        days = _stated(item.css(entry.dates), seen) if entry.dates else given
        for link in item.css(entry.links):
            if url := _join(base, link.attrib.get("href", "")):
                yield Listed(url, days)


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


class _Sitemap(Sitemap):
    """Scrapy's, with the date of publication that news sitemaps name."""

    def _process_sitemap_element(self, elem: Any) -> dict[str, Any] | None:
        published = [date.text for date in elem.iterfind("{*}news/{*}publication_date")]
        found = super()._process_sitemap_element(elem)
        return found | {"published": published[0]} if found and published else found


def read_sitemap(response: Response, most_bytes: int) -> Listing:
    """A sitemap or an index of sitemaps, gzipped or not.

    Raises:
        NoListing: it is neither, or unpacks to more than `most_bytes`.
    """
    try:
        packed = gzip_magic_number(response)
        sitemap = _Sitemap(gunzip(response.body, max_size=most_bytes) if packed else response.body)
        found = [
            Listed(url, _days(entry.get("lastmod"), entry.get("published")))
            for entry in sitemap
            if (url := _join(response.url, entry.get("loc", "")))
        ]
    except (LxmlError, StopIteration, OSError, EOFError, ValueError) as error:
        raise NoListing(f"a sitemap was expected: {error}") from error
    if sitemap.type == "urlset":
        return Listing(pages=found)
    if sitemap.type == "sitemapindex":
        return Listing(children=found)
    raise NoListing(f"a sitemap was expected, found <{sitemap.type}>")


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def _stated(dates: Iterable[Selector], seen: date | None) -> frozenset[date]:
    """The day that a date of an item names; its parts may stand in several elements, or in an attribute."""
    text = " ".join(one.root if isinstance(one.root, str) else one.xpath("string()").get("") for one in dates)
    day = moscow_day(parse_date(text, seen))
    return frozenset() if day is None else frozenset({day})


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
