"""Numbers, money, measures and dates of Russian texts as quantities."""

from dragon_pipeline.core.questions.quantities import Quantity


def quantity(kind: str, text: str) -> Quantity | None:
    """The value of a node of kind NUMBER, YEAR or DATE; None when it cannot be compared."""
    return None
