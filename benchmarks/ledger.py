"""A day's `ledger` and `articles` against a window of a million URLs, next to a plain loop over the same tables.

    python benchmarks/ledger.py [--urls 1000000] [--pages 3000] [--rounds 3]

Writes a window of 30 ledgers and a day of pages of 2,700 characters into a temporary folder: a sixth of the pages unchanged
in the window, a sixth changed, the rest new. Each part runs in a process of its own, by turns; seconds from the files to the
finished frame, medians of the rounds, and what its memory grew by at most. Cleaning the pages' texts is part of both and told
alone, since nothing else of it depends on the day. That both give the same articles is checked in every round.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
from upath import UPath

from dragon_pipeline.core.corpus.articles import increment
from dragon_pipeline.core.corpus.ledger import build_ledger, latest, read_pages
from dragon_pipeline.core.ids import content_id, sha256
from dragon_pipeline.core.records import CRAWL, LEDGER
from dragon_pipeline.defs.io_manager import batches, read, to_bytes

DAY, DAYS = "2025-10-01", 30
LETTERS = "абвгдежзиклмнопрстуфхцчшыэюя"
say = sys.stdout.write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", nargs=2, metavar=("NAME", "FOLDER"), help="for itself: one part, in this process")
    given = parser.parse_args()
    if given.part:
        say(json.dumps(measured(PARTS[given.part[0]], Path(given.part[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), given.urls, given.pages)
        compare(folder, given.rounds)


def compare(folder: str, rounds: int) -> None:
    found: dict[str, list[dict]] = {name: [] for name in PARTS}
    for _ in range(rounds):
        for name, told in found.items():
            run = [sys.executable, __file__, "--part", name, folder]
            told.append(json.loads(subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True).stdout))
    assert {one["result"] for one in found["articles"]} == {one["result"] for one in found["articles, plain loop"]}
    for name, told in found.items():
        seconds, grown = (statistics.median(one[what] for one in told) for what in ("seconds", "grown"))
        say(f"{name:<21} {seconds:6.2f} s  {grown:6.0f} MiB\n")
    ratios = {
        what: statistics.median(
            plain[what] / ours[what] for plain, ours in zip(found["articles, plain loop"], found["articles"], strict=True)
        )
        for what in ("seconds", "grown")
    }
    say(f"a plain loop takes {ratios['seconds']:.1f} times the time and {ratios['grown']:.1f} times the memory\n")


def measured(part: Callable[[pl.DataFrame, Path], str], folder: Path) -> dict:
    crawled = pl.read_parquet(folder / "crawl.parquet")
    before = peak()
    started = time.perf_counter()
    result = part(crawled, folder)
    return {"seconds": time.perf_counter() - started, "grown": peak() - before, "result": result}


def peak() -> float:
    """MiB, of this process alone: `ru_maxrss` would count what it was forked from"""
    status = Path("/proc/self/status").read_text("ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def cleaning(crawled: pl.DataFrame, _: Path) -> str:
    return str(len(read_pages(crawled, {})[0]))


def ledger(crawled: pl.DataFrame, _: Path) -> str:
    return sha256(to_bytes(LEDGER, build_ledger(crawled, {})))


def articles(crawled: pl.DataFrame, folder: Path) -> str:
    found = increment(crawled, batches(LEDGER, days(folder)), DAY, {})
    return told(found.articles.select("article_id", "version", "change").rows(), found.unchanged)


def plain_articles(crawled: pl.DataFrame, folder: Path) -> str:
    """Whole ledgers into dictionaries, then page by page."""
    contents: dict[str, set[str]] = {}
    today: dict[str, set[str]] = {}
    won: set[str] = set()
    for day, path in days(folder).items():
        for row in read(LEDGER, path).iter_rows(named=True):
            (today if day == DAY else contents).setdefault(row["url"], set()).add(row["content_hash"])
            if row["latest"] and day != DAY:
                won.add(row["article_id"])
    rows, unchanged = [], 0
    for url, page in latest(read_pages(crawled, {})[0]).items():
        if page.article_id in won:
            unchanged += 1
            continue
        known = contents.get(url, set())
        rows.append((page.article_id, len(known | today[url]), "changed" if known else "new"))
    return told(sorted(rows), unchanged)


def told(rows: list[tuple], unchanged: int) -> str:
    return sha256(json.dumps([rows, unchanged]).encode())


PARTS = {"cleaning alone": cleaning, "ledger": ledger, "articles": articles, "articles, plain loop": plain_articles}


def days(folder: Path) -> dict[str, UPath]:
    return {path.stem: UPath(path) for path in sorted((folder / "ledger").iterdir())}


def prepare(folder: Path, urls: int, pages: int) -> None:
    draw = random.Random(1)
    words = ["".join(draw.choices(LETTERS, k=draw.randint(2, 11))) for _ in range(5_000)]
    crawled = CRAWL.frame([page(number, draw, words) for number in range(pages)])
    crawled.write_parquet(folder / "crawl.parquet")
    today = build_ledger(crawled, {})
    changed = today[pages // 6 : pages // 3].with_columns(content_hash=pl.lit("0" * 64), article_id=pl.lit("0" * 16))
    older = pl.concat([today.head(pages // 6), changed, LEDGER.frame([old(number) for number in range(urls - pages // 3)])])
    older = older.sample(fraction=1, shuffle=True, seed=1)
    (folder / "ledger").mkdir()
    write(folder, DAY, today)
    for number in range(DAYS):
        write(folder, f"2025-09-{number + 1:02}", older[number::DAYS].sort(LEDGER.key))


def write(folder: Path, day: str, rows: pl.DataFrame) -> None:
    (folder / "ledger" / f"{day}.parquet").write_bytes(to_bytes(LEDGER, rows))


def page(number: int, draw: random.Random, words: list[str]) -> dict:
    paragraphs = [f"{' '.join(draw.choices(words, k=60)).capitalize()} {draw.randint(1, 9999)} рублей." for _ in range(6)]
    row = {"url": f"https://o{number % 11}.example/news/2025/10/01/{number:08}/", "outlet": f"o{number % 11}", "fetch": 0}
    row |= {"status": "ok", "extractor": "json_ld", "title": f"Новость {number}", "text": "\n".join(paragraphs)}
    return dict.fromkeys(CRAWL.columns) | row | {"published_at": "2025-10-01T10:00:00+03:00", "raw_hash": "0" * 64}


def old(number: int) -> dict:
    url = f"https://o{number % 11}.example/news/2025/09/{number % DAYS + 1:02}/{number:08}"
    content = sha256(str(number).encode())
    row = {"url": url, "content_hash": content, "article_id": content_id(url, content), "outlet": f"o{number % 11}"}
    return row | {"published_at": "2025-09-01T10:00:00+03:00", "modified_at": None, "fetch": 0, "latest": True}


if __name__ == "__main__":
    main()
