"""The published client rag-bench 0.2.17, unmodified, against a release of ours."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from dragon_pipeline_tests.rag_bench.invented import perfect, random_run, realistic
from rag_bench.evaluation import evaluate
from rag_bench.evaluator import RAGEvaluator, evaluate_rag_results
from rag_bench.profiles import PROFILES

RUNS = {
    "perfect": perfect,
    "random": random_run,
    "another random one": lambda tables: random_run(tables, seed=1),
    "realistic": realistic,
}


@pytest.fixture(scope="module")
def runs(release) -> dict[str, dict[str, Any]]:
    """As they stand in a results file."""
    tables = {
        "public_texts": list(release.texts),
        "public_questions": list(release.questions),
        "private_qa": list(release.gold.private_qa),
        "private_texts": list(release.gold.private_texts),
    }
    return {
        name: {
            str(public_id): {"found_ids": list(answer.found_ids), "model_answer": answer.model_answer}
            for public_id, answer in make(tables).items()
        }
        for name, make in RUNS.items()
    }


@pytest.fixture(scope="module")
def theirs(peer, runs, tmp_path_factory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("runs") / "runs.json"
    file.write_text(json.dumps(runs), encoding="utf-8")
    return peer("score", file)


def test_it_is_the_published_one(peer):
    assert peer("whole") == {"version": "0.2.17", "changed": []}


def test_get_datasets_reads_our_newest_public_half(peer, release):
    told = peer("data")
    assert told["version"] == release.version == "1.0.0"
    assert told["questions"] == list(release.questions) and len(told["texts"]) == len(release.texts)
    assert [row["text"] for row in told["texts"]] == release.texts["text"]


def test_load_dataset_reads_every_dataset_by_its_tag(peer, release):
    told = peer("load")
    assert {name: list(splits) for name, splits in told.items()} == {name: ["train"] for name in told} and len(told) == 4
    ours = {
        "public_questions": release.questions,
        "private_qa": release.gold.private_qa,
        "private_texts": release.gold.private_texts,
    }
    assert {name: told[name]["train"] for name in ours} == {name: list(rows) for name, rows in ours.items()}


@pytest.mark.parametrize("name", RUNS)
def test_our_function_of_the_same_name_gives_the_same_numbers(name, runs, theirs, release):
    mapping = {row["public_id"]: row["id"] for row in release.gold.private_texts}
    ours = evaluate_rag_results(runs[name], release.gold.private_qa, mapping, RAGEvaluator())
    assert ours.keys() == theirs[name].keys()
    for part in ours:
        assert flat(ours[part]) == pytest.approx(flat(theirs[name][part]), abs=1e-9), part
    assert len(ours["individual_results"]) > 500


@pytest.mark.parametrize("name", RUNS)
def test_the_peer_profile_gives_the_same_numbers(name, runs, theirs, release):
    scores = evaluate(runs[name], release, "peer")
    told = theirs[name]["aggregated_metrics"]
    expected = {
        type: {f"peer_{key}": number for group in of.values() for key, number in group.items()} for type, of in told.items()
    }
    expected["all"] = expected.pop("overall")
    assert scores.table().keys() == expected.keys()
    for type, means in expected.items():
        assert scores.table()[type] == pytest.approx(means, abs=1e-9), type
    single = {one.public_id: one.values for one in scores.questions}
    for public_id, one in theirs[name]["individual_results"].items():
        numbers = {f"peer_{key}": number for group in ("retrieval", "generation") for key, number in one[group].items()}
        assert single[int(public_id)] == pytest.approx(numbers, abs=1e-9), public_id


def test_the_runs_tell_something_apart(theirs):
    """Numbers that are all 0 or all 1 would agree by chance."""
    means = {name: flat(one["average_metrics"]) for name, one in theirs.items()}
    assert set(PROFILES["peer"].measures) == {f"peer_{key.split('/')[1]}" for key in means["realistic"]}
    assert means["perfect"]["retrieval/hit_rate"] == 1.0 and 0.2 < means["realistic"]["generation/rouge1"] < 0.9
    assert 0 < means["random"]["generation/rougeL"] < 0.2


def flat(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Nested objects as one, with paths for keys."""
    found: dict[str, Any] = {}
    for key, one in value.items():
        path = f"{before}/{key}" if before else str(key)
        found |= flat(one, path) if isinstance(one, Mapping) else {path: one}
    return found
