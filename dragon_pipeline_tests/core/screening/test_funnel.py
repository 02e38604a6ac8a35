import json
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.errors import SchemaMismatch
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.records import ARTICLES, FACTS, FUNNEL, QA, SUBGRAPHS, TRIPLETS, VERDICTS
from dragon_pipeline.core.screening.funnel import ALL, Corpus, Screened, build_funnel, lost, question_funnel
from dragon_pipeline.core.screening.selection import select

SCREENS = ("grammar", "entities", "judge_answer_literacy")
VERDICT = st.sampled_from(
    [("passed", None), ("failed", "bad: x"), ("failed", "worse"), ("not_run", "not_configured"), ("passed", "not_applicable")]
)


def row(table, **values):
    blank = {pl.String(): "", pl.Int64(): 0, pl.Float64(): 0.0, pl.Boolean(): False, pl.List(pl.String()): []}
    return {name: None if column.null else blank[column.dtype] for name, column in table.columns.items()} | values


def article(id):
    return row(ARTICLES, article_id=id)


def triplet(id, article_id, reason=None, status=None):
    return row(
        TRIPLETS, triplet_id=id, article_id=article_id, status=status or ("dropped" if reason else "kept"), reason=reason
    )


def fact(id, article_id, novelty="novel", held_back=None, says="x"):
    return row(
        FACTS, fact_id=f"f{id}", triplet_id=id, article_id=article_id, novelty=novelty, held_back=held_back, head_id=says
    )


def question(id, type, facts=(), reason=None):
    values = {"qa_id": id, "type": type, "fact_ids": list(facts), "subgraph": "[]"}
    written = row(QA, **values, question=None if reason else "Кто?", answer=None if reason else "Он", reason=reason)
    return row(SUBGRAPHS, **values), written


def verdicts_of(id, told):
    return [
        row(VERDICTS, qa_id=id, order=order, screen=SCREENS[order], outcome=outcome, score=None, reason=reason)
        for order, (outcome, reason) in enumerate(told)
    ]


def screened(questions, verdicts, per_type=2, required=()):
    subgraphs, qa = SUBGRAPHS.frame([one for one, _ in questions]), QA.frame([one for _, one in questions])
    frame = VERDICTS.frame(verdicts)
    chosen = select(qa, frame, per_type, required)
    return Screened(subgraphs, qa, frame, chosen.accepted, chosen.rejected)


@st.composite
def days(draw):
    """A day's tables as the flow makes them: facts of kept triplets, subgraphs of facts, verdicts of written questions."""
    articles = [f"a{number}" for number in range(draw(st.integers(0, 3)))]
    triplets, facts = [], []
    for number in range(draw(st.integers(0, 6)) if articles else 0):
        of = draw(st.sampled_from(articles))
        reason = draw(st.sampled_from([None, None, "short", "gaps: x"]))
        triplets.append(triplet(f"t{number}", of, reason))
        if reason is None and draw(st.booleans()):
            novelty = draw(st.sampled_from(["novel", "novel", "known", "unsure"]))
            held_back = draw(st.sampled_from([None, None, "undated"]))
            facts.append(fact(f"t{number}", of, novelty, held_back, draw(st.sampled_from("xyz"))))
    ids = [one["fact_id"] for one in facts] + ["of the day before"]
    questions, verdicts = [], []
    for number in range(draw(st.integers(0, 8))):
        reason = draw(st.sampled_from([None, None, None, "no_words: x"]))
        drawn = draw(st.lists(st.sampled_from(ids), max_size=2, unique=True))
        questions.append(question(f"q{number}", draw(st.sampled_from(TYPES[:3])), drawn, reason))
        if reason is None:
            verdicts += verdicts_of(f"q{number}", draw(st.tuples(VERDICT, VERDICT, VERDICT)))
    required = draw(st.lists(st.sampled_from(["grammar", "missing"]), unique=True))
    corpus = Corpus(ARTICLES.frame([article(id) for id in articles]), TRIPLETS.frame(triplets), FACTS.frame(facts))
    return corpus, screened(questions, verdicts, draw(st.integers(1, 3)), required)


