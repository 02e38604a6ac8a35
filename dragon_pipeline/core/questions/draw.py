"""What a draw of subgraphs takes from outside."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Draw:
    seed: int
    lemmas: Callable[[str], list[str]]
    """the language's lemmatiser: words of a text in order"""
