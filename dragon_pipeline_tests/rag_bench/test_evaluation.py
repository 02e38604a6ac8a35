import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.errors import BadRun, BadTable
from rag_bench.evaluation import evaluate, evaluate_all
from rag_bench.gold import read_key
from rag_bench.judgements import CRITERIA
from rag_bench.measures import nDCG
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
OURS = sorted({name for profile in ("standard", "paper", "card") for name in PROFILES[profile].measures} - {"Precision@5"})
OURS += ["Set-P", "Set-R"]
ANSWERS = st.builds(
    Answer,
    st.lists(st.integers(0, 11), max_size=8).map(tuple),
    st.sampled_from(["", "Казань", "в Твери", "Псков и Тверь", "2139", "не знаю"]),
)


def test_a_perfect_run_scores_one_and_its_numbers_are_not_exploded():
    table = evaluate(PERFECT, QA, TEXTS, OURS).table()
    short = {"ROUGE-2"}  # a one-word answer has no bigram
    assert {name: value for name, value in table["all"].items() if name not in short} == dict.fromkeys(set(OURS) - short, 1.0)
    assert list(table) == ["set", "simple", "all"]


def test_an_unanswered_question_scores_zero_and_counts():
    scores = evaluate({0: PERFECT[0]}, QA, TEXTS)
    assert scores.mean("Exact") == pytest.approx(1 / 3)
    assert scores.mean("Hit@5", "simple") == 1 / 2
    assert scores.mean("Hit@5", "set") == 0.0
    assert scores.unanswered == 2


def test_an_empty_run_and_an_empty_answer_score_zero():
    for run in ({}, {0: Answer((), ""), 1: Answer((), ""), 2: Answer((), "")}):
        assert set(evaluate(run, QA, TEXTS, OURS).table()["all"].values()) == {0.0}


def test_what_the_release_does_not_have_is_reported_and_counts_for_nothing():
    scores = evaluate({**PERFECT, 77: Answer((3,), "Казань"), 0: Answer((99, 3), "Казань")}, QA, TEXTS, ["MRR@5", "Exact"])
    assert scores.unknown_questions == (77,)
    assert scores.unknown_texts == (99,)
    assert scores.mean("MRR@5", "simple") == pytest.approx((1 / 2 + 1) / 2)
    assert scores.mean("Exact") == 1.0


def test_a_run_may_be_the_parsed_results_file():
    raw = {str(key): {"found_ids": list(one.found_ids), "model_answer": one.model_answer} for key, one in PERFECT.items()}
    assert evaluate(raw, QA, TEXTS).table() == evaluate(PERFECT, QA, TEXTS).table()


def test_a_release_without_questions_has_an_empty_mean():
    assert evaluate({}, [], TEXTS, ["Exact"]).table() == {"all": {"Exact": 0.0}}


def test_a_release_may_be_its_two_tables_or_a_key_or_have_a_gold():
    class Release:
        gold = (QA, TEXTS)

    for release in ((QA, TEXTS), read_key((QA, TEXTS)), Release()):
        for profile in ("paper", PROFILES["paper"], PROFILES["paper"].measures):
            assert evaluate(PERFECT, release, profile) == evaluate(PERFECT, QA, TEXTS, PROFILES["paper"].measures)
    assert evaluate(PERFECT, (QA, TEXTS), nDCG @ 5).measures == ("nDCG@5",)


def test_gold_that_may_not_be_read_is_said_to_be_so():
    class Release:
        gold, version = None, "1.4.0"

    with pytest.raises(BadTable, match=r"gold of 1\.4\.0 may not be read"):
        evaluate(PERFECT, Release())
    with pytest.raises(BadTable, match="two tables"):
        evaluate(PERFECT, QA)


def test_many_runs_score_as_each_alone_on_any_number_of_processes():
    runs = {"perfect": PERFECT, "empty": {}, "parsed": {"0": {"found_ids": [3], "model_answer": "в Казани"}}}
    alone = {name: evaluate(run, QA, TEXTS) for name, run in runs.items()}
    for workers in (1, 2, 5):
        found = evaluate_all(runs, (QA, TEXTS), workers=workers)
        assert list(found) == list(runs) and found == alone


@pytest.mark.parametrize("workers", [1, 2])
def test_a_faulty_run_among_many_is_named(workers):
    with pytest.raises(BadRun, match=r"second cannot be scored:\n  question '0': model_answer is missing"):
        evaluate_all({"first": PERFECT, "second": {"0": {"found_ids": []}}}, (QA, TEXTS), workers=workers)


def verdict(value: int) -> dict[str, int]:
    return dict.fromkeys(CRITERIA, value)


def test_given_verdicts_are_a_measure_and_missing_ones_are_counted():
    run = {**PERFECT, 2: Answer((), "не знаю")}
    judged = evaluate(run, (QA, TEXTS), "paper", judgements={0: verdict(2), "2": {**verdict(0), "completeness": 1}})
    assert judged.measures == (*PROFILES["paper"].measures, "Judge")
    assert judged.values("Judge") == [1.0, pytest.approx(1 / 12)]
    assert judged.missing("Judge") == 1 and judged.mean("Judge") == pytest.approx((1 + 1 / 12) / 2)
    assert judged.missing("Hit@5") == 0
    unanswered = evaluate({0: PERFECT[0]}, (QA, TEXTS), "Judge".split(), judgements={0: verdict(2), 1: verdict(2)})
    assert unanswered.values("Judge") == [1.0, 0.0, 0.0]


def test_the_peer_profile_leaves_unanswered_questions_out():
    scores = evaluate({0: PERFECT[0]}, QA, TEXTS, PROFILES["peer"].measures)
    assert set(scores.table()["all"].values()) == {1.0}
    assert len(scores.values("peer_mrr")) == 1


def test_a_judge_is_named_as_not_available():
    assert PROFILES["paper"].not_available == PROFILES["card"].not_available == ("Judge",)


@given(run=st.dictionaries(st.integers(0, 4), ANSWERS))
def test_means_are_within_bounds(run):
    for values in evaluate(run, QA, TEXTS, [*OURS, "Precision@5", *PROFILES["peer"].measures]).table().values():
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
