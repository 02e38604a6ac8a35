"""schema.org's articles as JSON-LD."""

import re
from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

from dragon_pipeline.adapters.web import payloads
from dragon_pipeline.adapters.web.payloads import Found, names, string

ARTICLE = re.compile(
    r"(?:^|/)(?:(?:News|Reportage|Analysis|Opinion|Review|Background|Report|Satirical|Tech|Scholarly|Advertiser\w+)?Article"
    r"|(?:Blog|LiveBlog|SocialMedia)Posting|Report)$"
)
NESTING = 6
CUT = ("…", "...", "[&hellip;]", "[…]")
NO = (False, "false", "no", "0")


def find(tree: HtmlElement) -> tuple[Found, bool]:
    """What the page's article says of itself, and whether it is for subscribers only."""
    blocks = tree.xpath("//script[@type='application/ld+json']/text()")
    found = [article for block in blocks for article in _articles(payloads.parse(_bare(block)))]
    article = max(found, key=lambda one: (bool(_text(one)), "headline" in one), default={})
    return {
        "title": string(article.get("headline")) or string(article.get("name")),
        "lead": string(article.get("description")),
        "text": _text(article),
        "author": names(article.get("author")),
        "section": names(article.get("articleSection")),
        "published_at": string(article.get("datePublished")),
        "modified_at": string(article.get("dateModified")),
    }, _is_locked(article)


def _bare(block: str) -> str:
    """Without the comment or CDATA marks in which some pages hide a script."""
    return re.sub(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*$", "", block)


def _articles(data: Any, depth: int = 0) -> Iterator[dict]:
    """Every article, also inside lists and `@graph`, and what a page is about; not those that it merely links."""
    if depth > NESTING:
        return
    if isinstance(data, list):
        for item in data:
            yield from _articles(item, depth + 1)
    elif isinstance(data, dict):
        if _is_article(data):
            yield data
        yield from _articles(data.get("@graph"), depth + 1)
        yield from _articles(data.get("mainEntity"), depth + 1)


def _is_article(data: dict) -> bool:
    kinds = data.get("@type")
    return any(isinstance(kind, str) and ARTICLE.search(kind) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def _text(article: dict) -> str | None:
    """Its body; of a live blog, all that came, in the order of time."""
    body = string(article.get("articleBody")) or ""
    updates = article.get("liveBlogUpdate")
    dated = [one for one in (updates if isinstance(updates, list) else [updates]) if isinstance(one, dict)]
    parts = [body, *(_update(one) for one in sorted(dated, key=lambda one: str(one.get("datePublished") or "")))]
    text = "\n".join(part for part in parts if part)
    return None if not dated and text.rstrip().endswith(CUT) else text or None


def _update(update: dict) -> str:
    headline, body = string(update.get("headline")) or "", string(update.get("articleBody")) or ""
    return body if body.startswith(headline) else "\n".join(part for part in (headline, body) if part)


def _is_locked(article: dict) -> bool:
    free = article.get("isAccessibleForFree")
    return (free.strip().lower() if isinstance(free, str) else free) in NO and free is not None
