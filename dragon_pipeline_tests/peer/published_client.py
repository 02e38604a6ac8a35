"""Runs in the environment of the published client, on the hub that HF_ENDPOINT names: PART NAMESPACE TOLD [RUNS].

Parts: `whole` tells its version and which of its files were changed, `data` what `get_datasets` gives, `load` what `datasets`
reads of every dataset, `score` the numbers of runs.
"""

import base64
import hashlib
import json
import sys
from importlib.metadata import distribution
from pathlib import Path

from datasets import load_dataset

from rag_bench import data, evaluator

VERSION = "1.0.0"


def state(namespace: str) -> dict:
    installed = distribution("rag-bench")
    changed = []
    for file in installed.files or ():
        if file.hash:
            digest = hashlib.new(file.hash.mode, Path(file.locate()).read_bytes()).digest()
            changed += [str(file)] if base64.urlsafe_b64encode(digest).decode().rstrip("=") != file.hash.value else []
    return {"version": installed.version, "changed": changed}


def datasets_of_the_client(namespace: str) -> dict:
    data.PUBLIC_TEXTS_REPO_ID = f"{namespace}/public_texts"
    data.PUBLIC_QUESTIONS_REPO_ID = f"{namespace}/public_questions"
    texts, questions, version = data.get_datasets()
    return {"version": version, "texts": texts["train"].to_list(), "questions": questions["train"].to_list()}


def every_dataset(namespace: str) -> dict:
    names = ("public_texts", "public_questions", "private_texts", "private_qa")
    read = {name: load_dataset(f"{namespace}/{name}", revision=VERSION) for name in names}
    return {name: {split: rows.to_list() for split, rows in one.items()} for name, one in read.items()}


def scores(namespace: str, runs: Path) -> dict:
    private_qa = load_dataset(f"{namespace}/private_qa", revision=VERSION)
    private_texts = load_dataset(f"{namespace}/private_texts", revision=VERSION)
    mapping = {row["public_id"]: row["id"] for row in private_texts["train"]}
    told = json.loads(runs.read_text("utf-8"))
    return {
        name: evaluator.evaluate_rag_results(run, private_qa, mapping, evaluator.RAGEvaluator()) for name, run in told.items()
    }


if __name__ == "__main__":
    part, namespace, told, *paths = sys.argv[1:]
    act = {"whole": state, "data": datasets_of_the_client, "load": every_dataset, "score": scores}[part]
    Path(told).write_text(json.dumps(act(namespace, *map(Path, paths))), encoding="utf-8")
