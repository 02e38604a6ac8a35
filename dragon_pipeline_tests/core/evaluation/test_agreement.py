from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.evaluation.agreement import Rule, is_good, measure
from dragon_pipeline.core.evaluation.annotations import ACCEPTED, Annotation, read_value

CRITERIA = ("clarity", "fluff")


def said(values: dict[str, list[bool]], criterion: str = "clarity") -> list[Annotation]:
    return [Annotation(item, f"a{i}", criterion, good) for item, of in values.items() for i, good in enumerate(of)]


def test_half_of_the_annotators_is_enough_by_one_rule_and_not_by_the_other():
    assert is_good([True, False], "half")
    assert not is_good([True, False], "majority")
    assert is_good([True, True, False], "majority")
    assert not is_good([True, False, False], "half")


def test_precision_and_recall_of_a_small_table():
    people = said({"q1": [True], "q2": [True], "q3": [True], "q4": [False], "q5": [False]})
    judge = {("q1", "clarity"): True, ("q2", "clarity"): False, ("q3", "clarity"): True, ("q4", "clarity"): True}
    told = measure(people, judge, CRITERIA)[0]
    assert (told.precision.hits, told.precision.n) == (2, 3)
    assert (told.recall.hits, told.recall.n) == (2, 3)
    assert (told.accuracy.hits, told.accuracy.n) == (2, 4)
    assert told.f1 == pytest.approx(2 / 3)
    assert (told.items, told.judged, told.not_judged) == (5, 4, 1)
    assert told.good.value == 0.6


def test_what_is_undefined_has_a_reason_and_is_never_zero():
    none_passed = measure(said({"q1": [True]}), {("q1", "clarity"): False}, ["clarity"])[0]
    assert (none_passed.precision.value, none_passed.precision.reason) == (None, "judge_passed_none")
    assert (none_passed.recall.value, none_passed.f1) == (0, 0)
    none_good = measure(said({"q1": [False]}), {("q1", "clarity"): True}, ["clarity"])[0]
    assert (none_good.recall.value, none_good.recall.reason) == (None, "annotators_passed_none")
    neither = measure(said({"q1": [False]}), {("q1", "clarity"): False}, ["clarity"])[0]
    assert (neither.f1, neither.accuracy.value) == (None, 1)


def test_a_criterion_that_nobody_annotated_or_judged_says_so():
    unjudged, unannotated = measure(said({"q1": [True]}), {}, CRITERIA)
    assert {unjudged.precision.reason, unjudged.recall.reason, unjudged.accuracy.reason} == {"not_judged"}
    assert {unannotated.precision.reason, unannotated.good.reason, unannotated.accuracy.reason} == {"not_annotated"}
    assert (unjudged.not_judged, unannotated.items) == (1, 0)


def test_criteria_are_data():
    told = measure(said({"q1": [True]}, "fluff"), {("q1", "fluff"): True}, ["fluff", "completeness"])
    assert [one.criterion for one in told] == ["fluff", "completeness"]
    assert told[0].precision.value == 1


some_answers = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.tuples(st.lists(st.booleans(), min_size=1, max_size=4), st.sampled_from([True, False, None])),
)


@given(some_answers, st.sampled_from(["half", "majority"]))
def test_numbers_are_what_counting_by_hand_gives(answers: dict[str, tuple[list[bool], bool | None]], rule: Rule):
    people = said({item: values for item, (values, _) in answers.items()})
    judge = {(item, "clarity"): passed for item, (_, passed) in answers.items() if passed is not None}
    told = measure(people, judge, ["clarity"], rule)[0]

    cells = {(by_judge, good): 0 for by_judge in (True, False) for good in (True, False)}
    for values, passed in answers.values():
        share = values.count(True) / len(values)
        if passed is not None:
            cells[passed, share >= 0.5 if rule == "half" else share > 0.5] += 1
    both, only_judge, only_people, neither = (
        cells[cell] for cell in ((True, True), (True, False), (False, True), (False, False))
    )
    assert told.precision.value == (both / (both + only_judge) if both + only_judge else None)
    assert told.recall.value == (both / (both + only_people) if both + only_people else None)
    assert told.accuracy.value == ((both + neither) / sum(cells.values()) if any(cells.values()) else None)
    assert told.judged == sum(cells.values())


@given(some_answers, st.randoms(use_true_random=False))
def test_order_and_names_of_annotators_and_items_change_nothing(answers, random):
    people = said({item: values for item, (values, _) in answers.items()})
    judge = {(item, "clarity"): passed for item, (_, passed) in answers.items() if passed is not None}
    items = {item: f"other-{item}" for item in random.sample("abcdefgh", 8)}
    other = [
        Annotation(items[one.item], one.annotator[::-1], one.criterion, one.good) for one in random.sample(people, len(people))
    ]
    assert measure(other, {(items[item], name): of for (item, name), of in judge.items()}, CRITERIA) == measure(
        people, judge, CRITERIA
    )


@pytest.mark.parametrize("text", ["1", "yes", "Да", " хорошо ", "Good", "TRUE"])
def test_good_in_every_spelling(text: str):
    assert read_value(text)


@pytest.mark.parametrize("text", ["0", "No", "нет", "Плохо", "not  good", "Не хорошо"])
def test_not_good_in_every_spelling(text: str):
    assert not read_value(text)


@pytest.mark.parametrize("text", ["", "2", "1.5", "может быть", "10", "да/нет", "хорошо, но"])
def test_anything_else_is_refused(text: str):
    with pytest.raises(ValueError, match="neither good nor not good"):
        read_value(text)


def test_every_value_named_as_accepted_is():
    words = [word.strip() for part in ACCEPTED.split(",") for word in part.split(" or ")]
    assert [read_value(word) for word in words] == [True, False] * (len(words) // 2)
    assert all(first != second for first, second in pairwise(words))
