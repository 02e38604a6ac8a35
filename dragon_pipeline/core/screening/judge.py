"""The judge: eight screens, one per criterion of the paper's Appendix D, each rating 0 to 2 and passing from 1."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from dragon_pipeline.core.ports import Case, Screen, Verdict
from dragon_pipeline.core.screening.screens import RULES_CANNOT_JUDGE, not_configured

CRITERIA = (
    "question_literacy",
    "question_clarity",
    "question_naturalness",
    "context_sufficiency",
    "context_necessity",
    "answer_literacy",
    "answer_correctness",
    "answer_uniqueness",
)
"""In the order in which they are judged."""

ANSWER_CRITERIA = frozenset({"answer_literacy", "answer_correctness", "answer_uniqueness"})
"""Only these are shown the answer (paper §4.3.3)."""

BEST, POSITIVE, WORST = 2.0, 1.0, 0.0
UNREADABLE = "unreadable_score"


@dataclass(frozen=True)
class Rating:
    score: float | None
    """0 to 2; None when it could not be rated"""
    reason: str | None = None
    """why it is not the best score, or why there is none; a snake_case word, details after a colon. A judgement that cannot
    be read (`unreadable_score`) fails the question; one that was not made for another reason is `not_run`."""
    evidence: str | None = field(default=None, compare=False)
    """what it rests on, where there is something to show: a model's reply as JSON"""


class Judge(Protocol):
    """Rates questions by the criteria it knows."""

    name: str

    @property
    def cheap(self) -> bool: ...

    @property
    def criteria(self) -> Sequence[str]:
        """Those it can judge."""
        ...

    def rate(self, criterion: str, cases: Sequence[Case]) -> Sequence[Rating]:
        """One rating per case, in order. The context is every gold article of the case. For a criterion about the question or
        the context the answer has been taken off `qa` (`hide_answer`)."""
        ...


class JudgeScreen:
    """One criterion as a screen. No judge: `not_configured`; a criterion that the judge does not know: `rules_cannot_judge`."""

    def __init__(self, criterion: str, judge: Judge | None):
        if criterion not in CRITERIA:
            raise ValueError(f"unknown criterion {criterion!r}; one of {', '.join(CRITERIA)}")
        self.criterion = criterion
        self.reviewer = judge
        self.name = f"judge_{criterion}"
        self.cheap = judge is None or judge.cheap

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        if self.reviewer is None:
            return not_configured(cases)
        if self.criterion not in self.reviewer.criteria:
            return [Verdict("not_run", reason=RULES_CANNOT_JUDGE) for _ in cases]
        shown = list(cases) if self.criterion in ANSWER_CRITERIA else [hide_answer(case) for case in cases]
        return [_verdict(rating) for rating in self.reviewer.rate(self.criterion, shown)]


def judge_screens(judge: Judge | None) -> list[Screen]:
    """The eight screens, in the order of `CRITERIA`."""
    return [JudgeScreen(criterion, judge) for criterion in CRITERIA]


class Rule(Protocol):
    def __call__(self, case: Case, /) -> Rating: ...


class RuleJudge:
    """Judges the criteria for which there is a rule."""

    name = "rules"
    cheap = True

    def __init__(self, rules: Mapping[str, Rule]):
        self.rules = dict(rules)
        self.criteria = tuple(criterion for criterion in CRITERIA if criterion in rules)

    def rate(self, criterion: str, cases: Sequence[Case]) -> Sequence[Rating]:
        return [self.rules[criterion](case) for case in cases]


class GuardedJudge:
    """A judge whose criteria rules guard: what a rule refuses is refused with the rule's reason, and the rest is asked.

    Rules see what no prompt can hold (every fact of the window, exact offsets) and cost nothing; a rule that is content
    leaves the rating to the judge.
    """

    def __init__(self, judge: Judge, rules: RuleJudge) -> None:
        self.guarded = judge
        self.rules = rules
        self.name = judge.name
        self.cheap = judge.cheap
        self.criteria = tuple(name for name in CRITERIA if name in judge.criteria or name in rules.criteria)

    def rate(self, criterion: str, cases: Sequence[Case]) -> Sequence[Rating]:
        by_rule = list(self.rules.rate(criterion, cases)) if criterion in self.rules.criteria else [None] * len(cases)
        if criterion not in self.guarded.criteria:
            return [rating or Rating(None, RULES_CANNOT_JUDGE) for rating in by_rule]
        refused = {place: rating for place, rating in enumerate(by_rule) if rating is not None and _refuses(rating)}
        asked = [place for place in range(len(cases)) if place not in refused]
        rated = self.guarded.rate(criterion, [cases[place] for place in asked])
        found = {**refused, **dict(zip(asked, rated, strict=True))}
        return [found[place] for place in range(len(cases))]


def _refuses(rating: Rating) -> bool:
    return rating.score is not None and rating.score < POSITIVE


def hide_answer(case: Case) -> Case:
    """The case as a judge of question or context may see it: `qa` without the answer and the subgraph that gives it away.

    `facts` stay, because a rule checks them against the articles; a model's prompt is made of the question and the articles.
    """
    return replace(case, qa={**case.qa, "answer": None, "answers": [], "subgraph": "[]", "bridge": None, "given": []})


_SCORE = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)?)(?:\s*(?:/|из|out of)\s*(\d+))?(?![\d.,]*\d)")


def read_score(text: str | None) -> float | None:
    """The rating in a model's reply: its only number, `1.5`, `1,5`, `2/2` or `2 из 2`, with or without text around it.

    None when there is none, when there are several that differ, or when it is outside 0 to 2 or out of another whole than 2:
    a caller makes that `unreadable_score`, never a rating.
    """
    found = {(float(value.replace(",", ".")), whole or "2") for value, whole in _SCORE.findall(text or "")}
    if len(found) != 1:
        return None
    value, whole = found.pop()
    return value if whole == "2" and WORST <= value <= BEST and not re.search(r"[-−–]\s*\d", text or "") else None


def _verdict(rating: Rating) -> Verdict:
    if rating.score is None:
        unreadable = rating.reason is None or rating.reason.split(":")[0] == UNREADABLE
        outcome = "failed" if unreadable else "not_run"
        return Verdict(outcome, reason=rating.reason or UNREADABLE, evidence=rating.evidence)
    outcome = "passed" if rating.score >= POSITIVE else "failed"
    return Verdict(outcome, rating.score, rating.reason if outcome == "failed" else None, rating.evidence)
