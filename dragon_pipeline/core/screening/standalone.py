"""The standalone screen: a question is read without the article, so nothing in it may point at one."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from dragon_pipeline.core.ports import Case, Verdict


class Pointing(Protocol):
    """A language's eye for words that only the article explains."""

    def __call__(self, question: str, /) -> str | None:
        """The first such word, as `no_referent: …` (a pronoun, «там», «этот»), `bare_noun: …` («команда» that is not said to be
        which) or `relative_date: …` («вчера»); None when the question stands alone."""
        ...


class Identifying(Protocol):
    """A language's eye for what a question by itself does not show: people whom it does not tell, news that are none."""

    def __call__(self, case: Case, /) -> str | None:
        """What is wrong, as `stranger: …` (somebody who may be anybody) or `long_ago: …`; None when nothing is."""
        ...


class StandaloneScreen:
    """Fails a question that points at something outside itself, or names somebody who may be anybody.

    There is no more or less of it, so there is no score.
    """

    name = "standalone"
    cheap = True

    def __init__(self, pointing: Pointing, *identifying: Identifying):
        self.pointing, self.identifying = pointing, identifying

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        return [self._verdict(case) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        found = self.pointing(case.qa["question"]) or next((why for look in self.identifying if (why := look(case))), None)
        return Verdict("failed", reason=found) if found else Verdict("passed")
