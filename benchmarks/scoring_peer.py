"""Runs beside `scoring.py`, with the published client: scores the runs of a file each time that a line asks for one.

python benchmarks/scoring_peer.py TABLES: reads names of runs from standard input, writes seconds.
"""

import gc
import json
import sys
import time
from pathlib import Path

import datasets

from rag_bench.evaluator import RAGEvaluator, evaluate_rag_results


def main(path: Path) -> None:
    told = json.loads(path.read_text("utf-8"))
    private_qa = {"train": datasets.Dataset.from_list(told["private_qa"])}
    mapping = {row["public_id"]: row["id"] for row in told["private_texts"]}
    evaluator = RAGEvaluator()
    gc.freeze()  # the other runs of the file are not this run's to look after
    for line in sys.stdin:
        run = told["runs"][line.strip()]
        started = time.perf_counter()
        evaluate_rag_results(run, private_qa, mapping, evaluator)
        sys.stdout.write(f"{time.perf_counter() - started}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
