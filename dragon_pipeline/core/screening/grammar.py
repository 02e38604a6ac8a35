"""The grammar screen (paper §4.3.1): is the question well formed?"""

from collections.abc import Iterable, Sequence

from dragon_pipeline.core.ports import Case, GrammarCheck, Verdict
from dragon_pipeline.core.screening.screens import not_configured


class GrammarScreen:
    """Passes a question without a hard fault whose acceptability is at least the threshold.

    The score is the acceptability, 0 to 1. `check` is the embedded check of the language or a classifier; None: not configured.
    """

    name = "grammar"
    cheap = True

    def __init__(self, check: GrammarCheck | None, threshold: float = 0.7):
        self.check = check
        self.threshold = threshold

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        if self.check is None:
            return not_configured(cases)
        found = self.check.check([case.qa["question"] for case in cases])
        return [self._verdict(grammar.acceptable, grammar.fault) for grammar in found]

    def _verdict(self, acceptable: float, fault: str | None) -> Verdict:
        if fault:
            return Verdict("failed", acceptable, fault)
        if acceptable < self.threshold:
            return Verdict("failed", acceptable, f"unacceptable: below {self.threshold:g}")
        return Verdict("passed", acceptable)
