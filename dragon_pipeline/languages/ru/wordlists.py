"""The word lists of words/*.txt: words separated by white space, `#` starts a comment line."""

from functools import cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """The words of `words/<name>.txt`; lines that start with `- ` are another list, see `refused`."""
    return frozenset(word for line in lines(name) if not line.startswith("- ") for word in line.split())


@cache
def refused(name: str) -> frozenset[str]:
    return frozenset(word for line in lines(name) if line.startswith("- ") for word in line[2:].split())


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of `words/<name>.txt` without comments and blank ones."""
    text = (files("dragon_pipeline.languages.ru") / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
