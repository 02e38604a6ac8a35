import polars as pl
import pytest

from dragon_pipeline.core.errors import BudgetSpent, SchemaMismatch
from dragon_pipeline.core.ports import Verdict
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA, VERDICTS
from dragon_pipeline.core.screening.screens import (
    NOT_APPLICABLE,
    build_cases,
    does_not_apply,
    lost_verdicts,
    run_screens,
    screens_that_ran,
)


class Fixed:
    """A screen that fails the questions it is told to."""

    def __init__(self, name, cheap, failing=()):
        self.name, self.cheap, self.failing, self.asked = name, cheap, failing, []

    def judge(self, cases):
        self.asked = [case.qa["question"] for case in cases]
        return [Verdict("failed", 0.0, "told_to") if one in self.failing else Verdict("passed", 1.0) for one in self.asked]


@pytest.fixture
def tables(case, fact):
    opened = [fact(("«Вектор»", "открыть завод в", town)) for town in ("Тула", "Омск")]
    cases = [case("simple", f"Что открыл «Вектор» {number}?", [one["tail"]], [one]) for number, one in enumerate(opened)]
    unwritten = {**cases[0].qa, "qa_id": "0" * 16, "question": None, "answer": None, "reason": "no_template"}
    facts = {row["fact_id"]: row for one in cases for row in one.facts}
    return (
        QA.frame([*(one.qa for one in cases), unwritten]),
        FACTS.frame(list(facts.values())),
        ARTICLES.frame(cases[0].articles[:1]),
        MENTIONS.frame(cases[0].mentions),
    )


def test_every_written_question_has_one_row_per_screen(tables):
    verdicts = run_screens(*tables, [Fixed("first", True), Fixed("second", False)])
    assert VERDICTS.check(verdicts).height == 4
    assert verdicts["screen"].to_list() == ["first", "second"] * 2


def test_an_expensive_screen_is_spared_what_failed(tables):
    asked = sorted(question for question in tables[0]["question"] if question)
    cheap, dear = Fixed("cheap", True), Fixed("dear", False)
    verdicts = run_screens(*tables, [Fixed("first", True, asked[:1]), cheap, dear])
    assert (sorted(cheap.asked), dear.asked) == (asked, asked[1:])
    assert verdicts.filter(pl.col("outcome") == "not_run")["reason"].to_list() == ["failed_earlier"]
    assert screens_that_ran(verdicts) == {"first": "ran", "cheap": "ran", "dear": "ran"}


def test_a_question_on_an_unknown_fact_is_refused(tables):
    qa, facts, articles, mentions = tables
    with pytest.raises(SchemaMismatch, match="does not hold"):
        build_cases(qa, facts.head(1), articles, mentions)


def test_the_order_of_the_rows_changes_nothing(tables):
    qa, facts, articles, mentions = tables
    screens = [Fixed("first", True)]
    turned = run_screens(qa.reverse(), facts.reverse(), articles.reverse(), mentions.reverse(), screens)
    assert turned.equals(run_screens(*tables, screens))


def test_a_screen_that_answers_too_little_is_an_error(tables):
    class Short(Fixed):
        def judge(self, cases):
            return list(super().judge(cases))[:-1]

    with pytest.raises(ValueError, match="verdicts for"):
        run_screens(*tables, [Short("short", True)])


@pytest.mark.parametrize(
    "verdict", [Verdict("failed", 0.0), Verdict("not_run"), Verdict("maybe", reason="who_knows")], ids=lambda one: one.outcome
)
def test_what_is_no_verdict_names_the_screen(tables, verdict):
    class Vague(Fixed):
        def judge(self, cases):
            return [verdict for _ in cases]

    with pytest.raises(ValueError, match="screen vague gave no verdict"):
        run_screens(*tables, [Vague("vague", True)])


class Broken(Fixed):
    def __init__(self, error):
        super().__init__("fragile", True)
        self.error = error

    def judge(self, cases):
        raise self.error


def test_a_screen_that_breaks_is_named(tables):
    with pytest.raises(RuntimeError, match="screen fragile broke: KeyError: 'tail'"):
        run_screens(*tables, [Fixed("first", True), Broken(KeyError("tail"))])


