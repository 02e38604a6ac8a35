"""Scoring 600 questions: ours against the published client rag-bench 0.2.17, and 100 runs on one and two processes.

python benchmarks/scoring.py        needs .venv-peer: `make peer`

Both score the same parsed results files on the same gold, turn by turn; medians. Every run is another one (but the perfect one)
and is scored by us once. The published client is given its dataset and its mapping ready made; ours reads its tables each time
(`tables`), or once for all runs (`key`). `peer` are the six numbers of the published client, `standard` are eleven measures.
What two processes gain is held against what this machine gives to two processes that only count.
"""

import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from dragon_pipeline_tests.rag_bench.invented import invent, perfect, random_run, realistic_runs
from rag_bench.evaluation import evaluate, evaluate_all
from rag_bench.gold import read_key

HERE = Path(__file__).resolve().parent
PEER = HERE.parent / ".venv-peer" / "bin" / "python"
QUESTIONS, TURNS, RUNS = 600, 36, 100
PROFILES = ("peer", "standard")
say = sys.stdout.write
Entries = dict[str, dict[str, Any]]


class Published:
    """The published client in its own environment."""

    def __init__(self, tables: Path):
        command = [str(PEER), "-I", "-W", "ignore", str(HERE / "scoring_peer.py"), str(tables)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tables.parent)

    def seconds(self, run: str) -> float:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{run}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def entries(run: Mapping[int, Any]) -> Entries:
    """As they stand in a results file."""
    return {str(n): {"found_ids": list(one.found_ids), "model_answer": one.model_answer} for n, one in run.items()}


def seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def against_the_published(gold: Mapping[str, Any], runs: Mapping[str, list[Entries]], file: Path) -> None:
    published, pair = Published(file), (gold["private_qa"], gold["private_texts"])
    published.seconds("perfect 0")
    key = read_key(pair)
    ways = {f"{profile}, {how}": (profile, key if how == "key" else pair) for profile in PROFILES for how in ("tables", "key")}
    for name, turns in runs.items():
        theirs: list[float] = []
        ours: dict[str, list[float]] = {way: [] for way in ways}
        for turn, run in enumerate(turns):
            way = list(ways)[turn % len(ways)]  # each run is scored once by us, so that no word of it was read before
            theirs.append(published.seconds(f"{name} {turn}"))
            ours[way].append(seconds(lambda run=run, way=way: evaluate(run, ways[way][1], ways[way][0])))
        told = statistics.median(theirs)
        say(f"{name} runs: published client {told * 1000:.1f} ms\n")
        for way, times in ours.items():
            took = statistics.median(times)
            say(f"  {way:<18} {took * 1000:6.1f} ms, {told / took:5.1f} times faster\n")
    published.close()


def first(file: Path) -> None:
    """The first run of a process, for which no word was seen before."""
    for profile in PROFILES:
        code = f"from scoring import *; first_of_process({str(file)!r}, {profile!r})"
        done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, check=True)
        say(f"realistic, {profile}, tables, the first of a process: {float(done.stdout) * 1000:.1f} ms\n")


def first_of_process(file: str, profile: str) -> None:
    told = json.loads(Path(file).read_text("utf-8"))
    say(str(seconds(lambda: evaluate(told["runs"]["realistic 0"], (told["private_qa"], told["private_texts"]), profile))))


def many(gold: Mapping[str, Any], runs: list[Entries]) -> None:
    key = read_key((gold["private_qa"], gold["private_texts"]))
    named = {f"run {n}": runs[n % len(runs)] for n in range(RUNS)}
    ours: dict[int, list[float]] = {1: [], 2: []}
    counting: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(5):
        for workers in (1, 2):
            ours[workers].append(seconds(lambda workers=workers: evaluate_all(named, key, workers=workers)))
            with ProcessPoolExecutor(workers) as pool:
                counting[workers].append(seconds(lambda pool=pool: list(pool.map(count, [4_000_000] * 8))))
    for what, took in ((f"{RUNS} runs in one call", ours), ("only counting", counting)):
        one, two = statistics.median(took[1]), statistics.median(took[2])
        say(f"{what}: {one:.2f} s with one process, {two:.2f} s with two, {one / two:.2f} times faster\n")


def count(n: int) -> int:
    return sum(range(n))


def main() -> None:
    tables = invent(QUESTIONS).tables
    gold = {name: tables[name] for name in ("private_qa", "private_texts")}
    runs = {
        "perfect": [entries(perfect(tables))] * TURNS,
        "random": [entries(random_run(tables, seed)) for seed in range(TURNS)],
        "realistic": [entries(run) for run in islice(realistic_runs(tables), TURNS)],
    }
    named = {f"{name} {turn}": run for name, turns in runs.items() for turn, run in enumerate(turns)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.json"
        file.write_text(json.dumps({**gold, "runs": named}), encoding="utf-8")
        first(file)
        gc.freeze()  # the runs that wait are not this run's to look after
        against_the_published(gold, runs, file)
    many(gold, runs["realistic"])


if __name__ == "__main__":
    main()
