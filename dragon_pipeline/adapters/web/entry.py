"""A place where an outlet lists its articles, as data."""

import re
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Annotated, Literal

from parsel.csstranslator import HTMLTranslator
from pydantic import AfterValidator, Field, model_validator

from dragon_pipeline.adapters.web.url_dates import dated_groups, span
from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.settings import Section


def _is_css(css: str) -> str:
    try:
        HTMLTranslator().css_to_xpath(css)
    except (SyntaxError, RuntimeError, ValueError) as error:
        raise ValueError(f"{css!r} is no CSS selector: {error}") from error
    return css


def _is_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}") from error
    return pattern


Css = Annotated[str, AfterValidator(_is_css)]
Pattern = Annotated[str, AfterValidator(_is_pattern)]


class Entry(Section):
    """A feed, a sitemap, or a page of links."""

    kind: Literal["feed", "sitemap", "archive", "page"] = Field(description="archive: its links are dated; page: undated links")
    url: str = Field(
        description="`{day:%Y/%m/%d}` stands for the day, `{start}` and `{end}` for its ends in Unix time, `{number}` counts up"
    )
    when: Literal["always", "live", "past"] | None = Field(
        default=None, description="days for which it is asked; none: feeds and pages when the crawl is live, the others always"
    )
    links: Css = Field(default="a", description="the links that count on an archive or page")
    items: Css | None = Field(default=None, description="of an archive whose links are dated one by one: a link and its date")
    dates: Css | None = Field(
        default=None, description="the date in an item; none: the day in the archive's address is every link's"
    )
    next: Css | None = Field(default=None, description="the address of the next page, as in `a.more::attr(href)`")
    first: int = Field(default=0, ge=0, description="what `{number}` starts from; the newest are expected first")
    most_pages: int = Field(
        default=50, ge=1, le=1_000, description="`next` pages, numbers or chosen children asked for at most"
    )
    children: Pattern | None = Field(
        default=None,
        description="dates in addresses of an index's sitemaps: `start` and `end`, or `year`, `month`, `day`, or `date`",
    )

    @model_validator(mode="after")
    def is_an_entry(self) -> "Entry":
        try:
            self.address(date(2024, 1, 1))
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"url: {self.url!r} has a part that is not understood: {error}") from error
        if self.kind == "archive" and not self.is_of_a_day and not self.dates:
            raise ValueError(f"{self.url}: an archive needs {{day}} in its address, or `items` and `dates`")
        if bool(self.items) != bool(self.dates):
            raise ValueError(f"{self.url}: `items` and `dates` go together")
        if self.children and not dated_groups(self.children):
            raise ValueError(f"children: {self.children!r} has none of the groups year, month, day, date, start, end")
        return self

    @cached_property
    def is_of_a_day(self) -> bool:
        """Whether its address names one day."""
        return self.address(date(2024, 1, 1)) != self.address(date(2024, 1, 2))

    @property
    def is_numbered(self) -> bool:
        return "{number" in self.url

    def address(self, day: date, page: int = 1) -> str:
        """Where its `page`-th page is; 1 is the first."""
        start = datetime.combine(day, time(), MOSCOW)
        end = datetime.combine(day + timedelta(days=1), time(), MOSCOW)
        number = self.first + page - 1
        return self.url.format(day=day, start=int(start.timestamp()), end=int(end.timestamp()), number=number)

    def serves(self, live: bool) -> bool:
        """Whether it is asked in a crawl that is live (of today or yesterday), or of a day long past."""
        if self.when is None:
            return live or self.kind in ("sitemap", "archive")
        return self.when == "always" or (self.when == "live") == live

    def child_may_list(self, url: str, changed: date | None, day: date) -> bool:
        """Whether a sitemap of an index may list the day: by the dates in its address, else by its last change."""
        found = re.search(self.children, url) if self.children else None
        days = span(found.groupdict()) if found else None
        if days:
            return days[0] <= day <= days[1]
        return changed is None or changed >= day
