"""What `<meta>` tags say of an article: OpenGraph and its kin. They know titles and dates, never the text."""

from lxml.html import HtmlElement

from dragon_pipeline.adapters.web.payloads import Found
from dragon_pipeline.adapters.web.tree import line

FIELDS = {
    "title": ("og:title", "twitter:title"),
    "lead": ("og:description", "description"),
    "author": ("author", "article:author", "mediator_author"),
    "section": ("article:section",),
    "published_at": ("article:published_time", "og:article:published_time", "mediator_published_time", "date", "pubdate"),
    "modified_at": ("article:modified_time", "og:updated_time", "og:article:modified_time"),
}
LOCKED = ("article:content_tier", "locked")


def find(tree: HtmlElement) -> tuple[Found, bool]:
    """What the tags say, with the only `<h1>`, else `<title>`, for a missing title; and whether it is for subscribers only."""
    tags: dict[str, str] = {}
    for tag in tree.xpath("//meta[@content][@property or @name]"):
        tags.setdefault((tag.get("property") or tag.get("name")).strip().lower(), tag.get("content"))
    found: dict[str, str | None] = {
        field: next((tags[name] for name in names if tags.get(name, "").strip()), None) for field, names in FIELDS.items()
    }
    if (found["author"] or "").startswith(("http:", "https:")):
        found["author"] = None
    found["title"] = found["title"] or _title(tree)
    return found, tags.get(LOCKED[0]) == LOCKED[1]


def _title(tree: HtmlElement) -> str | None:
    headings = tree.xpath("//h1")
    return line(headings[0]) if len(headings) == 1 else next((line(title) for title in tree.xpath("//head/title")), None)
