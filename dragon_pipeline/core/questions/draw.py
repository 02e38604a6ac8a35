"""What a draw of subgraphs takes from outside."""

from collections.abc import Callable
from dataclasses import dataclass

from dragon_pipeline.core.questions.quantities import Quantity


@dataclass(frozen=True)
class Draw:
    seed: int
    lemmas: Callable[[str], list[str]]
    """the language's lemmatiser: words of a text in order"""
    quantity: Callable[[str, str], Quantity | None]
    """(kind of a node, its text) → its value; None when it is none, or not one that can be compared"""
