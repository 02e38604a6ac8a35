"""An outlet as data: where it lists its articles, which addresses are articles, and how to read one."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import Section

PageField = Literal["title", "lead", "text", "author", "section", "published_at", "modified_at", "canonical"]


class Entry(Section):
    """A place where an outlet lists its articles."""

    kind: Literal["feed", "sitemap", "archive", "page"] = Field(description="archive: one page per day; page: undated links")
    url: str = Field(description="`{day:%Y/%m/%d}` stands for the day, `{start}` and `{end}` for its ends in Unix time")
    links: str = Field("a", description="CSS of the links that count on an archive or page")

    def address(self, day: date) -> str:
        start = datetime.combine(day, time(), MOSCOW)
        end = datetime.combine(day + timedelta(days=1), time(), MOSCOW)
        return self.url.format(day=day, start=int(start.timestamp()), end=int(end.timestamp()))


class JsonLd(Section):
    """schema.org's NewsArticle in the page."""

    by: Literal["json_ld"]


class NextPayload(Section):
    """The JSON that a Next.js page carries."""

    by: Literal["next"]
    script: str = "#__NEXT_DATA__"
    root: str = Field(description="JMESPath of the article in the payload")
    fields: dict[PageField, str] = Field(description="JMESPath in the article; `text` gives a list of paragraphs")


class Selectors(Section):
    """CSS; the first selector of a field that finds something counts. `text` finds the paragraphs."""

    by: Literal["selectors"]
    fields: dict[PageField, tuple[str, ...]]


class Outlet(Section):
    name: str
    hosts: tuple[str, ...] = Field(min_length=1, description="the only hosts that are ever asked")
    host: str | None = Field(None, description="the host in canonical URLs")
    drop_params: tuple[str, ...] = ()
    keep_params: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = Field(min_length=1)
    articles: tuple[str, ...] = Field(min_length=1, description="patterns of article paths, matched whole")
    skip: tuple[str, ...] = Field((), description="patterns found in paths that are no articles after all")
    extract: tuple[Annotated[JsonLd | NextPayload | Selectors, Field(discriminator="by")], ...] = Field(min_length=1)
    remove: tuple[str, ...] = Field((), description="CSS of what is cut out of the page first: ads, players")
    drop_paragraphs: tuple[str, ...] = Field((), description="patterns found in paragraphs that are not the article's")
    dateline: str | None = Field(None, description="pattern cut from the start of the lead and of the first paragraph")

    @model_validator(mode="after")
    def entries_lie_on_the_hosts(self) -> "Outlet":
        for entry in self.entries:
            if not self.owns(entry.address(date(2024, 1, 1))):
                raise ValueError(f"entry {entry.url} is on none of the hosts")
        return self

    @field_validator("articles", "skip", "drop_paragraphs", "dateline")
    @classmethod
    def patterns_are_patterns(cls, value: tuple[str, ...] | str | None) -> tuple[str, ...] | str | None:
        for pattern in (value,) if isinstance(value, str) else value or ():
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no pattern: {error}") from error
        return value

    @cached_property
    def url_rules(self) -> UrlRules:
        return UrlRules(hosts=self.hosts, host=self.host, drop_params=self.drop_params, keep_params=self.keep_params)

    def owns(self, url: str) -> bool:
        """Whether this is an http(s) address on one of the outlet's hosts."""
        try:
            parts = urlsplit(url)
            return parts.scheme in ("http", "https") and parts.netloc.lower() in self.hosts
        except ValueError:
            return False

    def is_article(self, url: str) -> bool:
        if not self.owns(url):
            return False
        path = urlsplit(url).path
        return any(re.fullmatch(pattern, path) for pattern in self.articles) and not any(
            re.search(pattern, path) for pattern in self.skip
        )


def load_outlets(names: Sequence[str]) -> dict[str, Outlet]:
    """The named outlets' declarations, in the order of the names.

    Raises:
        BadInput: no such outlet, or its file is wrong; says which and what is there.
    """
    folder = files("dragon_pipeline.adapters.web") / "outlets"
    known = sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    for name in names:
        if name not in known:
            raise BadInput(f"newsroom.outlets: no outlet `{name}`; there are {', '.join(known)}")
    return {name: parse_outlet(name, (folder / f"{name}.yaml").read_text("utf-8")) for name in names}


def parse_outlet(name: str, text: str) -> Outlet:
    """An outlet from its YAML.

    Raises:
        BadInput: it is no outlet; names the fields.
    """
    try:
        return Outlet.model_validate({"name": name, **yaml.safe_load(text)})
    except (yaml.YAMLError, TypeError) as error:
        raise BadInput(f"outlets/{name}.yaml is no YAML mapping: {error}") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or name}: {fault['msg']}" for fault in error.errors())
        raise BadInput(f"outlets/{name}.yaml: {faults}") from error
