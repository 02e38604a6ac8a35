"""Pages that are answered with status 200 and refuse to be articles: gone ones, bot checks."""

import re
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from lxml.etree import XPath
from lxml.html import HtmlElement

from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.tree import line, select

Refusal = Literal["paywall", "soft_404", "challenge"]
SHORTEST_NOTICE = 20
"""characters that a wall says at least"""
LONGEST_CHALLENGE = 3_000
"""characters of a bot check's visible text"""


@cache
def _lists() -> dict[str, list[str]]:
    return yaml.safe_load((files("dragon_pipeline.adapters.web") / "page_words.yaml").read_text("utf-8"))


@cache
def words(name: str) -> re.Pattern[str]:
    """One list of `page_words.yaml` as a pattern."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in _lists()[name]), re.IGNORECASE)


def declared_refusal(outlet: Outlet, tree: HtmlElement) -> Refusal | None:
    """By the outlet's own marks."""
    if any(select(tree, css) for css in outlet.gone):
        return "soft_404"
    return "paywall" if any(select(tree, css) for css in outlet.paywall) else None


def is_gone(tree: HtmlElement) -> bool:
    """Whether the page's heading, or its title up to a site's name, says that there is none."""
    return any(words("gone_titles").fullmatch(part.strip(" .!")) for title in titles(tree) for part in (title, _bare(title)))


def is_challenge(tree: HtmlElement, source: str) -> bool:
    """Whether a page without a text asks for a browser or a human."""
    if any(words("challenge_titles").search(title) for title in titles(tree)):
        return True
    source = source.lower()
    return any(mark in source for mark in _lists()["challenge_marks"]) and len(line(tree)) <= LONGEST_CHALLENGE


def is_locked(tree: HtmlElement) -> bool:
    """Whether a page that no declaration reads says that the rest is for subscribers."""
    walls: list[HtmlElement] = _WALLS(tree)  # type: ignore[assignment]
    return any(len(line(wall)) >= SHORTEST_NOTICE for wall in walls) or bool(words("paywall_notices").search(line(tree)))


def titles(tree: HtmlElement) -> list[str]:
    found: list[HtmlElement] = _TITLES(tree)  # type: ignore[assignment]
    return [text for node in found if (text := line(node))]


def _bare(title: str) -> str:
    return re.split(r"\s+[|—–-]\s+|\s*::\s*", title)[0]


_TITLES = XPath("//title | //h1")
_WALLS = XPath("//body//*[contains(@class, 'paywall') or contains(@id, 'paywall')]")
