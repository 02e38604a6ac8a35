"""The four sites of the newsroom: which addresses they have on a day, and what each answers.

Each has the shape of a real kind of outlet: JSON-LD pages; a windows-1251 site with selectors; a `data-qa` CMS with hashed
classes; a Next.js payload. Pages are rendered from `templates/<outlet>/`, feeds and sitemaps from `templates/`.
"""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from dragon_pipeline.demo.articles import Story

MOSCOW = ZoneInfo("Europe/Moscow")
FEED_LENGTH = 20
NEVER = datetime(2000, 1, 1, tzinfo=MOSCOW)
MONTHS = (
    *("января", "февраля", "марта", "апреля", "мая", "июня"),
    *("июля", "августа", "сентября", "октября", "ноября", "декабря"),
)


@dataclass(frozen=True)
class Answer:
    body: bytes
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Site:
    """One invented outlet."""

    name: str
    title: str
    host: str
    path: Callable[[Story], str]
    encoding: str = "utf-8"
    wrong_encoding: str = "windows-1251"
    """what the header says of a page with `wrong_charset`"""
    feed: str | None = None
    archive: str | None = None
    """strftime pattern of a day's list"""
    sitemap: str = "/sitemap.xml"
    children: tuple[str, ...] = ()
    """paths of the sitemaps between the first and the articles; `{group}` stands for the day or rubric"""
    grouped_by: Callable[[Story], str] = lambda story: story.published.astimezone(MOSCOW).date().isoformat()

    def address(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def listed(self, story: Story) -> str:
        """The address that listings give: the AMP twin's until the first edit, with the tracking query if there is one."""
        path = self.path(story)
        if story.amp and story.day == story.published.astimezone(MOSCOW).date():
            path = f"/amp{path}"
        return self.address(path + (f"?{story.listed_query}" if story.listed_query else ""))


def number(story: Story) -> int:
    """A stable seven-digit number for an article."""
    return 1_000_000 + int(sha256(f"{story.outlet}/{story.slug}".encode()).hexdigest()[:8], 16) % 9_000_000


def _moscow(story: Story, pattern: str) -> str:
    return story.published.astimezone(MOSCOW).strftime(pattern)


SITES = {
    site.name: site
    for site in (
        Site(
            "severny-kurier",
            "Северный курьер",
            "severny-kurier.example",
            lambda story: f"/news/{_moscow(story, '%Y/%m/%d')}/{story.slug}/",
            feed="/rss/news",
            archive="/%Y/%m/%d/",
            sitemap="/sitemap.xml.gz",
            children=("/news/sitemap-{group}.xml.gz",),
        ),
        Site(
            "delovaya-volna",
            "Деловая волна",
            "delovaya-volna.example",
            lambda story: f"/{story.section}/news/{_moscow(story, '%Y/%m/%d')}/n_{number(story)}.shtml",
            encoding="windows-1251",
            wrong_encoding="utf-8",
            feed="/export/rss/lenta.xml",
            children=("/sitemap_news.xml", "/sitemaps/{group}.xml"),
        ),
        Site(
            "motor-city",
            "Мотор-Сити",
            "motor-city.example",
            lambda story: f"/news/{story.slug}-{_moscow(story, '%d-%m-%Y')}.htm",
            feed="/exports/rss",
        ),
        Site(
            "afisha-kvartal",
            "Афиша-Квартал",
            "afisha-kvartal.example",
            lambda story: f"/{story.section}/{number(story)}-{story.slug}/",
            children=("/sitemap-{group}.xml",),
            grouped_by=lambda story: story.section,
        ),
    )
}

TEMPLATES = Environment(
    loader=PackageLoader("dragon_pipeline.demo"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}
TEMPLATES.filters["worded"] = lambda moment: f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"
TEMPLATES.filters["rfc2822"] = format_datetime


def render_site(site: Site, stories: Sequence[Story]) -> dict[str, Answer]:
    """Everything the site answers, by path. `stories` are its articles of one day's world, oldest first."""
    pages = {"/robots.txt": Answer(_text("robots.txt.j2", site=site).encode(), "text/plain")}
    pages["/"] = _html(site, _text("list.html.j2", site=site, stories=stories[-FEED_LENGTH:], day=None))
    if site.feed:
        pages[site.feed] = _xml(site, _text("feed.xml.j2", site=site, stories=stories[: -FEED_LENGTH - 1 : -1]))
    pages |= _archives(site, stories) | _sitemaps(site, stories)
    for before, story in zip((None, *stories), stories, strict=False):
        path = site.path(story)
        pages[path] = _article(site, story, before, "article.html.j2")
        pages[f"/amp{path}"] = _article(site, story, before, "amp.html.j2")
    return pages


def _article(site: Site, story: Story, before: Story | None, template: str) -> Answer:
    if story.status != 200:
        return Answer("Страница не найдена".encode(site.encoding), f"text/html; charset={site.encoding}", story.status)
    name = template if template.startswith("amp") else f"{site.name}/{template}"
    shown = _text(
        name,
        site=site,
        story=story,
        before=before,
        published=story.published.astimezone(MOSCOW),
        changed=story.changed.astimezone(MOSCOW),
        paragraphs=() if story.empty_body else story.paragraphs,
        canonical=site.address(site.path(story)),
    )
    return _html(site, shown, site.wrong_encoding if story.wrong_charset else None)


def _archives(site: Site, stories: Sequence[Story]) -> dict[str, Answer]:
    """A list for every day from the first article to the last; a day without articles has an empty one."""
    if not site.archive or not stories:
        return {}
    days = [story.published.astimezone(MOSCOW).date() for story in stories]
    span = [days[0] + timedelta(days=offset) for offset in range((days[-1] - days[0]).days + 1)]
    return {day.strftime(site.archive): _archive(site, day, stories) for day in span}


def _archive(site: Site, day: date, stories: Sequence[Story]) -> Answer:
    of_day = [story for story in stories if story.published.astimezone(MOSCOW).date() == day]
    return _html(site, _text("list.html.j2", site=site, stories=of_day, day=day))


def _sitemaps(site: Site, stories: Sequence[Story]) -> dict[str, Answer]:
    """From the articles up: one sitemap per group, then the indexes above it."""
    if not site.children:
        return {site.sitemap: _sitemap(site, "urlset", [(site.listed(story), story.changed) for story in stories])}
    *above, lowest = (site.sitemap, *site.children)
    maps: dict[str, Answer] = {}
    entries: list[tuple[str, datetime]] = []
    for group, members in groupby(sorted(stories, key=site.grouped_by), key=site.grouped_by):
        listed = [(site.listed(story), story.changed) for story in members]
        maps[lowest.format(group=group)] = _sitemap(site, "urlset", listed)
        entries.append((site.address(lowest.format(group=group)), max(changed for _, changed in listed)))
    for path in reversed(above):
        maps[path] = _sitemap(site, "sitemapindex", entries)
        entries = [(site.address(path), max((changed for _, changed in entries), default=NEVER))]
    return maps


def _sitemap(site: Site, kind: str, entries: list[tuple[str, datetime]]) -> Answer:
    text = _text("sitemap.xml.j2", kind=kind, entries=entries)
    if site.sitemap.endswith(".gz"):
        return Answer(gzip.compress(text.encode(), mtime=0), "application/gzip")
    return Answer(text.encode(), "application/xml")


def _text(template: str, **values: Any) -> str:
    return TEMPLATES.get_template(template).render(**values)


def _html(site: Site, text: str, claimed: str | None = None) -> Answer:
    return Answer(text.encode(site.encoding, "xmlcharrefreplace"), f"text/html; charset={claimed or site.encoding}")


def _xml(site: Site, text: str) -> Answer:
    return Answer(text.encode(site.encoding, "xmlcharrefreplace"), "text/xml")
