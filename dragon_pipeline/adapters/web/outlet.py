"""An outlet as data: where it lists its articles, which addresses are articles, and how to read one."""

import re
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from typing import Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import yaml
from pydantic import Field, ValidationError, model_validator

from dragon_pipeline.adapters.web.entry import Css, Entry, Pattern
from dragon_pipeline.adapters.web.steps import GENERIC, Step
from dragon_pipeline.adapters.web.url_dates import span
from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.settings import Section

EXTRACTION = "2"
"""Raised when the same page and declaration give another article: `extraction.py` and what it calls."""

_FOLDER = files("dragon_pipeline.adapters.web") / "outlets"


class Outlet(Section):
    """A news site. For every field of a page the first step of `extract` that has it counts."""

    name: str
    hosts: tuple[str, ...] = Field(min_length=1, description="the only hosts that are ever asked")
    host: str | None = Field(None, description="the host in canonical URLs")
    language: str | None = Field(None, description="ISO 639-1; tells the encoding of pages that name none")
    timezone: ZoneInfo = Field(MOSCOW, description="of times that name no zone; days are Moscow's all the same")
    drop_params: tuple[str, ...] = ()
    keep_params: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = Field(min_length=1)
    articles: tuple[Pattern, ...] = Field(
        min_length=1,
        description="patterns of article paths, matched whole; groups `year`, `month`, `day` or `date` name the day in them",
    )
    skip: tuple[Pattern, ...] = Field((), description="patterns found in paths that are no articles after all")
    extract: tuple[Step, ...] = Field(GENERIC, min_length=1)
    fallback: bool = Field(True, description="let trafilatura look for a text where no step has one")
    remove: tuple[Css, ...] = Field((), description="CSS of what is cut out of the page first: ads, players")
    drop_paragraphs: tuple[Pattern, ...] = Field((), description="patterns found in paragraphs that are not the article's")
    until: tuple[Pattern, ...] = Field((), description="patterns found in the paragraph from which on the text is over")
    dateline: Pattern | None = Field(None, description="pattern cut from the start of the lead and of the first paragraph")
    paywall: tuple[Css, ...] = Field((), description="CSS found only on pages whose text is for subscribers")
    gone: tuple[Css, ...] = Field(
        (), description="CSS found only on pages that are answered with 200 and say that there is none"
    )

    @model_validator(mode="after")
    def entries_lie_on_the_hosts(self) -> Self:
        for entry in self.entries:
            if not self.owns(entry.address(date(2024, 1, 1))):
                raise ValueError(f"entry {entry.url} is on none of the hosts")
        return self

    @cached_property
    def digest(self) -> str:
        """Another one when the same page may give another article: of the declaration and the code that reads it."""
        return sha256(f"{EXTRACTION} trafilatura {version('trafilatura')} {self.model_dump_json()}".encode())

    @cached_property
    def url_rules(self) -> UrlRules:
        return UrlRules(hosts=self.hosts, host=self.host, drop_params=self.drop_params, keep_params=self.keep_params)

    def entries_for(self, day: date, live: bool) -> tuple[Entry, ...]:
        """Where to ask for the day's articles. Live: the crawl is of today or yesterday."""
        return tuple(entry for entry in self.entries if entry.serves(live))

    def owns(self, url: str) -> bool:
        """Whether this is an http(s) address on one of the outlet's hosts."""
        try:
            parts = urlsplit(url)
            return parts.scheme in ("http", "https") and parts.netloc.lower() in self.hosts
        except ValueError:
            return False

    def is_article(self, url: str) -> bool:
        return self._match(url) is not None

    def url_day(self, url: str) -> date | None:
        """The day in an article's address. A hint: articles are published a day off, or moved."""
        found = self._match(url)
        days = span(found.groupdict()) if found else None
        return days[0] if days and days[0] == days[1] else None

    def _match(self, url: str) -> re.Match[str] | None:
        if not self.owns(url):
            return None
        path = urlsplit(url).path
        if any(re.search(pattern, path) for pattern in self.skip):
            return None
        return next((found for pattern in self.articles if (found := re.fullmatch(pattern, path))), None)


def load_outlets(names: Sequence[str]) -> dict[str, Outlet]:
    """The named outlets' declarations, in the order of the names.

    Raises:
        BadInput: no such outlet, or its file is wrong; says which and what is there.
    """
    known = bundled_names()
    for name in names:
        if name not in known:
            raise BadInput(f"newsroom.outlets: no outlet `{name}`; there are {', '.join(known)}")
    return {name: parse_outlet(name, (_FOLDER / f"{name}.yaml").read_text("utf-8")) for name in names}


def bundled_names() -> list[str]:
    """Of the declarations that come with the package."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _FOLDER.iterdir() if entry.name.endswith(".yaml"))


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
