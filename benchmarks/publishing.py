"""How much memory and time it takes to build, scan, publish and verify a release of many texts.

    python benchmarks/publishing.py
    python benchmarks/publishing.py --texts 1000 10000

Texts are made from a vocabulary of syllables, 6,700 characters in the mean (the corpus' mean), in 30 days; 600 questions. Each
size is run in a process of its own: `build` makes the release's files in a folder, `scan` is the blocking check of `release`,
`publish` goes to a folder hub (which is read back by hash), `verify` reads the version back and looks for leaks.

Memory is the peak of resident memory (VmHWM, set back after the imports) over what the imports took. `plain` is the way without
pieces, at the first size: every article and row as a dict, one file, all strings of it searched. Its growth is linear.
"""

import argparse
import io
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.records import ACCEPTED, ARTICLES, VERDICTS
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.guises import HEX
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import SCHEMAS
from dragon_pipeline.core.release.verification import release_faults, verify
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.io_manager import batches, to_bytes, write

DAYS = [f"2024-04-{number:02}" for number in range(1, 31)]
QUESTIONS, CHARACTERS, KEY = 600, 6_700, bytes(range(32))
SETTINGS = Settings.model_validate({"screens": {"required": ["grammar"]}})
SYLLABLES = "ба ве ги до жу за ка ло ми не по ра си то фу ха це ши ща ях".split()
say = sys.stdout.write


def text(draw: random.Random, vocabulary: list[str]) -> str:
    length, words = max(600, int(draw.gauss(CHARACTERS, 2_000))), []
    while length > 0:
        words.append(draw.choice(vocabulary))
        length -= len(words[-1]) + 1
    return " ".join(words)


def article(number: int, draw: random.Random, vocabulary: list[str]) -> dict:
    url = f"https://outlet-{number % 40}.example/news/{number}"
    told = {"article_id": content_id(url), "url": url, "outlet": f"outlet-{number % 40}", "version": 1, "change": "new"}
    told |= {"title": f"Новость {number}", "text": text(draw, vocabulary), "author": None, "section": None}
    return {**told, "published_at": f"{DAYS[number % len(DAYS)]}T10:00:00+03:00"}


def question(number: int, texts: int) -> dict:
    gold = content_id(f"https://outlet-{number % texts % 40}.example/news/{number % texts}")
    fact = content_id("fact", number)
    told = {"qa_id": content_id("qa", number), "type": "simple", "question": f"Кто открыл дом номер {number}?"}
    told |= {"answer": f"Пётр Сомов {number}-й", "answers": [f"Пётр Сомов {number}-й"], "given": [], "bridge": None}
    told |= {"fact_ids": [fact], "article_ids": [gold], "direction": None, "cross_story": False, "one_article": True}
    told |= {"subgraph": json.dumps([{"fact_id": fact}]), "writer": "model", "reason": None, "raw": None}
    return {**told, "rank": number, "score": 1.0, "standing": "{}"}


def write_articles(texts: int, folder: Path) -> None:
    draw = random.Random(texts)
    vocabulary = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 6))) for _ in range(30_000)]
    for place, day in enumerate(DAYS):
        rows = [article(number, draw, vocabulary) for number in range(place, texts, len(DAYS))]
        write(UPath(folder / f"{day}.parquet"), to_bytes(ARTICLES, ARTICLES.frame(rows)))


