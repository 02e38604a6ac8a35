import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.evaluation import evaluate
from rag_bench.profiles import PROFILES
from rag_bench.runs import Answer

TEXTS = [{"id": f"t{number}", "public_id": number} for number in range(12)]
QA = [
    {"public_id": 0, "answer": "Казань", "answers": ["Казань"], "type": "simple", "text_ids": ["t3"]},
    {"public_id": 1, "answer": "Тверь, Псков", "answers": ["Тверь", "Псков"], "type": "set", "text_ids": ["t4", "t5"]},
    {"public_id": 2, "answer": "2139", "answers": ["2139"], "type": "simple", "text_ids": ["t6"]},
]
PERFECT = {
    0: Answer((3,), "Казань"),
    1: Answer((5, 4), "Псков, Тверь"),
    2: Answer((6,), "2139"),
}
OURS = sorted({name for profile in ("standard", "paper", "card") for name in PROFILES[profile].measures} - {"precision@5"})
ANSWERS = st.builds(
    Answer,
    st.lists(st.integers(0, 11), max_size=8).map(tuple),
    st.sampled_from(["", "Казань", "в Твери", "Псков и Тверь", "2139", "не знаю"]),
)


def test_a_perfect_run_scores_one_and_its_numbers_are_not_exploded():
    table = evaluate(PERFECT, QA, TEXTS, OURS).table()
    short = {"rouge_2"}  # a one-word answer has no bigram
    assert {name: value for name, value in table["all"].items() if name not in short} == dict.fromkeys(set(OURS) - short, 1.0)
    assert list(table) == ["set", "simple", "all"]


def test_an_unanswered_question_scores_zero_and_counts():
    scores = evaluate({0: PERFECT[0]}, QA, TEXTS)
    assert scores.mean("exact") == pytest.approx(1 / 3)
    assert scores.mean("hit@5", "simple") == 1 / 2
    assert scores.mean("hit@5", "set") == 0.0
    assert scores.unanswered == 2


def test_an_empty_run_and_an_empty_answer_score_zero():
    for run in ({}, {0: Answer((), ""), 1: Answer((), ""), 2: Answer((), "")}):
        assert set(evaluate(run, QA, TEXTS, OURS).table()["all"].values()) == {0.0}


def test_what_the_release_does_not_have_is_reported_and_counts_for_nothing():
    scores = evaluate({**PERFECT, 77: Answer((3,), "Казань"), 0: Answer((99, 3), "Казань")}, QA, TEXTS, ["mrr@5", "exact"])
    assert scores.unknown_questions == (77,)
    assert scores.unknown_texts == (99,)
    assert scores.mean("mrr@5", "simple") == pytest.approx((1 / 2 + 1) / 2)
    assert scores.mean("exact") == 1.0


def test_a_run_may_be_the_parsed_results_file():
    raw = {str(key): {"found_ids": list(one.found_ids), "model_answer": one.model_answer} for key, one in PERFECT.items()}
    assert evaluate(raw, QA, TEXTS).table() == evaluate(PERFECT, QA, TEXTS).table()


def test_a_release_without_questions_has_an_empty_mean():
    assert evaluate({}, [], TEXTS, ["exact"]).table() == {"all": {"exact": 0.0}}


def test_the_peer_profile_leaves_unanswered_questions_out():
    scores = evaluate({0: PERFECT[0]}, QA, TEXTS, PROFILES["peer"].measures)
    assert set(scores.table()["all"].values()) == {1.0}
    assert len(scores.values("peer_mrr")) == 1


def test_a_judge_is_named_as_not_available():
    assert PROFILES["paper"].not_available == PROFILES["card"].not_available == ("judge",)


@given(run=st.dictionaries(st.integers(0, 4), ANSWERS))
def test_means_are_within_bounds(run):
    for values in evaluate(run, QA, TEXTS, [*OURS, "precision@5", *PROFILES["peer"].measures]).table().values():
        assert all(0 <= value <= 1 for value in values.values())


@given(run=st.dictionaries(st.integers(0, 2), ANSWERS), left_out=st.integers(0, 2))
def test_leaving_a_question_out_never_raises_a_mean(run, left_out):
    fewer = {key: answer for key, answer in run.items() if key != left_out}
    more, less = (evaluate(one, QA, TEXTS, OURS).table()["all"] for one in (run, fewer))
    assert all(less[name] <= more[name] for name in OURS)


@given(run=st.dictionaries(st.integers(0, 2), ANSWERS), order=st.permutations(range(3)))
def test_the_order_of_run_and_gold_does_not_matter(run, order):
    shuffled = {key: run[key] for key in order if key in run}
    assert evaluate(shuffled, [QA[place] for place in order], TEXTS[::-1]) == evaluate(run, QA, TEXTS)
