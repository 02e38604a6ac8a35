import json
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.screening.ranking import PENALTIES, quality, rank, shared, tier

NAMES = st.lists(st.sampled_from("abcd"), max_size=3, unique=True)


def question(qa_id, entities=(), stories=(), relations=(), type="simple", cross_story=False, one_article=False):
    return {
        "qa_id": qa_id,
        "type": type,
        "answers": list(entities),
        "given": [],
        "bridge": None,
        "article_ids": list(stories),
        "subgraph": json.dumps([{"relation": one, "relation_id": None} for one in relations]),
        "cross_story": cross_story,
        "one_article": one_article,
    }


QUESTIONS = st.lists(
    st.builds(
        question,
        st.uuids().map(str),
        NAMES,
        NAMES,
        NAMES,
        type=st.just("multi_hop"),
        cross_story=st.booleans(),
        one_article=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda one: one["qa_id"],
)
QUALITIES = st.integers(0, 4).map(lambda step: 900_000 + 25_000 * step)


def by_the_book(questions, qualities, places):
    """The same order from the definition alone: every worth anew for every place."""
    left, taken = list(questions), []
    while left and len(taken) < places:

        def most(one, kind):
            return max((sum(name in shared(other)[kind] for other in taken) for name in shared(one)[kind]), default=0)

        def worth(one):
            return qualities[one["qa_id"]] - sum(cost * most(one, kind) for kind, cost in PENALTIES.items())

        best = min(left, key=lambda one: (tier(one), -worth(one), one["qa_id"]))
        taken.append(best)
        left.remove(best)
    return [one["qa_id"] for one in taken]


@settings(deadline=None)
@given(QUESTIONS, st.data(), st.integers(1, 14))
def test_every_place_goes_to_what_is_worth_most_beside_those_taken(questions, data, places):
    qualities = {one["qa_id"]: data.draw(QUALITIES) for one in questions}
    taken, left = rank(questions, qualities, places)
    assert [one.qa_id for one in taken] == by_the_book(questions, qualities, places)
    assert sorted(one.qa_id for one in [*taken, *left]) == sorted(qualities)
    assert len(taken) == min(places, len(questions)), "diversity orders, it drops nothing"


@settings(deadline=None)
@given(QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_the_rows(questions, random):
    qualities = {one["qa_id"]: 900_000 for one in questions}
    before = rank(questions, qualities, 5)
    random.shuffle(questions)
    assert rank(questions, qualities, 5) == before


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(1, 8), st.data())
def test_among_equals_no_entity_takes_more_than_its_share(entities, each, data):
    questions = [question(f"{e}-{n}", [f"entity {e}"], [f"story {e} {n}"], ["r"]) for e in range(entities) for n in range(each)]
    places = data.draw(st.integers(1, len(questions)))
    taken, _ = rank(questions, {one["qa_id"]: 900_000 for one in questions}, places)
    counts = [sum(one.qa_id.startswith(f"{e}-") for one in taken) for e in range(entities)]
    assert max(counts) <= ceil(places / entities)


@settings(max_examples=30, deadline=None)
@given(st.lists(QUALITIES, min_size=1, max_size=20))
def test_strangers_stand_by_quality(qualities):
    questions = [question(f"{n:02}", [f"entity {n}"], [f"story {n}"], [f"relation {n}"]) for n in range(len(qualities))]
    taken, _ = rank(questions, {f"{n:02}": one for n, one in enumerate(qualities)}, len(questions))
    assert [one.quality for one in taken] == sorted(qualities, reverse=True)
    assert all(one.worth == one.quality for one in taken)


@pytest.mark.parametrize("kind", ["entities", "stories", "relations"])
def test_a_second_one_of_the_same_stands_behind_a_slightly_worse_other(kind):
    questions = [question("a", **{kind: ["x"]}), question("b", **{kind: ["x"]}), question("c", **{kind: ["y"]})]
    taken, _ = rank(questions, {"a": 950_000, "b": 949_000, "c": 948_500}, 3)
    assert [one.qa_id for one in taken] == ["a", "c", "b"]


def test_one_that_is_far_better_stands_before_another_entity():
    questions = [question("a", ["x"]), question("b", ["x"]), question("c", ["y"])]
    taken, _ = rank(questions, {"a": 950_000, "b": 940_000, "c": 700_000}, 3)
    assert [one.qa_id for one in taken] == ["a", "b", "c"]


def test_hops_over_two_stories_come_first_and_those_inside_one_article_last():
    questions = [
        question("inside", type="multi_hop", one_article=True),
        question("mates", type="multi_hop"),
        question("across", type="multi_hop", cross_story=True),
    ]
    taken, _ = rank(questions, {"inside": 1_000_000, "mates": 900_000, "across": 700_000}, 3)
    assert [one.qa_id for one in taken] == ["across", "mates", "inside"]
    assert [one.worth for one in taken] == [700_000, 900_000, 1_000_000]


def test_the_parts_of_a_worth_can_be_read():
    taken, _ = rank([question("a", ["x"], ["s"], ["r"]), question("b", ["x"], ["s"], ["r"])], {"a": 900_000, "b": 900_000}, 2)
    assert json.loads(taken[1].as_json()) == {
        "tier": 0, "quality": 0.9, "entity": 1, "story": 1, "relation": 1, "worth": 0.858,
    }  # fmt: skip


def test_a_judge_s_rating_counts_on_the_scale_of_the_others():
    rows = [("grammar", "passed", 0.8), ("judge_question_clarity", "passed", 2.0), ("judge_answer_literacy", "passed", 1.0)]
    verdicts = [{"screen": screen, "outcome": outcome, "score": score} for screen, outcome, score in rows]
    assert quality(verdicts) == 766_667


def test_what_did_not_run_and_what_measures_nothing_is_no_quality():
    rows = [("closed_book", "not_run", None), ("duplicates", "passed", None), ("grammar", "passed", 0.7)]
    verdicts = [{"screen": screen, "outcome": outcome, "score": score} for screen, outcome, score in rows]
    assert quality(verdicts) == 700_000
    assert quality([]) == 0


def test_one_bridge_is_asked_three_times_and_for_one_answer_once():
    rows = [
        {**question(f"q{i}", [f"answer {i // 2}"], type="multi_hop", cross_story=True), "bridge": "Франция"} for i in range(10)
    ]
    taken, left = rank(rows, {row["qa_id"]: 900_000 for row in rows}, 150)
    assert len(taken) == 3
    assert len(left) == 7
    by_id = {row["qa_id"]: row for row in rows}
    assert len({by_id[one.qa_id]["answers"][0] for one in taken}) == 3


def test_one_act_is_asked_beside_one_post_and_best_as_its_own_article_tells_it():
    rows = [
        {**question(f"c{post}{act}", ["Анна"], type="conditional", one_article=post == "b"), "bridge": "Анна",
         "fact_ids": [post, act]}
        for post in "abc" for act in "xy"
    ]  # fmt: skip
    taken, _ = rank(rows, {row["qa_id"]: 900_000 for row in rows}, 150)
    assert [one.qa_id for one in taken] == ["cbx", "cby"]


def test_nobody_is_compared_more_than_twice_a_day():
    pairs = [("Анна", other) for other in "АБВГД"] + [("Олег", "Пётр")]
    rows = [{**question(f"c{n}", [two[0]], type="comparison"), "given": list(two)} for n, two in enumerate(pairs)]
    taken, left = rank(rows, {row["qa_id"]: 900_000 for row in rows}, 150)
    by_id = {row["qa_id"]: row for row in rows}
    assert sorted(by_id[one.qa_id]["given"][0] for one in taken) == ["Анна", "Анна", "Олег"]
    assert len(left) == 3


def test_no_relation_has_more_than_a_third_of_the_simple_questions_of_a_day():
    posts = [question(f"p{n:02}", [f"p{n}"], [f"p{n}"], ["holds"]) for n in range(20)]
    events = [question(f"e{n:02}", [f"e{n}"], [f"e{n}"], [f"did {n}"]) for n in range(10)]
    qualities = {one["qa_id"]: 900_000 for one in [*posts, *events]}
    taken, left = rank([*posts, *events], qualities, 150)
    assert sorted(one.qa_id for one in taken if one.qa_id[0] == "e") == [one["qa_id"] for one in events]
    assert len(taken) == 15
    assert len(left) == 15
    others = [{**one, "type": "conditional"} for one in [*posts, *events]]
    assert len(rank(others, qualities, 150)[0]) == 30, "of other types there are too few"
