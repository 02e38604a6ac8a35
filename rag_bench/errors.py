"""What can go wrong, as one tree.

RagBenchError               said to the user without a traceback
├── BadRun                  the results file cannot be scored; `.faults` names each entry and what is wrong
├── BadTable                a table of the release cannot be used as it is
├── BadRelease              the files of a release contradict its manifest, or each other
├── BadJournal              the journal of a run cannot be continued
├── UnknownMeasure          no measure or profile has this name
├── NotOnHub                the hub has no such namespace, dataset or version
├── Unreachable             a hub, portal or model server gives no answer
│   └── Refused             it answers, and says no; `.status`
├── MissingExtra            an optional package is not installed
└── TwoClients              the other distribution with the import name `rag_bench` is installed too

RagBenchWarning             what a user should know of a release that was loaded all the same
"""

from collections.abc import Sequence


class RagBenchError(Exception):
    """A failure with a message for people: what, where, what to do."""


class BadRun(RagBenchError):
    """A results file, or a run given as a mapping, cannot be scored."""

    def __init__(self, source: str, faults: Sequence[str], more: int = 0):
        self.source, self.faults, self.more = source, tuple(faults), more
        rest = f"\n  … and {more} more" if more else ""
        super().__init__(f"{source} cannot be scored:" + "".join(f"\n  {fault}" for fault in faults) + rest)

    def __reduce__(self) -> tuple:
        """For the way from one process to another."""
        return type(self), (self.source, self.faults, self.more)


class BadTable(RagBenchError):
    """A table of the release lacks a column, or contradicts another one."""


class BadRelease(RagBenchError):
    """The files of a release contradict its manifest, or each other."""


class BadJournal(RagBenchError):
    """The journal of a run cannot be continued."""


class UnknownMeasure(RagBenchError):
    """No measure or profile has this name."""


class NotOnHub(RagBenchError):
    """The hub does not hold what was asked for."""


class Unreachable(RagBenchError):
    """A hub, portal or model server gives no answer."""


class Refused(Unreachable):
    """A server answers, and says no."""

    def __init__(self, message: str, status: int):
        self.status = status
        super().__init__(message)


class MissingExtra(RagBenchError):
    """An optional package is not installed."""


class TwoClients(RagBenchError):
    """`rag-bench` and `dragon-rag-bench` are installed together."""


class RagBenchWarning(UserWarning):
    """What a user should know of a release that was loaded all the same: it was withdrawn, the hub was not asked, …"""
