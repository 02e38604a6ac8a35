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


class StandaloneScreen:
    """Fails a question that points at something outside itself. There is no more or less of it, so there is no score."""

    name = "standalone"
    cheap = True

    def __init__(self, pointing: Pointing):
        self.pointing = pointing

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        return [self._verdict(case.qa["question"]) for case in cases]

    def _verdict(self, question: str) -> Verdict:
        found = self.pointing(question)
        return Verdict("failed", reason=found) if found else Verdict("passed")
