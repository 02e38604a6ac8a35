import json
import subprocess
import sys

import pytest

from dragon_pipeline_tests.adapters.llm.model_server import ModelServer
from dragon_pipeline_tests.rag_bench.portal_server import Said, serving
from dragon_pipeline_tests.rag_bench.releasing import publish
from rag_bench import results
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
    assert lines[0].split() == ["measure", "multi_hop", "simple", "all"]
    assert lines[1].split()[1:] == ["0.0000", "1.0000", "0.5000"]
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


def test_fetch_says_what_a_release_is(hub, capsys):
    assert main(["fetch", "--hub", str(hub)]) == 0
    assert capsys.readouterr().out.startswith("1.1.0 of 2026-03-01: 3 questions, 3 texts, with gold, from ")
    publish(hub, "1.0.0", prefix="sandbox_")
    assert main(["fetch", "--hub", str(hub), "--sandbox"]) == 0
    assert capsys.readouterr().out.startswith("1.0.0 of")


def test_a_baseline_is_run_checked_scored_and_compared(hub, tmp_path, capsys):
    first, second = str(tmp_path / "bm25.json"), str(tmp_path / "other.json")
    assert main(["answer", "bm25", "--hub", str(hub), "--out", first, "-k", "1"]) == 0
    assert "3 answers of bm25, extractive_answer to version 1.1.0" in capsys.readouterr().out
    assert main(["check", first, "--hub", str(hub), "-k", "1"]) == 0
    assert "3 of 3 questions of version 1.1.0 answered, 0 faults, 0 notes" in capsys.readouterr().out
    results.save({"0": {"found_ids": [2], "model_answer": "нет"}}, second)
    assert main(["check", second, "--hub", str(hub)]) == 1
    assert "question 1: has no entry" in capsys.readouterr().out
    assert main(["compare", first, second, "--hub", str(hub), "--measures", "hit@5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == [first, "1.0000"] and lines[4] == "Hit@5, 3 questions"
    assert lines[6].split()[:3] == [first, second, "1.0000"]


def test_a_served_model_answers_from_the_command_line(hub, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-7f3a91")
    server = ModelServer("openai", answer=lambda body: "Псков")
    out = tmp_path / "llm.json"
    try:
        command = ["answer", "llm", "--hub", str(hub), "--out", str(out), "--url", server.url, "--model", "m", "--workers", "2"]
        assert main(command) == 0
    finally:
        server.stop()
    assert len(server.asked) == 3 and results.load(out)["2"]["model_answer"] == "Псков"
    assert server.keys == {"Bearer sk-7f3a91"}
    assert "sk-7f3a91" not in "".join(capsys.readouterr()) + (tmp_path / "llm.journal.jsonl").read_text()
    assert main(["answer", "llm", "--hub", str(hub), "--out", str(out)]) == 1
    assert "llm needs --url" in capsys.readouterr().err


def test_a_run_is_submitted_with_a_token_that_is_not_shown(hub, tmp_path, capsys, monkeypatch):
    out, config, token = tmp_path / "results.json", tmp_path / "config.json", tmp_path / "token"
    results.save({str(one): {"found_ids": [one], "model_answer": "да"} for one in range(3)}, out)
    config.write_text('{"name": "моя"}')
    token.write_text("тайна-7f3a\n")
    monkeypatch.delenv("RAG_BENCH_TOKEN", raising=False)
    with serving(Said(body={"id": 7})) as server:
        command = ["submit", str(out), "--hub", str(hub), "--config", str(config), "--address", server.address]
        assert main(command) == 1
        assert "no token: set RAG_BENCH_TOKEN" in capsys.readouterr().err
        assert main([*command, "--token-file", str(token)]) == 0
        assert server.asked[0].fields["token"] == "тайна-7f3a" and server.asked[0].fields["version"] == "1.1.0"
    told = capsys.readouterr()
    assert told.out.startswith("submission 7 of version 1.1.0") and "тайна" not in told.out + told.err
    config.write_text("[]")
    assert main([*command, "--token-file", str(token)]) == 1 and "must hold an object" in capsys.readouterr().err


def test_a_withdrawn_release_is_told_in_one_line(hub, capsys):
    folder = hub / "dragon" / "public_texts"
    (folder / "commits" / "w").mkdir()
    (folder / "commits" / "w" / "withdrawn.json").write_text('{"1.1.0": "wrong answers"}')
    (folder / "head").symlink_to("commits/w")
    assert main(["fetch", "--hub", str(hub), "--release", "1.1.0"]) == 0
    assert capsys.readouterr().err == "rag-bench: version 1.1.0 was withdrawn: wrong answers\n"


def test_gold_that_is_not_shown_is_said(tmp_path, capsys):
    publish(tmp_path, "1.1.0", ("public_texts", "public_questions"))
    results.save({}, tmp_path / "results.json")
    assert main(["evaluate", str(tmp_path / "results.json"), "--hub", str(tmp_path)]) == 1
    assert "the gold of 1.1.0 is not shown to you" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], *([name] for name in ("fetch", "answer", "check", "evaluate", "compare", "submit"))])
def test_every_command_explains_itself_without_loading_anything(command):
    code = "import sys; from rag_bench.cli import main\ntry: main(sys.argv[1:])\nexcept SystemExit: print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, *command, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: rag-bench") and "'pyarrow'" not in done.stdout and "'numpy'" not in done.stdout