@settings(max_examples=150, deadline=None)
@given(days(), st.integers(1, 3))
def test_what_came_in_went_on_or_was_lost_for_a_reason(day, per_type):
    corpus, questions = day
    rows = FUNNEL.check(build_funnel(corpus, questions, per_type)).to_dicts()
    for one in rows:
        assert one["rows_in"] == one["rows_out"] + sum(lost(one).values())
        assert min(one["rows_out"], *lost(one).values(), one["rows_in"]) >= 0
        assert 0 not in lost(one).values() and "" not in lost(one)
    for type_ in (ALL, *TYPES):
        flow = [one for one in rows if one["type"] == type_ and one["order"] >= 4]
        assert [one["order"] for one in flow] == list(range(4, 4 + len(flow)))
        assert all(after["rows_in"] == before["rows_out"] for before, after in pairwise(flow))
        of = questions.of(type_)
        assert (flow[0]["rows_in"], flow[-1]["rows_out"]) == (of.qa.height, of.accepted.height)
        assert all(one["failed"] >= sum(n for why, n in lost(one).items() if why != "not_run") for one in flow[1:-1])
    by_stage = {
        stage: [one for one in rows if one["stage"] == stage and one["type"] != ALL] for stage in ("questions", "accepted")
    }
    for stage, of_types in by_stage.items():
        (total,) = [one for one in rows if one["stage"] == stage and one["type"] == ALL]
        assert total["rows_in"] == sum(one["rows_in"] for one in of_types)
        assert total["rows_out"] == sum(one["rows_out"] for one in of_types)


@settings(deadline=None)
@given(days())
def test_rows_in_any_order_give_the_same_funnel(day):
    corpus, questions = day

    def mixed(frame):
        return frame.sample(fraction=1, shuffle=True, seed=7)

    other = Corpus(mixed(corpus.articles), mixed(corpus.triplets), mixed(corpus.facts))
    frames = (questions.subgraphs, questions.qa, questions.verdicts, questions.accepted, questions.rejected)
    assert build_funnel(corpus, questions, 2).equals(build_funnel(other, Screened(*map(mixed, frames)), 2))


def stage(funnel, name, type=ALL):
    return funnel.filter(stage=name, type=type).row(0, named=True)


@pytest.fixture
def corpus():
    articles = ["all", "none", "dropped", "known"]
    triplets = [
        triplet("t1", "all"), triplet("t2", "all"), triplet("t3", "all", "short"), triplet("t4", "all"),
        triplet("t5", "dropped", "gaps: x"), triplet("t6", "known"), triplet("t7", "known"), triplet("t8", "all"),
        triplet("t9", "dropped", "invalid_json", "failed"),
    ]  # fmt: skip
    facts = [
        fact("t1", "all", says="one"), fact("t4", "all", says="one"), fact("t8", "all", says="other"),
        fact("t6", "known", "known"), fact("t7", "known", held_back="undated: вчера"),
    ]  # fmt: skip
    return Corpus(ARTICLES.frame([article(id) for id in articles]), TRIPLETS.frame(triplets), FACTS.frame(facts))


def test_each_stage_before_the_questions_says_why_it_lost_what(corpus):
    funnel = build_funnel(corpus, screened([question("q", "simple", ["ft1", "earlier"])], verdicts_of("q", [])), 2)
    told = {name: stage(funnel, name) for name in ("articles", "triplets", "facts", "subgraphs")}
    assert {name: (one["rows_in"], one["rows_out"]) for name, one in told.items()} == {
        "articles": (4, 1), "triplets": (9, 6), "facts": (6, 3), "subgraphs": (3, 1),
    }  # fmt: skip
    assert lost(told["articles"]) == {"nothing_found": 1, "nothing_kept": 1, "nothing_to_ask": 1}
    assert lost(told["triplets"]) == {"gaps": 1, "invalid_json": 1, "short": 1}
    assert lost(told["facts"]) == {"known": 1, "said_before_in_the_article": 1, "undated": 1}
    assert lost(told["subgraphs"]) == {"not_drawn": 1, "same_as_drawn": 1}
    assert lost(stage(funnel, "subgraphs", "set")) == {"not_drawn": 3}


