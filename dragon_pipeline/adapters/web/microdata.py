"""schema.org's articles as microdata: `itemprop` attributes on what the reader sees."""

from lxml.html import HtmlElement

from dragon_pipeline.adapters.web.json_ld import ARTICLE, NO
from dragon_pipeline.adapters.web.payloads import Found
from dragon_pipeline.adapters.web.tree import line, paragraphs

FIELDS = {
    "headline": "title",
    "description": "lead",
    "articleBody": "text",
    "author": "author",
    "articleSection": "section",
    "datePublished": "published_at",
    "dateModified": "modified_at",
}
VALUES = ("content", "datetime")


def find(tree: HtmlElement) -> tuple[Found, bool]:
    """What the page's article says of itself, and whether it is for subscribers only."""
    scopes = [scope for scope in tree.xpath("//*[@itemscope][@itemtype]") if ARTICLE.search(scope.get("itemtype", "").strip())]
    items = [(scope, _item(scope)) for scope in scopes]
    scope, item = max(items, key=lambda one: ("text" in one[1], "title" in one[1]), default=(None, {}))
    return item, scope is not None and _is_locked(scope)


def _item(scope: HtmlElement) -> dict[str, str | list[str]]:
    item: dict[str, str | list[str]] = {}
    for node in scope.xpath(".//*[@itemprop]"):
        for prop in node.get("itemprop", "").split():
            name = FIELDS.get(prop)
            if name and name not in item and (value := _value(node, name)):
                item[name] = value
    return item


def _value(node: HtmlElement, name: str) -> str | list[str] | None:
    given = next((value for key in VALUES if (value := node.get(key))), None)
    if given or name == "text":
        return given or paragraphs(node)
    named = node.xpath(".//*[@itemprop='name']") if name == "author" else []
    return ", ".join(filter(None, (one.get("content") or line(one) for one in named))) or line(node)


def _is_locked(scope: HtmlElement) -> bool:
    told = scope.xpath(".//*[@itemprop='isAccessibleForFree']")
    return any((node.get("content") or line(node)).strip().lower() in NO for node in told)
