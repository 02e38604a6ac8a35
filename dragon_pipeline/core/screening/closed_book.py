"""The closed-book screen (paper §4.3.1): a question that a small model answers without the articles is too easy."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.screens import not_configured


class ClosedBook(Protocol):
    """A model that answers from memory: it is shown the question alone, no hint of the answer or its length."""

    name: str

    def answer(self, questions: Sequence[str]) -> Sequence[str | None]:
        """One answer per question; None where the model could not be asked."""
        ...


class ClosedBookScreen:
    """Fails a question that any model answers with all gold answers; score: share of the models that did not."""

    name = "closed_book"
    cheap = False

    def __init__(self, models: Sequence[ClosedBook], lemmas: Lemmas):
        self.models = models
        self.lemmas = words_only(lemmas)

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        if not self.models:
            return not_configured(cases)
        questions = [case.qa["question"] for case in cases]
        replies = [list(model.answer(questions)) for model in self.models]
        return [self._verdict(case, [reply[place] for reply in replies]) for place, case in enumerate(cases)]

    def _verdict(self, case: Case, replies: Sequence[str | None]) -> Verdict:
        knew = [
            model.name
            for model, reply in zip(self.models, replies, strict=True)
            if reply is not None and self._knows(reply, case.qa["answers"])
        ]
        score = 1 - len(knew) / len(self.models)
        if knew:
            return Verdict("failed", score, f"answered_without_context: {', '.join(knew)}")
        silent = [model.name for model, reply in zip(self.models, replies, strict=True) if reply is None]
        if silent:
            return Verdict("not_run", reason=f"no_reply: {', '.join(silent)}")
        return Verdict("passed", score)

    def _knows(self, reply: str, answers: Sequence[str]) -> bool:
        said = self.lemmas(reply)
        return bool(answers) and all(holds(said, self.lemmas(answer)) for answer in answers)