def inputs(texts: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    accepted = ACCEPTED.frame([question(number, texts) for number in range(QUESTIONS)])
    told = {"order": 0, "screen": "grammar", "outcome": "passed", "score": None, "reason": None}
    return accepted, VERDICTS.frame([{"qa_id": id, **told} for id in accepted["qa_id"]])


def streamed(texts: int, folder: Path) -> Iterator[tuple[str, float]]:
    accepted, verdicts = inputs(texts)
    articles = batches(ARTICLES, {day: UPath(folder / f"{day}.parquet") for day in DAYS})
    files, hub = ReleaseFiles(UPath(folder / "files")), FolderHub(folder / "hub", "bench")
    made: list[pl.DataFrame] = []
    steps: dict[str, Callable[[], list[str]]] = {
        "build": lambda: made.append(
            build_release(accepted, articles, verdicts, DAYS[-1], SETTINGS, KEY, Provenance("bench"), files)
        ) or [],
        "scan": lambda: release_faults(made[0], accepted, articles, files),
        "publish": lambda: [] if publish(made[0], None, DAYS[-1], hub, files, SETTINGS.release)["version"][0] else ["nothing"],
        "verify": lambda: verify(hub, "1.0.0"),
    }  # fmt: skip
    for name, step in steps.items():
        start = time.perf_counter()
        if faults := step():
            raise SystemExit(f"{name}: {faults[:3]}")
        yield name, time.perf_counter() - start


def plain(texts: int, folder: Path) -> Iterator[tuple[str, float]]:
    start = time.perf_counter()
    rows = [row for day in DAYS for row in pl.read_parquet(folder / f"{day}.parquet").iter_rows(named=True)]
    rows.sort(key=lambda row: row["article_id"])
    public = [
        {"id": id, **{name: row[name] for name in ("text", "title", "url", "published_at")}} for id, row in enumerate(rows)
    ]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(public, schema=SCHEMAS["public_texts"]), sink, compression="zstd", compression_level=9)
    yield "build", time.perf_counter() - start
    start = time.perf_counter()
    table = pq.read_table(io.BytesIO(sink.getvalue()))
    for column in table.column_names:
        sum(len(HEX.findall(value.lower())) for value in table.column(column).to_pylist() if isinstance(value, str))
    yield "scan", time.perf_counter() - start


def memory(name: str) -> int:
    """MiB of this process: VmRSS now, or VmHWM at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(f"{name}:"))


def measure(way: str, texts: int, folder: Path, told: multiprocessing.SimpleQueue) -> None:
    run = streamed if way == "streamed" else plain
    before, steps = memory("VmRSS"), {}
    Path("/proc/self/clear_refs").write_text("5")
    for name, spent in run(texts, folder):
        steps[name] = (spent, memory("VmHWM") - before)
        Path("/proc/self/clear_refs").write_text("5")
    told.put((before, steps))


def peak(way: str, texts: int, folder: Path) -> int:
    """Peak over the imports in MiB, of a process of its own."""
    context = multiprocessing.get_context("spawn")
    told = context.SimpleQueue()
    process = context.Process(target=measure, args=(way, texts, folder, told))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{way} with {texts} texts failed")
    before, steps = told.get()
    over = max(peak for _, peak in steps.values())
    each = ", ".join(f"{name} {spent:.1f} s {peak} MiB" for name, (spent, peak) in steps.items())
    say(f"{way:9}{texts:9,} texts  peak {over:6,} MiB over {before} MiB of imports: {each}\n")
    return over


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, nargs=2, default=[10_000, 100_000], metavar="N")
    few, many = parser.parse_args().texts
    found = {}
    for texts in (few, many):
        with tempfile.TemporaryDirectory() as folder:
            write_articles(texts, Path(folder))
            size = sum(path.stat().st_size for path in Path(folder).glob("*.parquet")) / 1e6
            say(f"{texts:,} texts are {size:,.0f} MB of Parquet in {len(DAYS)} days\n")
            found["streamed", texts] = peak("streamed", texts, Path(folder))
            if texts == few:
                shutil.rmtree(Path(folder) / "hub")
                found["plain", texts] = peak("plain", texts, Path(folder))
    say(f"{many / few:.0f} times the texts take {found['streamed', many] / found['streamed', few]:.2f} times the memory\n")
    say(f"plain takes {found['plain', few] / found['streamed', few]:.1f} times the memory at {few:,} texts\n")


if __name__ == "__main__":
    main()
