"""The last resort: trafilatura's guess at a page's text, believed only where it looks like an article's."""

import logging
from collections.abc import Sequence

from lxml.etree import XPath, iterwalk
from lxml.html import HtmlElement

from dragon_pipeline.adapters.web.refusals import titles
from dragon_pipeline.adapters.web.tree import line, tidy

WAYS = ((True, False), (False, False), (True, True))
"""Fast, with tables. Its own heuristics alone mostly find the same in half the time; tables count only if they are the text."""
MOST_ELEMENTS = 100_000
DEEPEST = 256
_BLOATED = XPath("//*[@*[string-length() > 2000]]")
SHORTEST_TEXT = 250
"""characters; captions and notices are shorter"""
SENTENCE_ENDS = tuple(".!?…»”\"':;。！？।؟)")
LONG = 60
"""characters of a paragraph that is more than a headline"""
PROSE = 0.6
"""of the text, the share that long paragraphs ending like sentences must have"""
LINKED = 0.34
"""of the paragraphs, the share that may be texts of links: more is a page of teasers"""
SCRIPTS_WITHOUT_SPACES = 2.5
"""characters of Chinese or Japanese say about as much as so many Latin or Cyrillic ones"""


def guess(tree: HtmlElement) -> list[str]:
    """The article's paragraphs; none where the page has no text, or one that is no article's. Spends the tree."""
    import trafilatura  # a quarter of a second, which most commands can do without

    if _is_monstrous(tree):
        return []
    links = {text for link in tree.iter("a") if len(text := line(link)) > 1}
    headings = set(titles(tree))
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot read is a row
    for fast, tables in WAYS:
        try:
            found = trafilatura.extract(tree, fast=fast, favor_precision=True, include_comments=False, include_tables=tables)
        except Exception:  # foreign code over hostile pages; nothing may stop the crawl
            return []
        text = [paragraph for part in (found or "").split("\n") if (paragraph := tidy(part.strip("|- ")))]
        text = text[1:] if text and text[0] in headings else text
        if is_article(text, links):
            return text
    return []


def _is_monstrous(tree: HtmlElement) -> bool:
    """Too large or too deep for what is quadratic in either; long attributes, which tell nothing, are cut out."""
    depth = elements = 0
    for event, _ in iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if depth > DEEPEST or elements > MOST_ELEMENTS:
            return True
    bloated: list[HtmlElement] = _BLOATED(tree)  # type: ignore[assignment]
    for element in bloated:
        element.attrib.clear()
    return False


def is_article(text: Sequence[str], links: set[str]) -> bool:
    """Whether paragraphs make an article: long enough, prose, and no list of links."""
    weights = [_weight(paragraph) for paragraph in text]
    prose = [weight for paragraph, weight in zip(text, weights, strict=True) if _is_prose(paragraph, weight)]
    linked = sum(paragraph in links for paragraph in text)
    return (
        len(prose) >= 2
        and sum(weights) >= SHORTEST_TEXT
        and sum(prose) >= PROSE * sum(weights)
        and linked <= LINKED * len(text)
    )


def _is_prose(paragraph: str, weight: float) -> bool:
    return weight >= LONG and paragraph.endswith(SENTENCE_ENDS)


def _weight(paragraph: str) -> float:
    dense = sum("\u3040" <= character <= "\u9fff" for character in paragraph)
    return len(paragraph) + (SCRIPTS_WITHOUT_SPACES - 1) * dense
