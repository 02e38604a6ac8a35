"""What can go wrong, as one tree.

DragonError                 said to the user without a traceback
├── BadInput                the user's file, flag or setting; names where and what to do
├── SchemaMismatch          a table that crosses a stage has other columns than declared
├── MissingDay              a hole in a window of days
├── HomeBusy                another run holds the home
├── Unreachable             a server that a step needs does not answer, or not as it must
├── BudgetSpent             the run's budget of tokens or money is used up; what was answered is kept
├── NothingToPublish        the day is done, and there is nothing to publish (exit code 3)
└── PublicationFailed       the hub refused, or did not hold what was written
    └── PublicationConflict another publisher was there before this one
"""


class DragonError(Exception):
    """A failure with a message for people: what, where, what to do."""


class BadInput(DragonError):
    """The user's input cannot be used."""


class SchemaMismatch(DragonError):
    """A table does not have the declared columns."""


class MissingDay(DragonError):
    """A day inside a window was never materialised."""


class HomeBusy(DragonError):
    """Another process is working on this home."""


class Unreachable(DragonError):
    """A server does not answer, or not as it must; names it, and says what to do."""


class BudgetSpent(DragonError):
    """The budget of a run is used up. What was answered is kept: the next run goes on from there."""


class NothingToPublish(DragonError):
    """Finished, with nothing to publish."""


class PublicationFailed(DragonError):
    """The hub did not take the release, or gave back something else."""


class PublicationConflict(PublicationFailed):
    """Another publisher has written to the hub meanwhile; what this one asked for was not done."""
