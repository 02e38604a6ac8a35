"""An article out of a raw page, by the outlet's declaration. Pages are hostile: nothing in them may raise."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import partial
from typing import Any

from lxml.etree import XPath
from lxml.html import HtmlElement

from dragon_pipeline.adapters.web import fallback, json_ld, meta, microdata, next_payload
from dragon_pipeline.adapters.web.charset import decode
from dragon_pipeline.adapters.web.dates import parse_date
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.payloads import Found, string
from dragon_pipeline.adapters.web.refusals import declared_refusal, is_challenge, is_gone, is_locked, words
from dragon_pipeline.adapters.web.steps import NextPayload, Selectors, Step
from dragon_pipeline.adapters.web.tree import NEVER_TEXT, drop, line, outermost, paragraphs, parse, select, tidy

JOINED = {"title": None, "lead": " ", "author": ", ", "section": ", ", "canonical": None}
"""How several values of a field become one; None: the first counts"""
DATES = ("published_at", "modified_at")
_CANONICAL = XPath("//link[@rel='canonical']/@href")


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


def extract_page(outlet: Outlet, body: bytes, content_type: str | None, seen: date | None = None) -> Page:
    """The article of a page: for every field the first step of `outlet.extract` that has it.

    `seen` is the day on which the page was as it is (the day it was fetched; through a gateway that shows days, that day):
    «вчера» counts from it, and what lies more than a day after it is no date. Without it relative dates are none.
    It never raises.
    """
    source = decode(body, content_type, outlet.language)
    tree = parse(source)
    if refusal := declared_refusal(outlet, tree) or ("soft_404" if is_gone(tree) else None):
        return Page(refusal=refusal)
    reading = _Reading(outlet, seen)
    if reading.fill(tree):
        return Page(refusal="paywall")
    if "text" not in reading.known:
        if is_challenge(tree, source):
            return Page(refusal="challenge")
        if outlet.fallback and reading.known.get("title"):
            if is_locked(tree):
                return Page(refusal="paywall")
            reading.take({"text": fallback.guess(tree)}, "trafilatura")
    return Page(**reading.known)


class _Reading:
    """One page being read."""

    def __init__(self, outlet: Outlet, seen: date | None):
        self.outlet, self.seen = outlet, seen
        self.known: dict[str, str] = {}

    def fill(self, tree: HtmlElement) -> bool:
        """Goes through the declared steps; says whether the page turned out to be for subscribers only."""
        payloads = [None if isinstance(step, Selectors) else _find(step, tree) for step in self.outlet.extract]
        if any(locked for _, locked in filter(None, payloads)):
            return True
        canonical: list[str] = _CANONICAL(tree)  # type: ignore[assignment]
        for css in self.outlet.remove:
            drop(select(tree, css))
        drop(list(tree.iter(*NEVER_TEXT)))
        for step, payload in zip(self.outlet.extract, payloads, strict=True):
            found = self._select(step, tree) if isinstance(step, Selectors) else payload[0] if payload else {}
            self.take(found, step.by)
        self.take({"canonical": [url for url in canonical[:1] if self.outlet.is_article(url.strip())]}, "")
        return False

    def take(self, found: Found, source: str) -> None:
        """Adds the fields that were still lacking."""
        for name, value in found.items():
            if value is None or name in self.known:
                continue
            values = [value] if isinstance(value, str) else value
            if name == "text":
                if text := "\n".join(self._body(values)):
                    self.known |= {"text": text, "extractor": source}
            elif said := self._date(values) if name in DATES else self._field(name, values):
                self.known[name] = said

    def _select(self, step: Selectors, tree: HtmlElement) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, selectors in step.fields.items():
            for css in selectors:
                nodes = outermost(select(tree, css))
                read = partial(_lines) if name == "text" else _one_line
                if texts := [text for node in nodes for text in read(node)]:
                    found[name] = texts
                    break
        return found

    def _date(self, values: Sequence[str]) -> str | None:
        return next((day for value in values if (day := parse_date(value, self.seen, self.outlet.timezone))), None)

    def _field(self, name: str, values: Sequence[str]) -> str | None:
        clean = [text for value in values if (text := tidy(string(value) if name in ("title", "lead") else value))]
        said = clean[0] if clean and JOINED[name] is None else (JOINED[name] or "").join(dict.fromkeys(clean))
        return self._without_dateline(said) if name == "lead" else said or None

    def _body(self, raw: Sequence[str]) -> list[str]:
        """The article's own paragraphs, without what the declaration drops, and what is code."""
        kept: list[str] = []
        for paragraph in (text for block in raw for part in block.splitlines() if (text := tidy(part))):
            if any(re.search(end, paragraph) for end in self.outlet.until):
                break
            foreign = any(re.search(drop, paragraph) for drop in self.outlet.drop_paragraphs)
            repeated = not kept and paragraph == self.known.get("title")
            if not foreign and not repeated and not words("code").match(paragraph):
                kept.append(paragraph)
        if kept:
            kept[0] = self._without_dateline(kept[0]) or ""
        return [paragraph for paragraph in kept if paragraph]

    def _without_dateline(self, text: str) -> str | None:
        if self.outlet.dateline:
            text = re.sub(rf"^(?:{self.outlet.dateline})", "", text).strip()
        return text or None


def _find(step: Step, tree: HtmlElement) -> tuple[Found, bool]:
    """What a step that reads no selectors finds, and whether the page says that it is for subscribers only."""
    if isinstance(step, NextPayload):
        return next_payload.find(step, tree), False
    return {"json_ld": json_ld, "microdata": microdata, "meta": meta}[step.by].find(tree)


def _lines(node: Any) -> list[str]:
    return paragraphs(node)


def _one_line(node: Any) -> list[str]:
    return [text] if (text := line(node)) else []
