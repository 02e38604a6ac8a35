"""Dataset cards, from the templates beside this module."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render_card(dataset: str, manifest: dict[str, Any], rows: int, table: str) -> bytes:
    """README.md of one dataset. It names no version: the tag does.

    Args:
        table: SHA-256 of the table's file. It stands in the config's `description`, because `datasets` 5.2 finds a local folder
            in its cache by the folder's last name and the configs alone: without it, the first version read would be given
            for ever, to other hubs too.
    """
    size = next((name for limit, name in SIZES if rows < limit), "n>1M")
    text = (
        _templates()
        .get_template(f"{dataset}.md.j2")
        .render(dataset=dataset, manifest=manifest, rows=rows, size=size, table=table)
    )
    return text.encode()


@cache
def _templates() -> Environment:
    loader = PackageLoader("dragon_pipeline.core.release", "templates")
    made = Environment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        autoescape=False,  # Markdown; names from outside pass through `code`
    )  # fmt: skip
    made.filters["code"] = _code
    return made


def _code(name: object) -> str:
    """A name from outside as inline code that cannot break out of its line or table cell."""
    plain = "".join(" " if sign in "`|<>" or not sign.isprintable() else sign for sign in str(name))
    return f"`{' '.join(plain.split()) or ' '}`"
