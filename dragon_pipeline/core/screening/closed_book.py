"""The closed-book screen (paper §4.3.1): a question that a small model answers without the articles is too easy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.screens import not_configured


@dataclass(frozen=True)
class Recall:
    """What a model said from memory."""

    text: str | None
    """as it came where it could not be read; None: there was no reply"""
    reason: str | None = None
    """why there is no reply, or why it could not be read: as `ModelReply.reason`"""


class ClosedBook(Protocol):
    """A model that answers from memory: it is shown the question alone, no hint of the answer or its length."""

    name: str

    def answer(self, questions: Sequence[str]) -> Sequence[Recall]:
        """One per question, in order."""
        ...


class ClosedBookScreen:
    """Fails a question that any model answers with all gold answers; score: share of the models that did not.

    A reply that could not be read is searched for the answers as it came, but never passes a question: `unreadable_reply`. So
    does none that was lost; its reason comes first, for another run may get it.
    """

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

    def _verdict(self, case: Case, replies: Sequence[Recall]) -> Verdict:
        told = list(zip(self.models, replies, strict=True))
        knew = [model.name for model, reply in told if reply.text and self._knows(reply.text, case.qa["answers"])]
        score = 1 - len(knew) / len(self.models)
        if knew:
            return Verdict("failed", score, f"answered_without_context: {', '.join(knew)}")
        for model, reply in told:
            if reply.reason is not None and is_lost(reply.reason):
                return Verdict("not_run", reason=f"{reply.reason.split(':')[0]}: {model.name}")
        unread = [model.name for model, reply in told if reply.reason is not None]
        if unread:
            return Verdict("failed", reason=f"unreadable_reply: {', '.join(unread)}")
        return Verdict("passed", score)

    def _knows(self, reply: str, answers: Sequence[str]) -> bool:
        said = self.lemmas(reply)
        return bool(answers) and all(holds(said, self.lemmas(answer)) for answer in answers)
