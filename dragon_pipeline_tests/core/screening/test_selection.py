import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.records import QA, VERDICTS
from dragon_pipeline.core.screening.selection import select

OUTCOMES = st.sampled_from(["passed", "failed", "not_run"])


def question(qa_id, type="simple", reason=None):
    return {
        "qa_id": qa_id,
        "type": type,
        "question": None if reason else "Кто?",
        "answer": None if reason else "Он",
        "answers": ["Он"],
        "given": [],
        "bridge": None,
        "fact_ids": [],
        "article_ids": [],
        "direction": None,
        "cross_story": False,
        "one_article": True,
        "subgraph": "[]",
        "writer": "rules",
        "reason": reason,
        "raw": None,
    }


def verdict(qa_id, order, outcome, score=None, reason=None):
    return {"qa_id": qa_id, "order": order, "screen": f"s{order}", "outcome": outcome, "score": score, "reason": reason}


def chosen(questions, verdicts, per_type=150, required=()):
    return select(QA.frame(questions), VERDICTS.frame(verdicts), per_type, required)


@settings(deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(OUTCOMES, OUTCOMES), max_size=12), st.integers(1, 4))
def test_every_question_is_accepted_or_rejected_once(outcomes, per_type):
    rows = [verdict(qa_id, order, one) for qa_id, pair in outcomes.items() for order, one in enumerate(pair)]
    found = chosen([question(qa_id) for qa_id in outcomes], rows, per_type, ["s0"])
    ids = [*found.accepted["qa_id"], *found.rejected["qa_id"]]
    assert sorted(ids) == sorted(outcomes)
    assert found.accepted.height == min(per_type, sum(one == "passed" and two != "failed" for one, two in outcomes.values()))
    assert found.accepted["rank"].to_list() == list(range(1, found.accepted.height + 1))
    assert all(outcomes[qa_id][0] == "passed" and outcomes[qa_id][1] != "failed" for qa_id in found.accepted["qa_id"])


def test_the_first_screen_that_failed_gives_the_reason():
    rows = [verdict("a", 2, "failed", reason="late"), verdict("a", 0, "passed"), verdict("a", 1, "failed", reason="early: x")]
    found = chosen([question("a")], rows)
    assert found.rejected.select("screen", "because").rows() == [("s1", "early: x")]
    assert found.reasons == {"s1: early": 1}


@pytest.mark.parametrize(
    ("rows", "because"),
    [([verdict("a", 0, "not_run", reason="not_configured")], "not_run: not_configured"), ([], "not_run: no such screen")],
)
def test_a_required_screen_must_have_passed(rows, because):
    found = chosen([question("a")], rows, required=["s0"])
    assert found.rejected.select("screen", "because").rows() == [("s0", because)]


def test_a_screen_that_did_not_run_and_is_not_required_refuses_nothing():
    assert chosen([question("a")], [verdict("a", 0, "not_run", reason="not_configured")]).accepted.height == 1


def test_the_best_of_each_type_are_kept():
    questions = [question(qa_id, type) for type in ("set", "simple") for qa_id in (f"{type}1", f"{type}2", f"{type}3")]
    rows = [verdict(one["qa_id"], 0, "passed", 0.9 if one["qa_id"].endswith("3") else 0.5) for one in questions]
    found = chosen(questions, rows, per_type=2)
    assert found.accepted.select("qa_id", "rank").rows() == [("set3", 1), ("set1", 2), ("simple3", 1), ("simple1", 2)]
    assert set(found.rejected["screen"]) == {"quota"}


def test_what_was_not_written_keeps_the_writers_reason():
    found = chosen([question("a", reason="no_template")], [])
    assert found.rejected.select("screen", "because").rows() == [("writing", "no_template")]


def test_a_rejected_question_keeps_every_verdict_in_cost_order():
    rows = [
        verdict("a", 1, "failed", 0.2, "early: x"),
        verdict("a", 0, "passed", 0.9),
        verdict("a", 2, "not_run", reason="none"),
    ]
    rows[0]["evidence"] = '{"reply": "Осло"}'
    found = chosen([question("a")], rows)
    assert json.loads(found.rejected["verdicts"][0]) == [
        {"screen": "s0", "outcome": "passed", "score": 0.9, "reason": None, "evidence": None},
        {"screen": "s1", "outcome": "failed", "score": 0.2, "reason": "early: x", "evidence": '{"reply": "Осло"}'},
        {"screen": "s2", "outcome": "not_run", "score": None, "reason": "none", "evidence": None},
    ]


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_rows_in_any_order_give_the_same_tables(random):
    questions = [question(str(number), type) for number in range(6) for type in ("set", "simple")]
    questions = [{**one, "qa_id": one["qa_id"] + one["type"], "answers": [one["qa_id"]]} for one in questions]
    rows = [verdict(one["qa_id"], order, "passed", 0.5 + order / 4) for one in questions for order in range(3)]
    before = chosen(questions, rows, 4)
    random.shuffle(questions)
    random.shuffle(rows)
    after = select(QA.frame(questions).sample(fraction=1, shuffle=True, seed=1), VERDICTS.frame(rows), 4, ())
    assert after.accepted.equals(before.accepted) and after.rejected.equals(before.rejected)


def test_a_quota_takes_what_is_least_worth_and_says_so():
    questions = [{**question(one), "answers": [name]} for one, name in (("a", "x"), ("b", "x"), ("c", "y"))]
    found = chosen(questions, [verdict(one["qa_id"], 0, "passed", 0.9) for one in questions], per_type=2)
    assert found.accepted["qa_id"].to_list() == ["a", "c"]
    assert found.rejected.select("qa_id", "screen", "because").rows() == [("b", "quota", "rank: worth 0.880 behind 2 taken")]


def test_nothing_gives_two_empty_tables():
    found = chosen([], [])
    assert found.accepted.height == found.rejected.height == 0


def test_a_verdict_that_an_outage_took_keeps_the_question_out():
    """Required or not: the screen is configured, so whoever reads the release takes the question for judged."""
    rows = [verdict("a", 0, "passed"), verdict("a", 1, "not_run", reason="http_error: 503")]
    found = chosen([question("a")], rows, required=["s0"])
    assert found.rejected.select("screen", "because").rows() == [("s1", "not_run: http_error: 503")]
    rows = [verdict("a", 0, "passed"), verdict("a", 1, "not_run", reason="not_configured")]
    assert chosen([question("a")], rows, required=["s0"]).accepted.height == 1
