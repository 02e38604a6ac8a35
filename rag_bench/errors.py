"""What can go wrong, as one tree.

RagBenchError               said to the user without a traceback
├── BadRun                  the results file cannot be scored; `.faults` names each entry and what is wrong
├── BadTable                a table of the release cannot be used as it is
├── UnknownMeasure          no measure or profile has this name
├── NotOnHub                the hub has no such namespace, dataset or version
├── MissingExtra            an optional package is not installed
└── TwoClients              the other distribution with the import name `rag_bench` is installed too
"""

from collections.abc import Sequence


class RagBenchError(Exception):
    """A failure with a message for people: what, where, what to do."""


class BadRun(RagBenchError):
    """A results file, or a run given as a mapping, cannot be scored."""

    def __init__(self, source: str, faults: Sequence[str], more: int = 0):
        self.faults = tuple(faults)
        rest = f"\n  … and {more} more" if more else ""
        super().__init__(f"{source} cannot be scored:" + "".join(f"\n  {fault}" for fault in faults) + rest)


class BadTable(RagBenchError):
    """A table of the release lacks a column, or contradicts another one."""


class UnknownMeasure(RagBenchError):
    """No measure or profile has this name."""


class NotOnHub(RagBenchError):
    """The hub does not hold what was asked for."""


class MissingExtra(RagBenchError):
    """An optional package is not installed."""


class TwoClients(RagBenchError):
    """`rag-bench` and `dragon-rag-bench` are installed together."""