def test_a_question_is_lost_at_the_first_screen_that_failed_it_and_counted_at_each():
    told = {"a": [("failed", "bad: x"), ("failed", "worse")], "b": [("passed", None), ("failed", "worse")]}
    funnel = question_funnel(
        screened([question(id, "set") for id in told], [one for id in told for one in verdicts_of(id, told[id])]), 2
    )
    grammar, entities = stage(funnel, "grammar", "set"), stage(funnel, "entities", "set")
    assert (lost(grammar), grammar["failed"]) == ({"bad": 1}, 1)
    assert (lost(entities), entities["failed"]) == ({"worse": 1}, 2)


@pytest.mark.parametrize(
    ("told", "state", "note"),
    [
        ([("passed", None)], "ran", None),
        ([("not_run", "not_configured")], "not_run", "not_configured 1"),
        ([("passed", "not_applicable")], "not_applicable", None),
        ([("not_run", "failed_earlier")], "none_left", None),
        ([], "none_left", None),
    ],
)
def test_a_screen_that_did_not_run_is_not_shown_as_passed(told, state, note):
    rows = verdicts_of("a", told) + verdicts_of("b", [("passed", None)])
    funnel = question_funnel(screened([question("a", "set"), question("b", "simple")], rows), 2)
    assert {name: stage(funnel, "grammar", "set")[name] for name in ("state", "note")} == {"state": state, "note": note}


def test_a_screen_that_ran_for_some_says_so():
    rows = verdicts_of("a", [("not_run", "timeout: 3 s")]) + verdicts_of("b", [("passed", None)])
    told = stage(question_funnel(screened([question("a", "set"), question("b", "set")], rows), 2), "grammar")
    assert (told["state"], told["note"], told["rows_out"]) == ("partly", "timeout 1", 1)


def test_a_required_screen_that_is_not_there_loses_the_questions():
    told = stage(question_funnel(screened([question("a", "set")], [], required=["grammar"]), 2), "grammar")
    assert (told["state"], told["note"], lost(told)) == ("not_run", "no such screen", {"not_run": 1})


def test_a_type_with_fewer_than_its_quota_says_why():
    questions = [question(f"{n}", "set", reason=None if n else "no_words") for n in range(4)]
    rows = [one for n in range(1, 4) for one in verdicts_of(f"{n}", [("failed" if n == 1 else "passed", "bad")])]
    notes = {
        per_type: stage(question_funnel(screened(questions, rows, per_type), per_type), "accepted", "set")["note"]
        for per_type in (2, 3, 5)
    }
    assert notes == {
        2: None,
        3: "2 of 3: 4 drawn, too few from grammar on; lost: grammar 1, questions 1",
        5: "2 of 5: only 4 drawn; lost: grammar 1, questions 1",
    }
    funnel = question_funnel(screened(questions, rows), 2)
    assert stage(funnel, "accepted", "comparison")["note"] == "0 of 2: none drawn"
    assert stage(funnel, "accepted")["note"] is None


def test_tables_of_two_selections_are_refused():
    one = screened([question("a", "set")], [])
    with pytest.raises(SchemaMismatch, match="do not make up qa"):
        question_funnel(Screened(one.subgraphs, one.qa, one.verdicts, one.accepted.clear(), one.rejected), 2)


def test_a_day_of_nothing_has_a_funnel_of_zeros():
    funnel = build_funnel(Corpus(ARTICLES.empty(), TRIPLETS.empty(), FACTS.empty()), screened([], []), 2)
    assert funnel["rows_in"].sum() == 0
    assert set(funnel["type"]) == {ALL, *TYPES}
    assert json.loads(funnel["lost"][0]) == {}
