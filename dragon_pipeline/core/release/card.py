"""Dataset cards, from the templates beside this module."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from dragon_pipeline.core.release.tables import DATASETS

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render_card(dataset: str, manifest: dict[str, Any], rows: int, table: str, opened: bool = False) -> bytes:
    """README.md of one dataset. It names no version: the tag does.

    Args:
        manifest: the public part is shown.
        table: hash over the table's files. It stands in the config's `description`, because `datasets` 5.2 finds a local folder
            in its cache by the folder's last name and the configs alone: without it, the first version read would be given
            for ever, to other hubs too.
        opened: it is a private dataset of a closed version that is made public.
    """
    shown = {"sandbox": False, **manifest}
    prefix = "sandbox_" if shown["sandbox"] else ""
    name = dataset.replace("private", "opened") if opened else f"{prefix}{dataset}"
    size = next((size for limit, size in SIZES if rows < limit), "n>1M")
    told = {
        "manifest": shown,
        "rows": rows,
        "table": table,
        "size": size,
        "opened": opened,
        "title": f"DRAGON {name.replace('_', ' ')}",
        "parts": [f"{prefix}{part}" for part in DATASETS],
    }
    return _templates().get_template(f"{dataset}.md.j2").render(**told).encode()


@cache
def _templates() -> Environment:
    loader = PackageLoader("dragon_pipeline.core.release", "templates")
    made = Environment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        autoescape=False,  # Markdown; names from outside pass through `code`
    )  # fmt: skip
    made.filters["code"] = _code
    made.filters["plain"] = _plain
    return made


def _code(name: object) -> str:
    """A name from outside as inline code that cannot break out of its line or table cell."""
    return f"`{_plain(name)}`"


def _plain(name: object) -> str:
    plain = "".join(" " if sign in "`|<>{}" or not sign.isprintable() else sign for sign in str(name))
    return " ".join(plain.split()) or " "
