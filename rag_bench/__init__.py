"""DRAGON's client: fetch a release, run a RAG system on it, check, score and submit the run.

    release = rag_bench.load()
    run = rag_bench.run(MySystem(), release, path="results.json")
    print(rag_bench.check(run, release))

All public names are listed here; nothing is loaded before it is used. See README.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_bench import baseline as baseline
    from rag_bench import bm25 as bm25
    from rag_bench import data as data
    from rag_bench import dense as dense
    from rag_bench import embeddings as embeddings
    from rag_bench import errors as errors
    from rag_bench import evaluator as evaluator
    from rag_bench import helper as helper
    from rag_bench import llm as llm
    from rag_bench import plots as plots
    from rag_bench import profiles as profiles
    from rag_bench import results as results
    from rag_bench import runs as runs
    from rag_bench.checks import Check as Check
    from rag_bench.checks import check as check
    from rag_bench.comparison import Comparisons as Comparisons
    from rag_bench.comparison import Difference as Difference
    from rag_bench.comparison import compare as compare
    from rag_bench.comparison import compare_all as compare_all
    from rag_bench.evaluation import evaluate as evaluate
    from rag_bench.evaluation import evaluate_all as evaluate_all
    from rag_bench.releases import GoldTables as GoldTables
    from rag_bench.releases import Release as Release
    from rag_bench.releases import load as load
    from rag_bench.rows import Rows as Rows
    from rag_bench.runs import Answer as Answer
    from rag_bench.runs import read_run as read_run
    from rag_bench.runs import write_run as write_run
    from rag_bench.scores import Scores as Scores
    from rag_bench.submission import Receipt as Receipt
    from rag_bench.submission import submit as submit
    from rag_bench.systems import Found as Found
    from rag_bench.systems import System as System
    from rag_bench.systems import SystemRun as SystemRun
    from rag_bench.systems import run as run
    from rag_bench.tables import ResultTable as ResultTable
    from rag_bench.tables import comparison_table as comparison_table
    from rag_bench.tables import score_table as score_table
    from rag_bench.tables import system_table as system_table

HOMES = {
    "Check": "checks",
    "check": "checks",
    "Comparisons": "comparison",
    "Difference": "comparison",
    "compare": "comparison",
    "compare_all": "comparison",
    "evaluate": "evaluation",
    "evaluate_all": "evaluation",
    "GoldTables": "releases",
    "Release": "releases",
    "load": "releases",
    "Rows": "rows",
    "Answer": "runs",
    "read_run": "runs",
    "write_run": "runs",
    "Scores": "scores",
    "Receipt": "submission",
    "submit": "submission",
    "Found": "systems",
    "System": "systems",
    "SystemRun": "systems",
    "run": "systems",
    "ResultTable": "tables",
    "comparison_table": "tables",
    "score_table": "tables",
    "system_table": "tables",
}
"""public name → the module that it lives in"""

MODULES = frozenset(
    {
        "baseline",
        "bm25",
        "data",
        "dense",
        "embeddings",
        "errors",
        "evaluator",
        "helper",
        "llm",
        "plots",
        "profiles",
        "results",
        "runs",
    }
)
"""reached as `rag_bench.<module>` without an import of their own"""


if not TYPE_CHECKING:  # so that type checkers know every name above, and no other

    def __getattr__(name: str) -> Any:
        if name in HOMES:
            return getattr(import_module(f"rag_bench.{HOMES[name]}"), name)
        if name in MODULES:
            return import_module(f"rag_bench.{name}")
        raise AttributeError(f"module 'rag_bench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES, *MODULES})
