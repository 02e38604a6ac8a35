"""The closed-book screen (paper §4.3.1): a question that a small model answers without the articles is too easy."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.answers import AnswerMatch, Values
from dragon_pipeline.core.screening.lemmas import Lemmas
from dragon_pipeline.core.screening.replies import as_evidence
from dragon_pipeline.core.screening.screens import not_configured

_WORD = re.compile(r"\w+")


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


class Guesser(Protocol):
    """A reader who has read other articles than the question's."""

    name: str

    def guess(self, case: Case) -> Sequence[str]:
        """Names that it would try, from what it knows without the gold articles of the case; it looks at the question alone."""
        ...


class ClosedBookScreen:
    """Fails a question that any model answers with all gold answers; score: share of the models that did not. A guesser's
    guesses are tried one by one, and it is no model: without one there is no score.

    Replies are compared as `AnswerMatch` does. One that could not be read is searched for the answers as it came, but never
    passes a question: `unreadable_reply`. So does none that was lost; its reason comes first, for another run may get it. The
    evidence is JSON: [{model, reply, knew}], with `turned` for comparisons.

    A *comparison* names two, of which one is the answer: who tosses a coin is right half the time, and of a panel of two, three
    quarters of such questions would go out by luck. So it is asked twice, with the two names in either order, and a model knew
    only what it says both times. That rules out who always takes the first, and halves the luck of any other guess; a model
    that prefers the better known name both times still counts as knowing, for so a reader would guess too. Where the names
    cannot change places without other changes to the words, it is asked once and what is right counts: losing a question is
    better than publishing one that is known.
    """

    name = "closed_book"
    cheap = False

    def __init__(
        self,
        models: Sequence[ClosedBook],
        lemmas: Lemmas,
        quantity: Values | None = None,
        guesser: Guesser | None = None,
    ):
        self.models, self.guesser = models, guesser
        self.match = AnswerMatch(lemmas, quantity)

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        if not self.models and self.guesser is None:
            return not_configured(cases)
        questions = [case.qa["question"] for case in cases]
        turns = [turned(case.qa["question"], case.qa["given"]) if case.qa["type"] == "comparison" else None for case in cases]
        places = {place: number for number, place in enumerate((i for i, turn in enumerate(turns) if turn), len(cases))}
        asked = [*questions, *(turn for turn in turns if turn)]
        replies = [list(model.answer(asked)) for model in self.models]
        return [
            self._verdict(case, [[reply[place], *([reply[places[place]]] if place in places else [])] for reply in replies])
            for place, case in enumerate(cases)
        ]

    def _verdict(self, case: Case, replies: Sequence[Sequence[Recall]]) -> Verdict:
        """`replies`: of each model one, or two for a question that was turned."""
        told = list(zip((model.name for model in self.models), replies, strict=True))
        knew = [all(self.match.gives(one.text, case) for one in said) for said in replies]
        score = 1 - sum(knew) / len(self.models) if self.models else None
        shown = [_shown(name, said, known) for (name, said), known in zip(told, knew, strict=True)]
        who = [name for (name, _), known in zip(told, knew, strict=True) if known]
        if self.guesser is not None:
            guesses = list(self.guesser.guess(case))
            guessed = any(self.match.gives(guess, case) and _is_whole(guess, case) for guess in guesses)
            shown.append({"model": self.guesser.name, "reply": "; ".join(guesses) or None, "knew": guessed})
            who += [self.guesser.name] if guessed else []
        evidence = as_evidence(shown)
        if who:
            names = ", ".join(who)
            return Verdict("failed", score, f"answered_without_context: {names}", evidence)
        for name, said in told:
            for one in said:
                if one.reason is not None and is_lost(one.reason):
                    return Verdict("not_run", reason=f"{one.reason.split(':')[0]}: {name}", evidence=evidence)
        unread = [name for name, said in told if any(one.reason is not None for one in said)]
        if unread:
            return Verdict("failed", reason=f"unreadable_reply: {', '.join(unread)}", evidence=evidence)
        return Verdict("passed", score, evidence=evidence)


def _is_whole(guess: str, case: Case) -> bool:
    """Whether a guess is the answer from its first word to its last: «Бэррон Трамп» is not guessed by «Дональд Трамп»."""
    return any(_ends(guess) == _ends(answer) for answer in case.qa["answers"])


def _ends(name: str) -> tuple[str, str]:
    said = _WORD.findall(name.lower().replace("ё", "е")) or [""]
    return said[0], said[-1]


def turned(question: str, names: Sequence[str]) -> str | None:
    """The question with its two names in each other's place; None when they do not stand in it once each, as they are, with at
    most a word between them («А или Б»)."""
    if len(names) != 2 or any(len(_places(question, name)) != 1 for name in names):
        return None
    (first, start), (second, stop) = sorted(((name, _places(question, name)[0]) for name in names), key=lambda pair: pair[1])
    between = question[start + len(first) : stop]
    if stop < start + len(first) or len(_WORD.findall(between)) > 1:
        return None
    return question[:start] + second + between + first + question[stop + len(second) :]


def _places(question: str, name: str) -> list[int]:
    """Where the name stands as whole words."""
    return [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question)] if name else []


def _shown(name: str, said: Sequence[Recall], knew: bool) -> dict[str, str | bool | None]:
    replies = [one.text if one.text is not None else one.reason for one in said]
    return {"model": name, "reply": replies[0], **({"turned": replies[1]} if len(replies) > 1 else {}), "knew": knew}