def test_a_spent_budget_stays_what_it_is_and_names_the_screen(tables):
    with pytest.raises(BudgetSpent) as caught:
        run_screens(*tables, [Broken(BudgetSpent("1,000 tokens are used up"))])
    assert caught.value.__notes__ == ["raised by screen fragile"]


@pytest.mark.parametrize(
    ("outcomes", "said"), [(["passed", "failed"], "ran"), (["not_run"] * 2, "not_run"), (["passed", "not_run"], "partly")]
)
def test_a_screen_says_whether_it_ran(outcomes, said):
    rows = [
        {"qa_id": str(number), "order": 0, "screen": "judge", "outcome": outcome, "score": None, "reason": "why"}
        for number, outcome in enumerate(outcomes)
    ]
    assert screens_that_ran(VERDICTS.frame(rows)) == {"judge": said}


def test_no_verdicts_no_screens():
    assert screens_that_ran(VERDICTS.empty()) == {}


def judged(screen, order, *told):
    return [
        {"qa_id": f"{number:02}", "order": order, "screen": screen, "outcome": outcome, "score": None, "reason": reason}
        for number, (outcome, reason) in enumerate(told)
    ]


def test_lost_verdicts_are_counted_of_those_that_were_asked_for():
    rows = [
        *judged("grammar", 0, ("passed", None), ("failed", "timeout"), ("passed", None), ("passed", None)),
        *judged("closed_book", 1, ("not_run", "timeout: m1"), ("not_run", "failed_earlier"), ("failed", "known"),
                ("passed", None)),
        *judged("judge_question_clarity", 2, ("not_run", "http_error: 503"), ("not_run", "failed_earlier"),
                ("not_run", "failed_earlier"), ("failed", "unreadable_score: invalid_json")),
        *judged("judge_answer_literacy", 3, *[("not_run", "not_configured")] * 2, *[("not_run", "rules_cannot_judge")] * 2),
    ]  # fmt: skip
    lost = lost_verdicts(VERDICTS.frame(rows))
    assert list(lost) == ["grammar", "closed_book", "judge_question_clarity"]
    assert [(one.asked, dict(one.reasons)) for one in lost.values()] == [(4, {}), (3, {"timeout": 1}), (2, {"http_error": 1})]
    assert lost["judge_question_clarity"].share == 0.5


def test_nothing_judged_is_nothing_lost():
    assert lost_verdicts(VERDICTS.empty()) == {}


def test_a_reply_that_cannot_be_read_is_not_lost():
    rows = judged("closed_book", 0, ("not_run", "unreadable_reply: m1"), ("not_run", None))
    assert lost_verdicts(VERDICTS.frame(rows))["closed_book"].share == 0


def test_a_question_that_a_screen_is_not_about_hides_no_outage():
    """A screen of multi-hop questions: one of two was lost, and the day's simple ones are no ballast."""
    rows = judged("multi_hop", 0, *[("passed", NOT_APPLICABLE)] * 8, ("not_run", "timeout"), ("passed", "one_article"))
    assert screens_that_ran(VERDICTS.frame(rows)) == {"multi_hop": "partly"}
    assert lost_verdicts(VERDICTS.frame(rows))["multi_hop"].share == 0.5
    all_lost = VERDICTS.frame(judged("multi_hop", 0, *[("passed", NOT_APPLICABLE)] * 8, ("not_run", "timeout")))
    assert screens_that_ran(all_lost) == {"multi_hop": "not_run"}


def test_a_screen_that_was_about_nothing_did_run():
    rows = judged("multi_hop", 0, *[("passed", NOT_APPLICABLE)] * 2, ("not_run", "failed_earlier"))
    assert screens_that_ran(VERDICTS.frame(rows)) == {"multi_hop": "ran"}
    assert lost_verdicts(VERDICTS.frame(rows)) == {}


def test_what_a_screen_is_not_about_passes_without_a_score():
    assert does_not_apply() == Verdict("passed", None, NOT_APPLICABLE)
