"""Which of the listed pages may be articles of a day: told in the reader process, since sitemaps list tens of thousands."""

from dataclasses import dataclass, replace
from datetime import date

from scrapy.http import Response

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.listings import Listed, Listing, read_listing
from dragon_pipeline.adapters.web.outlet import Outlet


@dataclass(frozen=True)
class Asking:
    """What a listing is read for."""

    outlet: Outlet
    entry: Entry
    day: date
    seen: date
    """the day on which the crawl sees the world"""
    page: int
    """of the entry; 1 is the first"""


def list_wanted(asking: Asking, response: Response) -> Listing:
    """The listing with those pages alone that may be articles of the day.

    Raises:
        NoListing: it is not what the entry declares.
    """
    listing = read_listing(asking.entry, response, asking.day, asking.page, asking.seen)
    return replace(listing, pages=[listed for listed in listing.pages if is_wanted(asking.outlet, listed, asking.day)])


def is_wanted(outlet: Outlet, listed: Listed, day: date) -> bool:
    """By the days that the listing names, or the one in the address, which may be a day off."""
    if not outlet.is_article(listed.url):
        return False
    in_address = outlet.url_day(listed.url)
    if listed.days:  # an address of the day under a later date: published on it, and changed since
        return day in listed.days or (in_address == day and max(listed.days) > day)
    return in_address is None or abs((in_address - day).days) <= 1
