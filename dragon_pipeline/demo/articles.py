"""The newsroom's articles: Markdown files with a front matter, one per version."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Story:
    """One version of one article, with the faults its page shall have."""

    outlet: str
    slug: str
    title: str
    published: datetime
    day: date
    """from this day on the site shows this version"""
    paragraphs: tuple[str, ...]
    lead: str = ""
    author: str = ""
    section: str = "news"
    modified: datetime | None = None
    id: str = ""
    reprint_of: str | None = None
    dateless: bool = False
    """the page says no date"""
    empty_body: bool = False
    status: int = 200
    wrong_charset: bool = False
    """the Content-Type header names another charset than the page is in"""
    listed_query: str = ""
    """query string that listings append to its address"""
    amp: bool = False
    """listings give its AMP address until it is edited"""
    extra: dict[str, object] = field(default_factory=dict)

    @property
    def changed(self) -> datetime:
        return self.modified or self.published


def read_stories(folder: Path | None = None) -> tuple[Story, ...]:
    """All versions in a folder of days, by day and file name; the bundled ones by default."""
    root = folder or Path(str(files("dragon_pipeline.demo") / "news"))
    return tuple(parse_story(path.read_text("utf-8")) for path in sorted(root.glob("*/*.md")))


def parse_story(text: str) -> Story:
    """A version from its file: front matter between two lines of `---`, then paragraphs."""
    _, front, body = text.split("---\n", 2)
    said = {name: value for name, value in yaml.safe_load(front).items() if value is not None}
    said["published"], said["day"] = _moment(said["published"]), _day(said["day"])
    if "modified" in said:
        said["modified"] = _moment(said["modified"])
    said["listed_query"] = str(said.get("listed_query", "")).lstrip("?")
    known = set(Story.__dataclass_fields__) - {"extra", "paragraphs"}
    paragraphs = tuple(" ".join(block.split()) for block in body.split("\n\n") if block.strip())
    extra = {name: value for name, value in said.items() if name not in known}
    return Story(**{name: value for name, value in said.items() if name in known}, paragraphs=paragraphs, extra=extra)


def world(stories: Iterable[Story], day: date | None) -> list[Story]:
    """What the sites show on a day (None: the newest): of every article the latest version, oldest article first."""
    latest: dict[tuple[str, str, date], Story] = {}
    for story in sorted(stories, key=lambda story: (story.day, story.changed)):
        if day is None or story.day <= day:
            latest[story.outlet, story.slug, story.published.date()] = story
    return sorted(latest.values(), key=lambda story: (story.published, story.outlet, story.slug))


def _moment(value: str | datetime) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


def _day(value: str | date) -> date:
    return value if isinstance(value, date) else date.fromisoformat(value)
