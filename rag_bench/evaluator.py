"""What the published client `rag-bench` 0.2.17 computes, under its own names, for scripts and comparisons that rely on it.

Its numbers differ from ours: only answered questions count, `found_ids` has no cutoff, several answers are one string, words
are razdel's tokens with case and ё kept. Do not rank by them.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from rag_bench.errors import BadTable
from rag_bench.gold import SIMPLE, Gold, flat, rows
from rag_bench.installation import require_single_client
from rag_bench.peer_words import peer_words
from rag_bench.rouge import rouge_1, rouge_l
from rag_bench.runs import Answer, check_run


def hit_rate(found: Sequence[Hashable], gold: frozenset) -> float:
    return float(not gold.isdisjoint(found))


def mrr(found: Sequence[Hashable], gold: frozenset) -> float:
    for rank, text in enumerate(found, 1):
        if text in gold:
            return 1 / rank
    return 0.0


def precision(found: Sequence[Hashable], gold: frozenset) -> float:
    return sum(map(gold.__contains__, found)) / len(found) if found else 0.0


def rouge1(answer: str, gold: str) -> float:
    return rouge_1(peer_words(answer), peer_words(gold))


def rougeL(answer: str, gold: str) -> float:
    return rouge_l(peer_words(answer), peer_words(gold))


def substr_match(answer: str, gold: str) -> float:
    return float(gold.lower() in answer.lower())


RETRIEVAL = {"hit_rate": hit_rate, "mrr": mrr, "precision": precision}
GENERATION = {"rouge1": rouge1, "rougeL": rougeL, "substr_match": substr_match}


def _retrieval_number(number: Callable[..., float]) -> Callable[[Gold, Answer], float]:
    return lambda gold, answer: number(answer.found_ids, gold.text_ids)


def _generation_number(number: Callable[..., float]) -> Callable[[Gold, Answer], float]:
    return lambda gold, answer: number(answer.model_answer, gold.answer)


NUMBERS = {f"peer_{name}": _retrieval_number(number) for name, number in RETRIEVAL.items()} | {
    f"peer_{name}": _generation_number(number) for name, number in GENERATION.items()
}
"""name of the measure → its value for one question"""


class RAGEvaluator:
    """The published client's evaluator of one question."""

    def evaluate_retrieval(self, retrieved_doc_ids: Sequence[Hashable], relevant_doc_id: Hashable) -> dict[str, float]:
        gold = frozenset([relevant_doc_id])
        return {"hit_rate": hit_rate(retrieved_doc_ids, gold), "mrr": mrr(retrieved_doc_ids, gold)}

    def evaluate_generation(self, generated_answer: str, reference_answer: str) -> dict[str, float]:
        return {name: number(generated_answer, reference_answer) for name, number in GENERATION.items()}


def evaluate_rag_results(
    results: Mapping[Any, Any], dataset: Any, mapping: Mapping[int, Hashable], evaluator: RAGEvaluator | None = None
) -> dict[str, Any]:
    """The published client's result: `individual_results`, `aggregated_metrics` by type and overall, `average_metrics`.

    Args:
        results: a run.
        dataset: `private_qa`, as `{"train": …}` or any kind of table.
        mapping: public text id → private text id.
        evaluator: for scripts that give one.

    Raises:
        BadRun: an entry is not what it must be.
        BadTable: the run answers a question, or found a text, that the release does not have.
    """
    require_single_client()
    evaluator = evaluator or RAGEvaluator()
    questions = {row["public_id"]: row for row in rows(dataset)}
    individual: dict[str, dict[str, Any]] = {}
    for public_id, answer in check_run(results).items():
        if public_id not in questions:
            raise BadTable(f"question {public_id} is not in private_qa")
        row = questions[public_id]
        unknown = [text for text in answer.found_ids if text not in mapping]
        if unknown:
            raise BadTable(f"question {public_id}: text {unknown[0]} is not in the mapping")
        found, gold = [mapping[text] for text in answer.found_ids], frozenset(flat(row["text_ids"]))
        individual[str(public_id)] = {
            "retrieval": {name: number(found, gold) for name, number in RETRIEVAL.items()},
            "generation": evaluator.evaluate_generation(answer.model_answer, row["answer"]),
            "type": row.get("type", SIMPLE),
        }
    types = dict.fromkeys(questions[public_id].get("type", SIMPLE) for public_id in sorted(questions))
    aggregated = {name: _mean([one for one in individual.values() if one["type"] == name]) for name in types}
    aggregated["overall"] = _mean(list(individual.values()))
    return {"individual_results": individual, "aggregated_metrics": aggregated, "average_metrics": aggregated["overall"]}


def _mean(individual: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    names = {"retrieval": RETRIEVAL, "generation": GENERATION}
    return {
        group: {name: sum(one[group][name] for one in individual) / max(len(individual), 1) for name in numbers}
        for group, numbers in names.items()
    }
