"""A parsed page: parsing, selecting, and the text of its nodes. Nothing in a page makes any of it raise or recurse."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from lxml.etree import LxmlError, XPath, fromstring, iterwalk
from lxml.html import HtmlElement, HTMLParser
from parsel.csstranslator import HTMLTranslator

NEVER_TEXT = frozenset({"script", "style", "noscript", "iframe", "template", "svg", "button", "select", "textarea"})
BLOCKS = frozenset(
    """address article aside blockquote body br center dd details div dl dt fieldset figure footer h1 h2 h3 h4 h5 h6 header hr
    html li main nav ol p pre section summary table tbody td tfoot th thead tr ul""".split()
)
UNSTORABLE = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Node = HtmlElement | str


def parse(text: str) -> HtmlElement:
    """The page's tree; of what is no page an empty one."""
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except LxmlError:
        root = None
    return root if root is not None else fromstring(b"<html/>", parser)


def select(tree: HtmlElement, css: str) -> list[Node]:
    """Elements, or strings where the selector asks for `::text` or `::attr(…)`."""
    return _compiled(css)(tree)  # type: ignore[return-value]


@lru_cache(maxsize=4_096)
def _compiled(css: str) -> XPath:
    return XPath(HTMLTranslator().css_to_xpath(css))


def drop(nodes: Sequence[Any]) -> None:
    """Cuts elements out; the text after them stays."""
    for node in nodes:
        if isinstance(node, HtmlElement) and node.getparent() is not None:
            node.drop_tree()


def line(node: Node) -> str:
    """A node's text on one line."""
    return " ".join(paragraphs(node))


def paragraphs(node: Node) -> list[str]:
    """A node's text, one line for each block, line break or item in it; captions and scripts are no text."""
    if isinstance(node, str):
        return [text] if (text := tidy(node)) else []
    lines: list[list[str]] = [[]]
    skipped = 0
    for event, element in iterwalk(node, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else "!"
        silent = tag in NEVER_TEXT or tag in ("!", "figcaption")
        if tag in BLOCKS and lines[-1]:
            lines.append([])
        if event == "start":
            skipped += silent
            if not skipped and element.text:
                lines[-1].append(element.text)
        else:
            skipped -= silent
            if not skipped and element.tail and element is not node:
                lines[-1].append(element.tail)
    return [text for parts in lines if (text := tidy("".join(parts)))]


def outermost(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes without those that lie in one before them."""
    taken: set[Any] = set()
    for node in nodes:
        if isinstance(node, str) or not any(above in taken for above in node.iterancestors()):
            taken.add(node)
            yield node


def tidy(text: str | None) -> str | None:
    """On one line, without control characters and lone surrogates, which no table can hold; None when nothing is left."""
    if text is None:
        return None
    if UNSTORABLE.search(text):
        text = UNSTORABLE.sub(" ", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return " ".join(text.split()) or None
