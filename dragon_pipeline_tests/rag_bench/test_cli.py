import json

import pytest

from rag_bench.cli import main

QA = [
    {"public_id": 0, "answer": "Казань", "answers": ["Казань"], "type": "simple", "text_ids": ["a"]},
    {"public_id": 1, "answer": "Тверь", "answers": ["Тверь"], "type": "multi_hop", "text_ids": ["b"]},
]
TEXTS = [{"id": "a", "public_id": 0}, {"id": "b", "public_id": 1}]
RUN = {"0": {"found_ids": [0, 7], "model_answer": "Казань"}, "9": {"found_ids": [], "model_answer": ""}}


@pytest.fixture
def files(tmp_path):
    paths = {name: tmp_path / name for name in ("results.json", "qa.jsonl", "texts.json")}
    paths["results.json"].write_text(json.dumps(RUN))
    paths["qa.jsonl"].write_text("\n".join(map(json.dumps, QA)))
    paths["texts.json"].write_text(json.dumps(TEXTS))
    return [str(paths["results.json"]), "--qa", str(paths["qa.jsonl"]), "--texts", str(paths["texts.json"])]


def test_evaluate_prints_means_by_type_and_what_was_not_counted(files, capsys):
    assert main(["evaluate", *files, "--profile", "card"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["multi_hop", "simple", "all"]
    assert lines[1].split() == ["Hit@5", "0.0000", "1.0000", "0.5000"]
    assert lines[6].split() == ["questions", "1", "1", "2"]
    assert lines[7:] == [
        "not available here: Judge (takes a judge model)",
        "1 of 2 questions are unanswered",
        "answered, and not in this release: questions 9",
        "found, and not in this release: texts 7",
    ]


def test_json_holds_the_same_numbers(files, capsys):
    assert main(["evaluate", *files, "--json", "--measures", "mrr@5", "exact"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["all"] == {"MRR@5": 0.5, "Exact": 0.5}


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (["--profile", "none"], 2, "no profile is called 'none'"),
        (["--measures", "bleu"], 2, "no measure is called 'bleu'"),
        (["--qa", "none.parquet"], 1, "none.parquet cannot be read as a table"),
    ],
)
def test_wrong_use_is_said_without_a_traceback(files, change, code, words, capsys):
    assert main(["evaluate", *files, *change]) == code
    error = capsys.readouterr().err
    assert error.startswith("rag-bench: ") and words in error and "Traceback" not in error


def test_a_faulty_results_file_is_refused_with_the_entry(files, tmp_path, capsys):
    (tmp_path / "results.json").write_text('{"3": {"found_ids": "x", "model_answer": ""}}')
    assert main(["evaluate", *files]) == 1
    assert "question '3': found_ids must be a list" in capsys.readouterr().err
