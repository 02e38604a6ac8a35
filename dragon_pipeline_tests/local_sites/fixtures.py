"""A fixture site: what the hosts of one outlet answer, and what crawls of it must give, to the letter.

To add one: a folder `dragon_pipeline_tests/adapters/web/sites/<outlet>/`, named as the outlet's declaration, with the pages
as files (UTF-8 on disk; all text in them written for the project) and `site.yaml`:

    answers:                                     # whatever else is asked for fails the test, robots.txt included
      - {url: "https://vestnik.example/robots.txt", text: "User-agent: *\\nDisallow: /search\\n", type: text/plain}
      - {url: "https://vestnik.example/rss", file: rss.xml, encoding: windows-1251, day: 2025-07-17}
      - {url: "https://vestnik.example/sitemap.xml.gz", file: sitemap.xml, gzip: true, type: application/gzip}
      - {url: "https://vestnik.example/old/1", status: 301, headers: {Location: /news/1}}
    crawls:
      - day: 2025-07-17
        live: true                               # the day is today or yesterday; false: it is long past
        rows:
          - {url: "https://vestnik.example/news/1", title: Мост, text: [Первый абзац., Второй.], extractor: json_ld}
        failed: {"https://vestnik.example/news/2": http_404}
        left_out: {"https://vestnik.example/news/3": other_day}
        not_asked: ["https://vestnik.example/video/4"]

A field that a row does not name must be null. Of two answers for one address, that for the asked day wins (`day` is what the
crawler's X-Newsroom-Day says). Words of YAML stay words: a date needs no quotes, and a key given twice is an error.
`python -m dragon_pipeline_tests.local_sites FOLDER` serves a site to look at by hand.
"""

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

TYPES = {".html": "text/html; charset={}", ".xml": "text/xml; charset={}", ".txt": "text/plain; charset={}"}


class WrongFixture(Exception):
    """A site.yaml that says something that no site can be; names the file and the key."""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SiteAnswer(Strict):
    url: str = Field(pattern=r"^https?://[^/#]+/[^#]*$")
    file: str | None = None
    text: str | None = None
    """the body itself, for short ones"""
    type: str | None = None
    """the whole Content-Type header; none: by the file's name, with the encoding; an empty one: no header"""
    encoding: str = "utf-8"
    status: int = 200
    headers: dict[str, str] = {}
    gzip: bool = False
    """the body is packed, as a file; say `Content-Encoding: gzip` among the headers when it is the transport that packs"""
    day: date | None = None

    @model_validator(mode="after")
    def says_one_thing(self) -> Self:
        if self.file and self.text is not None:
            raise ValueError("either a file or a text, not both")
        if not self.file and self.text is None and self.status == 200:
            raise ValueError("a file or a text is needed")
        return self


class ExpectedRow(Strict):
    url: str
    title: str
    lead: str | None = None
    text: list[str]
    """paragraphs"""
    author: str | None = None
    section: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    extractor: str
    canonical: str | None = None
    """compared only where it is given"""


class ExpectedCrawl(Strict):
    day: date
    live: bool = False
    rows: list[ExpectedRow] = []
    failed: dict[str, str] = {}
    """address → reason"""
    left_out: dict[str, str] = {}
    not_asked: list[str] = []


class Site(Strict):
    """One outlet's fixture."""

    name: str
    folder: Path
    answers: list[SiteAnswer]
    crawls: list[ExpectedCrawl] = []

    def body(self, answer: SiteAnswer) -> bytes:
        """Encoded, not yet packed; letters that the encoding lacks become references."""
        text = (self.folder / answer.file).read_text("utf-8") if answer.file else answer.text or ""
        return text.encode(answer.encoding, "xmlcharrefreplace")

    def content_type(self, answer: SiteAnswer) -> str:
        if answer.type is not None:
            return answer.type
        return TYPES.get(Path(answer.file or "page.html").suffix, "application/octet-stream").format(answer.encoding)


def read_site(folder: Path) -> Site:
    """The site of a folder.

    Raises:
        WrongFixture: names the file and the key.
    """
    path = folder / "site.yaml"
    try:
        said = yaml.load(path.read_text("utf-8"), _Words)
        site = Site.model_validate({"name": folder.name, "folder": folder, **said})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise WrongFixture(f"{path}: {faults}") from error
    except (OSError, TypeError, yaml.YAMLError) as error:
        raise WrongFixture(f"{path}: {error}") from error
    if faults := list(_faults(site)):
        raise WrongFixture(f"{path}: {'; '.join(faults)}")
    return site


def _faults(site: Site) -> list[str]:
    """What is wrong between the parts."""
    used = {answer.file for answer in site.answers if answer.file}
    there = {path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*") if path.is_file()} - {"site.yaml"}
    twice = [url for (url, _), count in Counter((answer.url, answer.day) for answer in site.answers).items() if count > 1]
    known = {answer.url for answer in site.answers}
    told = {url for crawl in site.crawls for url in [*(row.url for row in crawl.rows), *crawl.failed, *crawl.left_out]}
    return [
        *(f"answers: no file {name}" for name in sorted(used - there)),
        *(f"answers: nothing answers with the file {name}" for name in sorted(there - used)),
        *(f"answers: {url} twice" for url in twice),
        *(f"crawls: nothing answers for {url}" for url in sorted(told - known)),
    ]


class _Words(yaml.SafeLoader):
    """YAML whose dates are text, and whose keys are given once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.value != "<<"]
        if len(keys) > len(set(keys)):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise yaml.MarkedYAMLError(problem=f"the key {twice} twice", problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)


_Words.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
