"""What kind of place a name is, from the lists words/countries.txt and words/cities.txt."""

from functools import cache

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.wordlists import lines


def place_noun(name: str) -> str | None:
    """«страна» or «город», or None for a place that is in neither list."""
    folded = fold(name)
    return "страна" if folded in _names("countries") else "город" if folded in _names("cities") else None


def place_names() -> frozenset[str]:
    return _names("countries") | _names("cities")


@cache
def _names(which: str) -> frozenset[str]:
    return frozenset(fold(line) for line in lines(which))
