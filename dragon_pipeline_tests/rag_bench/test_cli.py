import json
import os
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


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["answer", "bm25", "--out", "x.json", "-k", "0"], "must be a whole number from 1 on"),
        (["answer", "bm25", "--out", "x.json", "--workers", "-2"], "must be a whole number from 1 on"),
        (["answer", "bm25", "--out", "x.json", "--limit", "-1"], "must be a whole number from 0 on"),
        (["check", "x.json", "-k", "five"], "must be a whole number from 1 on"),
        (["compare", "x.json"], "compare takes two results files or more"),
        (["compare", "x.json", "./x.json"], "compare takes two results files or more"),
    ],
)
def test_what_cannot_be_meant_is_wrong_use(command, words, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2 and words in capsys.readouterr().err


def test_gold_from_one_file_of_two_is_said(files, capsys):
    assert main(["evaluate", *files[:3]]) == 1
    assert "--qa and --texts go together" in capsys.readouterr().err


def test_the_version_is_said(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("rag-bench ")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("token", b"\xff\xfe", "token cannot be read as text"),
        ("token", None, "No such file or directory"),
        ("config.json", b"[" * 200_000, "config.json cannot be read as JSON"),
        ("config.json", b"\xff", "config.json cannot be read as JSON"),
        ("config.json", None, "config.json cannot be read as JSON"),
    ],
)
def test_a_config_or_a_token_that_cannot_be_read_is_said(hub, tmp_path, capsys, name, content, words):
    (tmp_path / "token").write_text("тайна")
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    places = ["--config", str(tmp_path / "config.json"), "--token-file", str(tmp_path / "token")]
    assert main(["submit", "none.json", "--hub", str(hub), "--address", "127.0.0.1:9", *places]) == 1
    assert words in capsys.readouterr().err


def test_what_strangers_wrote_moves_no_cursor(hub, capsys):
    manifest = next((hub / "dragon" / "public_texts" / "commits").glob("*/manifest.json"))
    told = json.loads(manifest.read_bytes())
    told["files"]["public_texts"]["\x1b[31m\n.parquet"] = ""
    manifest.write_text(json.dumps(told))
    assert main(["fetch", "--hub", str(hub)]) == 1
    error = capsys.readouterr().err
    assert "\x1b" not in error and "in the manifest and not on the hub" in error


@pytest.mark.parametrize(("encoding", "code"), [("ascii", 1), ("utf-8", 1)])
def test_what_a_terminal_cannot_show_is_no_failure(files, encoding, code, hub):
    command = [sys.executable, "-W", "error", "-m", "rag_bench.cli", "check", files[0], "--hub", str(hub)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, timeout=60)
    assert done.returncode == code and b"Traceback" not in done.stderr and b"faults" in done.stdout


def test_a_reader_that_has_read_enough_is_no_failure_of_ours(files, hub):
    command = [sys.executable, "-m", "rag_bench.cli", "check", files[0], "--hub", str(hub)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait(timeout=60) == 1


def test_fetch_says_what_a_release_is(hub, capsys):
    assert main(["fetch", "--hub", str(hub)]) == 0
    assert capsys.readouterr().out.startswith("1.1.0 of 2026-03-01: 3 questions, 3 texts, with gold, from ")
    publish(hub, "1.0.0", prefix="sandbox_")
    assert main(["fetch", "--hub", str(hub), "--sandbox"]) == 0
    assert capsys.readouterr().out.startswith("sandbox 1.0.0 of")


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


def test_scores_of_a_run_that_was_made_for_another_release_say_so(hub, tmp_path, capsys):
    out = str(tmp_path / "bm25.json")
    assert main(["answer", "bm25", "--hub", str(hub), "--out", out]) == 0
    publish(hub, "1.2.0")
    for command in (["evaluate", out], ["compare", out, str(tmp_path / "other.json")]):
        results.save(results.load(out), tmp_path / "other.json")
        capsys.readouterr()
        assert main([*command, "--hub", str(hub), "--measures", "Hit@5"]) == 0
        assert f"{out}: the run was made for version 1.1.0, and this is 1.2.0\n" in capsys.readouterr().out


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
