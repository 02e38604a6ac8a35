from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.evaluation.sample import Sample, Wanted, allot, draw, judge_fates

QA = {"qa_id": pl.String, "type": pl.String, "question": pl.String, "answer": pl.String, "article_ids": pl.List(pl.String)}
VERDICTS = {"qa_id": pl.String, "screen": pl.String, "outcome": pl.String, "day": pl.String}


def qa(types: dict[str, int], day: str = "2025-09-01", article: str = "a1") -> pl.DataFrame:
    rows = [
        {"qa_id": f"{type_}{i}", "type": type_, "question": f"{type_} {i}?", "answer": "да", "article_ids": [article]}
        for type_, count in types.items()
        for i in range(count)
    ]
    return pl.DataFrame(rows, schema=QA).with_columns(day=pl.lit(day))


def verdicts(outcomes: dict[str, dict[str, str]], day: str = "2025-09-01") -> pl.DataFrame:
    rows = [
        {"qa_id": qa_id, "screen": screen, "outcome": outcome, "day": day}
        for qa_id, of in outcomes.items()
        for screen, outcome in of.items()
    ]
    return pl.DataFrame(rows, schema=VERDICTS)


def judged(types: dict[str, int], failed: dict[str, int]) -> pl.DataFrame:
    """Of each type the first so many failed by the judge."""
    return verdicts(
        {
            f"{type_}{i}": {"judge_clarity": "failed" if i < failed.get(type_, 0) else "passed"}
            for type_, count in types.items()
            for i in range(count)
        }
    )


def types_of(sample: Sample) -> Counter[str]:
    return Counter(one.type for one in sample.questions)


def test_types_and_fates_are_balanced():
    types = {"simple": 100, "set": 40, "multi_hop": 60}
    sample = draw(qa(types), judged(types, {"simple": 50, "set": 20, "multi_hop": 30}), frozenset({"a1"}), Wanted(60, 0, 0.5))
    assert types_of(sample) == {"simple": 20, "set": 20, "multi_hop": 20}
    assert set(sample.drawn.values()) == {10}
    assert sample.held["rejected", "simple"] == 50


def test_what_is_scarce_is_taken_whole_and_the_rest_fills_up():
    types = {"simple": 100, "set": 4}
    sample = draw(qa(types), judged(types, {"simple": 3}), frozenset({"a1"}), Wanted(50, 0, 0.5))
    assert sample.drawn == {("accepted", "set"): 4, ("accepted", "simple"): 43, ("rejected", "simple"): 3}


def test_without_a_judge_types_alone_are_balanced():
    sample = draw(qa({"simple": 50, "set": 50}), verdicts({}), frozenset({"a1"}), Wanted(20, 0, 0.5))
    assert types_of(sample) == {"simple": 10, "set": 10}
    assert {fate for fate, _ in sample.held} == {"not_judged"}


def test_a_question_is_rejected_by_one_failed_criterion_and_by_no_other_screen():
    told = verdicts(
        {
            "one": {"grammar": "failed", "judge_a": "passed", "judge_b": "not_run"},
            "two": {"grammar": "passed", "judge_a": "passed", "judge_b": "failed"},
            "three": {"grammar": "passed", "judge_a": "not_run"},
        }
    )
    assert judge_fates(told) == {"one": "accepted", "two": "rejected"}


def test_the_last_day_of_a_question_counts():
    frames = [qa({"simple": 1}, day, article) for day, article in (("2025-09-02", "new"), ("2025-09-01", "old"))]
    told = [verdicts({"simple0": {"judge_a": of}}, day) for day, of in (("2025-09-01", "failed"), ("2025-09-02", "passed"))]
    sample = draw(pl.concat(frames), pl.concat(told), frozenset({"old", "new"}), Wanted(5, 0, 0.5))
    assert [one.article_ids for one in sample.questions] == [("new",)]
    assert sample.drawn == {("accepted", "simple"): 1}


def test_what_cannot_be_shown_is_left_out_with_the_reason():
    frame = pl.concat([qa({"simple": 3}), qa({"set": 2}, article="lost"), qa({"conditional": 1})])
    frame = frame.with_columns(question=pl.when(pl.col("qa_id") == "simple0").then(None).otherwise(pl.col("question")))
    sample = draw(frame, judged({"simple": 3, "set": 2}, {}), frozenset({"a1"}), Wanted(9, 0, 0.5))
    assert sorted(one.qa_id for one in sample.questions) == ["simple1", "simple2"]
    assert sample.left_out == {"not_written": 1, "no_article": 2, "not_judged": 1}


def test_the_seed_decides_and_the_order_of_rows_does_not():
    types = {"simple": 60, "set": 60}
    frame, told, wanted = qa(types), judged(types, {"simple": 20, "set": 20}), Wanted(30, 4, 0.5)
    once = draw(frame, told, frozenset({"a1"}), wanted)
    assert draw(frame.reverse(), told.reverse(), frozenset({"a1"}), wanted) == once
    assert draw(frame, told, frozenset({"a1"}), Wanted(30, 5, 0.5)).questions != once.questions


def test_the_order_tells_neither_fate_nor_type():
    types = {"simple": 100, "set": 100}
    sample = draw(qa(types), judged(types, {"simple": 50, "set": 50}), frozenset({"a1"}), Wanted(100, 0, 0.5))
    first = sample.questions[:50]
    assert 15 <= sum(one.type == "set" for one in first) <= 35
    assert 15 <= sum(int(one.qa_id.strip("simplet")) < 50 for one in first) <= 35


strata = st.dictionaries(
    st.tuples(st.sampled_from(["accepted", "rejected"]), st.sampled_from(["simple", "set", "multi_hop"])), st.integers(0, 40)
)


@given(strata, st.integers(1, 150), st.floats(0, 1))
def test_exactly_so_many_are_allotted_as_there_are(held, number: int, share: float):
    parts = allot(held, Wanted(number, 0, share))
    assert sum(parts.values()) == min(number, sum(held.values()))
    assert all(parts[stratum] <= held[stratum] for stratum in held)
    for fate in ("accepted", "rejected"):
        open_ones = [parts[stratum] for stratum in held if stratum[0] == fate and parts[stratum] < held[stratum]]
        whole = [parts[stratum] for stratum in held if stratum[0] == fate and parts[stratum] == held[stratum]]
        assert not open_ones or max(open_ones + whole) <= min(open_ones) + 1


@pytest.mark.parametrize(("share", "rejected"), [(0, 0), (0.25, 5), (1, 20)])
def test_the_share_of_rejected_is_as_asked(share: float, rejected: int):
    parts = allot({("accepted", "set"): 50, ("rejected", "set"): 50}, Wanted(20, 0, share))
    assert parts["rejected", "set"] == rejected
