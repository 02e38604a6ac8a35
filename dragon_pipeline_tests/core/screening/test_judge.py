import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.screening.judge import (
    ANSWER_CRITERIA,
    CRITERIA,
    JudgeScreen,
    Rating,
    RuleJudge,
    judge_screens,
    read_score,
)


class Watching:
    """A judge that remembers what it was shown."""

    name, cheap, criteria = "watching", False, CRITERIA

    def __init__(self, score=2.0):
        self.shown, self.score = {}, score

    def rate(self, criterion, cases):
        self.shown[criterion] = list(cases)
        return [Rating(self.score, None if self.score else "bad") for _ in cases]


@pytest.fixture
def one(case, fact):
    opened = fact(("«Вектор»", "открыть завод в", "Тула"))
    return case("simple", "Где открыл завод «Вектор»?", ["Тула"], [opened])


def test_the_answer_is_shown_only_to_the_answer_criteria(one):
    judge = Watching()
    for screen in judge_screens(judge):
        list(screen.judge([one]))
    for criterion, (shown,) in judge.shown.items():
        seen = "Тула" in str({name: shown.qa[name] for name in ("answer", "answers", "subgraph")})
        assert seen == (criterion in ANSWER_CRITERIA)
    assert set(judge.shown) == set(CRITERIA)


@pytest.mark.parametrize(
    ("score", "outcome"), [(0.0, "failed"), (0.99, "failed"), (1.0, "passed"), (2.0, "passed"), (None, "not_run")]
)
def test_one_is_positive(one, score, outcome):
    (found,) = JudgeScreen("question_clarity", Watching(score)).judge([one])
    assert (found.outcome, found.score) == (outcome, score)
    assert (found.reason is None) == (outcome == "passed") or outcome == "failed"


def test_a_criterion_without_a_rule_says_so(one):
    (found,) = JudgeScreen("question_naturalness", RuleJudge({"question_clarity": lambda case: Rating(2.0)})).judge([one])
    assert (found.outcome, found.reason) == ("not_run", "rules_cannot_judge")


def test_no_judge_is_not_configured(one):
    assert {found.reason for screen in judge_screens(None) for found in screen.judge([one])} == {"not_configured"}


def test_an_unknown_criterion_is_refused():
    with pytest.raises(ValueError, match="unknown criterion"):
        JudgeScreen("beauty", None)


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("2", 2.0),
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("2/2", 2.0),
        ("\n1\n", 1.0),
        ("Оценка: 0", 0.0),
        ("1 из 2", 1.0),
        ("15", None),
        ("22", None),
        ("-1", None),
        ("1/5", None),
        ("1 или 2", None),
        ("", None),
        (None, None),
        ("хорошо", None),
        ("1.5.2", None),
    ],
)
def test_a_score_is_read_as_written(reply, score):
    assert read_score(reply) == score


@given(st.floats(0, 2).map(lambda value: round(value, 2)))
def test_every_score_on_the_scale_is_read_back(value):
    assert read_score(f"Балл: {value} .") == value


@given(st.text())
def test_reading_never_leaves_the_scale(reply):
    score = read_score(reply)
    assert score is None or 0 <= score <= 2
