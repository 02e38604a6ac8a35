"""The expected numbers were printed by rag-bench 0.2.17 with rouge-score 0.1.2 for these inputs."""

import pytest

from rag_bench.errors import BadTable
from rag_bench.evaluation import evaluate
from rag_bench.evaluator import RAGEvaluator, evaluate_rag_results
from rag_bench.profiles import PROFILES

QA = [
    {"public_id": 1, "answer": "Казань, Тверь", "type": "set", "text_ids": '[["a"], ["b"]]'},
    {"public_id": 0, "answer": "Пётр Сомов", "type": "simple", "text_ids": '["c"]'},
    {"public_id": 2, "answer": "2024", "type": "simple", "text_ids": '["a"]'},
]
RESULTS = {
    "0": {"found_ids": [1, 2, 2, 3], "model_answer": "Это петр Сомов, директор."},
    "1": {"found_ids": [3, 2], "model_answer": "Тверь, Казань"},
}
MAPPING = {1: "a", 2: "c", 3: "b"}
SIMPLE = {
    "retrieval": {"hit_rate": 1.0, "mrr": 0.5, "precision": 0.5},
    "generation": {"rouge1": 0.25, "rougeL": 0.25, "substr_match": 0.0},
}
OVERALL = {
    "retrieval": {"hit_rate": 1.0, "mrr": 0.75, "precision": 0.5},
    "generation": {"rouge1": 0.625, "rougeL": pytest.approx(0.2916666666666667), "substr_match": 0.0},
}


def test_the_published_clients_numbers_are_reproduced():
    found = evaluate_rag_results(RESULTS, {"train": QA}, MAPPING, RAGEvaluator())
    assert found["individual_results"]["0"] == {**SIMPLE, "type": "simple"}
    assert found["individual_results"]["1"]["generation"]["rougeL"] == pytest.approx(1 / 3)
    assert found["aggregated_metrics"]["simple"] == SIMPLE
    assert found["aggregated_metrics"]["overall"] == found["average_metrics"] == OVERALL


def test_the_peer_profile_has_the_same_numbers():
    texts = [{"id": private, "public_id": public} for public, private in MAPPING.items()]
    means = evaluate(RESULTS, QA, texts, PROFILES["peer"].measures).table()["all"]
    assert means == {f"peer_{name}": value for numbers in OVERALL.values() for name, value in numbers.items()}


def test_an_id_that_the_release_does_not_have_is_named():
    with pytest.raises(BadTable, match="question 5 is not in private_qa"):
        evaluate_rag_results({"5": RESULTS["0"]}, QA, MAPPING)
    with pytest.raises(BadTable, match="question 0: text 9 is not in the mapping"):
        evaluate_rag_results({"0": {"found_ids": [9], "model_answer": ""}}, QA, MAPPING)


def test_an_empty_run_has_means_of_zero():
    assert evaluate_rag_results({}, QA, MAPPING)["aggregated_metrics"]["overall"]["retrieval"]["mrr"] == 0.0
