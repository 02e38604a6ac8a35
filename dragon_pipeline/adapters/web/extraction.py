"""An article out of a raw page, by the outlet's declaration. Pages are hostile: nothing in them may raise."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from parsel import Selector
from w3lib.html import remove_tags, replace_entities

from dragon_pipeline.adapters.web.charset import decode
from dragon_pipeline.adapters.web.dates import parse_date
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.steps import JsonLd, Meta, Microdata, NextPayload, Selectors

NEVER_TEXT = ("script", "style", "noscript", "iframe", "template")
ARTICLE_TYPE = re.compile(r"(News|Reportage|Analysis|Opinion|Blog)?(Article|Posting)$")
NESTING = 6


@dataclass(frozen=True)
class Page:
    """What one page says, as the columns of `crawl` name it."""

    title: str | None = None
    lead: str | None = None
    text: str | None = None
    author: str | None = None
    section: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    canonical: str | None = None
    extractor: str = "none"
    refusal: str | None = None
    """why this is no article although it was answered like one: `paywall`, `soft_404`, `challenge`; no column"""

    def columns(self) -> dict[str, str | None]:
        """Its columns of `crawl`."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "refusal"}


Found = Mapping[str, str | Sequence[str] | None]


def extract_page(outlet: Outlet, body: bytes, content_type: str | None, seen: date | None = None) -> Page:
    """The article of a page: for every field the first step of `outlet.extract` that has it.

    `seen` is the Moscow day on which the page was as it is (the day it was fetched; through a gateway that shows days, that
    day): «вчера» counts from it, and what lies more than a day after it is no date. It never raises.
    """
    html = Selector(text=decode(body, content_type), type="html")
    refusal = next((why for why, marks in (("paywall", outlet.paywall), ("soft_404", outlet.gone)) if _any(html, marks)), None)
    if refusal:
        return Page(refusal=refusal)
    payloads = [_find(step, html) for step in outlet.extract if not isinstance(step, Selectors)]
    for css in (*outlet.remove, *NEVER_TEXT):
        html.css(css).drop()
    found = iter(payloads)
    page = Page()
    for step in outlet.extract:
        page = _fill(page, _select(step, html) if isinstance(step, Selectors) else next(found), step.by, outlet)
    if page.canonical is None:
        page = replace(page, canonical=_tidy(html.xpath("//link[@rel='canonical']/@href").get()))
    return page


def _any(html: Selector, marks: Sequence[str]) -> bool:
    return any(html.css(css) for css in marks)


def _fill(page: Page, found: Found, source: str, outlet: Outlet) -> Page:
    """The page with the fields it lacked taken from what a step found."""
    fresh: dict[str, str | None] = {}
    for name, value in found.items():
        if asdict(page).get(name) is not None:
            continue
        if name == "text":
            fresh["text"] = "\n".join(_body([value] if isinstance(value, str) else value or [], outlet)) or None
        elif name in ("published_at", "modified_at"):
            fresh[name] = parse_date(_one(value))
        else:
            fresh[name] = _tidy(_one(value))
    if fresh.get("lead") and outlet.dateline:
        fresh["lead"] = re.sub(rf"^(?:{outlet.dateline})", "", fresh["lead"] or "").strip() or None
    if fresh.get("text"):
        fresh["extractor"] = source
    return replace(page, **fresh)


def _body(raw: Sequence[str], outlet: Outlet) -> list[str]:
    """The article's own paragraphs, without what the declaration drops."""
    lines = (_tidy(line) for block in raw for line in re.split(r"\r?\n", block))
    kept = [line for line in lines if line and not any(re.search(drop, line) for drop in outlet.drop_paragraphs)]
    if kept and outlet.dateline:
        kept[0] = re.sub(rf"^(?:{outlet.dateline})", "", kept[0]).strip()
    return [line for line in kept if line]


def _find(step: JsonLd | Microdata | Meta | NextPayload, html: Selector) -> Found:
    if isinstance(step, (Microdata, Meta)):
        return {}
    if isinstance(step, JsonLd):
        blocks = html.xpath("//script[@type='application/ld+json']/text()").getall()
        article = next((found for block in blocks for found in _ld_articles(_parse(block))), {})
        return {
            "title": _string(article.get("headline")),
            "lead": _string(article.get("description")),
            "text": _string(article.get("articleBody")),
            "author": _names(article.get("author")),
            "section": _names(article.get("articleSection")),
            "published_at": _string(article.get("datePublished")),
            "modified_at": _string(article.get("dateModified")),
        }
    article = _search(step.root or "@", _parse(html.css(f"{step.script}::text").get() or ""))
    return {name: _strings(_search(path, article)) for name, path in step.fields.items()}


def _select(step: Selectors, html: Selector) -> Found:
    found: dict[str, list[str]] = {}
    for name, selectors in step.fields.items():
        for css in selectors:
            nodes = html.css(css)
            texts = [text for node in nodes if (text := _text(node))]
            if texts:
                found[name] = texts
                break
    return found


def _text(node: Selector) -> str:
    """A node's text on one line, or the value of an attribute or text node."""
    if isinstance(node.root, str):
        return " ".join(node.root.split())
    return " ".join(str(node.xpath("string()").get() or "").split())


def _parse(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _search(path: str, data: Any) -> Any:
    try:
        return jmespath.search(path, data)
    except (JMESPathError, RecursionError):
        return None


def _ld_articles(data: Any, depth: int = 0) -> Iterator[dict]:
    """Every schema.org article, also inside lists and `@graph`."""
    if depth > NESTING:
        return
    if isinstance(data, list):
        for item in data:
            yield from _ld_articles(item, depth + 1)
    elif isinstance(data, dict):
        kinds = data.get("@type")
        if any(isinstance(kind, str) and ARTICLE_TYPE.search(kind) for kind in (kinds if isinstance(kinds, list) else [kinds])):
            yield data
        yield from _ld_articles(data.get("@graph"), depth + 1)


def _names(value: Any) -> str | None:
    """`"A"`, `{"name": "A"}`, or a list of either, as `A, B`."""
    items = value if isinstance(value, list) else [value]
    names = [_string(item.get("name")) if isinstance(item, dict) else _string(item) for item in items]
    return ", ".join(name for name in names if name) or None


def _strings(value: Any) -> str | list[str] | None:
    if isinstance(value, list):
        return [text for item in value if (text := _string(item))]
    return _string(value)


def _string(value: Any) -> str | None:
    """A string or number of a payload as plain text, markup removed, lines kept."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = str(value)
    return replace_entities(remove_tags(text)) if "<" in text or "&" in text else text


def _one(value: str | Sequence[str] | None) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ", ".join(value) or None


def _tidy(text: str | None) -> str | None:
    """On one line, without NUL bytes and lone surrogates, which no table can hold; None when nothing is left."""
    if text is None:
        return None
    whole = text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(whole.split()) or None
