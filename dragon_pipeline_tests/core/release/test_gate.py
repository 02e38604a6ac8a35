"""The release tests its own gate: what was judged by nobody leaves the house in no case."""

import pytest

from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.records import ACCEPTED, VERDICTS
from dragon_pipeline.core.release.gate import refuse_outage, withhold
from dragon_pipeline.core.settings import Settings


def more_verdicts(day, screen, *told):
    """The day's verdicts with those of another screen, one for each accepted question, in their order."""
    rows = [
        {"qa_id": id, "order": 9, "screen": screen, "outcome": outcome, "score": None, "reason": reason}
        for id, (outcome, reason) in zip(day.accepted["qa_id"], told, strict=True)
    ]
    return VERDICTS.frame([*day.verdicts.iter_rows(named=True), *rows])


PASSED = ("passed", None)


@pytest.mark.parametrize("reason", ["timeout", "no_connection", "http_error: 503", "given_up", "rate_limited: m1"])
def test_an_outage_above_the_share_refuses_the_whole_day(day, reason):
    """A screen that nobody requires, for a question that is not among the accepted: its model was away all the same."""
    verdicts = more_verdicts(day, "closed_book", ("not_run", reason), PASSED, PASSED, PASSED)
    with pytest.raises(Unreachable, match=r"closed_book .* 25\.0% of its 4 questions, allowed are 5\.0% .*again"):
        day.vary(verdicts=verdicts, accepted=day.accepted.tail(3)).build()


def test_an_outage_within_the_share_withholds_what_it_took(day):
    lost = day.accepted["qa_id"][0]
    verdicts = more_verdicts(day, "closed_book", ("not_run", "timeout: m1"), PASSED, PASSED, PASSED)
    refuse_outage(verdicts, 0.25)
    assert withhold(day.accepted, day.articles, verdicts, ["grammar"]).reasons == {lost: "verdict_lost"}
    lenient = Settings.model_validate({**day.settings.model_dump(exclude={"models"}), "models": {"lost_share": 0.25}})
    assert not day.vary(verdicts=verdicts, settings=lenient).build().is_empty()


def test_an_outage_refuses_a_day_without_accepted_questions_too(day):
    """Else it would be told as a day with nothing to publish, and never be run again."""
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "no_connection")] * 4)
    with pytest.raises(Unreachable):
        day.vary(verdicts=verdicts, accepted=ACCEPTED.empty()).build()


def test_garbage_is_no_outage(day):
    """A judge that cannot be read fails its questions: nothing to publish, and nothing to run again."""
    verdicts = more_verdicts(day, "judge_question_clarity", *[("failed", "unreadable_score: invalid_json")] * 4)
    assert day.vary(verdicts=verdicts).build().is_empty()
    assert set(withhold(day.accepted, day.articles, verdicts, []).counts) == {"not_screened"}
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "unreadable_reply: m1")] * 4)
    required = Settings.model_validate({**day.settings.model_dump(), "screens": {"required": ["grammar", "closed_book"]}})
    assert day.vary(verdicts=verdicts, settings=required).build().is_empty()


def test_a_screen_that_is_not_configured_is_no_outage(day):
    verdicts = more_verdicts(day, "closed_book", *[("not_run", "not_configured")] * 4)
    assert not day.vary(verdicts=verdicts).build().is_empty()
