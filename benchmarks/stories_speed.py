"""Stories: seconds, memory and recall of the candidates by library, a month of 90,000 articles, and how ids last.

python benchmarks/stories_speed.py ../shared/data

The corpus is built of the sentences of real articles: each text of 1,500 to 2,500 characters, one in eight a reprint of one of
the day before with a quarter of its sentences cut and others added. Each library works in a process of its own.
"""

import random
import re
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import polars as pl
from datasketch import MinHash, MinHashLSH
from rensa import RMinHash, RMinHashLSH  # pyright: ignore[reportAttributeAccessIssue]

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.corpus.shingles import shingle
from dragon_pipeline.core.corpus.stories import BANDS, LEAST, ROWS, candidates, cluster
from dragon_pipeline.core.table import DAY

DAYS, OUTLETS, REPRINTED = 30, 11, 1 / 8
Pairs = set[tuple[int, int]]

say = sys.stdout.write


def build(data: Path, count: int) -> pl.DataFrame:
    """ARTICLES of DAYS days, as many of each, in order."""
    draw = random.Random(7)
    texts = read_articles(data / "news" / "news.jsonl.gz").rows["text"].to_list()
    sentences = [part for text in texts for part in re.split(r"(?<=[.!?…])\s+|\n", text) if len(part) > 30]
    built: list[list[str]] = []
    for number in range(count):
        if number > 100 and draw.random() < REPRINTED:
            base = built[draw.randrange(max(0, number - count // DAYS), number)]
            text = [part for part in base if draw.random() > 0.25] + draw.choices(sentences, k=2)
            if draw.random() < 0.5:
                draw.shuffle(text)
        else:
            text, length = [], draw.randint(1500, 2500)
            while sum(map(len, text)) < length:
                text.append(draw.choice(sentences))
        built.append(text)
    days = [f"2024-03-{number * DAYS // count + 1:02}" for number in range(count)]
    return pl.DataFrame(
        {
            "article_id": [f"{number * 7919 % 1_000_003:06}" for number in range(count)],
            "url": [f"https://news.example/{number}" for number in range(count)],
            "outlet": [f"outlet{number % OUTLETS}" for number in range(count)],
            "published_at": [f"{day}T10:00:00+03:00" for day in days],
            "text": [" ".join(text) for text in built],
            DAY: days,
        }
    )


def by_rensa_and_numpy(sets: list[np.ndarray]) -> Pairs:
    return set(map(tuple, candidates(sets).tolist()))


def by_rensa(sets: list[np.ndarray]) -> Pairs:
    sketches = RMinHash.from_token_sets([[value.tobytes() for value in one] for one in sets], ROWS * BANDS, 1)
    index, pairs = RMinHashLSH(LEAST, ROWS * BANDS, BANDS), set()
    for number, sketch in enumerate(sketches):
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def by_datasketch(sets: list[np.ndarray]) -> Pairs:
    index, pairs = MinHashLSH(num_perm=ROWS * BANDS, params=(BANDS, ROWS)), set()
    for number, one in enumerate(sets):
        sketch = MinHash(num_perm=ROWS * BANDS, seed=1, hashfunc=int)
        sketch.update_batch((one >> np.uint64(32)).tolist())
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def by_numpy(sets: list[np.ndarray]) -> Pairs:
    """What ADR 0010 had: every hash function over every shingle, buckets in a dictionary."""
    terms, factors = np.random.default_rng(1).integers(1, 2**63, (2, ROWS * BANDS), dtype=np.uint64)
    factors |= np.uint64(1)
    signatures = np.stack([(one[None, :] * factors[:, None] + terms[:, None]).min(axis=1) for one in sets])
    pairs: Pairs = set()
    for band in range(BANDS):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for number, row in enumerate(np.ascontiguousarray(signatures[:, band * ROWS : (band + 1) * ROWS])):
            buckets[row.tobytes()].append(number)
        pairs.update(chain.from_iterable(combinations(members, 2) for members in buckets.values()))
    return pairs


def by_plain_loop(sets: list[np.ndarray]) -> Pairs:
    """Every article with every other, exactly."""
    plain = [set(one.tolist()) for one in sets]
    return {
        (a, b)
        for a, b in combinations(range(len(plain)), 2)
        if (common := len(plain[a] & plain[b])) and common >= LEAST * (len(plain[a]) + len(plain[b]) - common)
    }


LIBRARIES: dict[str, Callable[[list[np.ndarray]], Pairs]] = {
    "rensa's signatures, banded in numpy": by_rensa_and_numpy,
    "rensa with its LSH": by_rensa,
    "datasketch": by_datasketch,
    "own numpy (ADR 0010)": by_numpy,
    "plain loop": by_plain_loop,
}


def measure(name: str, texts: list[str]) -> tuple[float, float, Pairs]:
    """Seconds of processor, MB above the shingles, pairs."""
    sets = shingle(texts)
    before, started = _peak(), time.process_time()
    pairs = LIBRARIES[name](sets)
    return time.process_time() - started, _peak() - before, pairs


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_own_process(function: Callable, *arguments):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def libraries(articles: pl.DataFrame) -> None:
    texts = articles["text"].to_list()
    found = {name: in_own_process(measure, name, texts) for name in LIBRARIES}
    exact = found["plain loop"][2]
    best = found["rensa's signatures, banded in numpy"][0]
    say(f"candidates of {len(texts)} articles, {len(exact)} pairs of Jaccard {LEAST} or more, {ROWS} × {BANDS} values\n")
    for name, (seconds, megabytes, pairs) in found.items():
        recall = len(pairs & exact) / len(exact)
        say(
            f"  {name}: {seconds:.1f} s ({seconds / best:.1f} times), {megabytes:.0f} MB, "
            f"{len(pairs)} pairs, recall {recall:.3f}\n"
        )


def month(data: Path, count: int) -> tuple[float, float, float, int]:
    articles = build(data, count)
    wall, processor = time.perf_counter(), time.process_time()
    stories = cluster(articles)["story_id"].n_unique()
    return time.perf_counter() - wall, time.process_time() - processor, _peak(), stories


def lasting(articles: pl.DataFrame, days: int = 20) -> None:
    """How many articles of a window have another story id in the next day's, and how many another company."""
    before: dict[str, str] = {}
    names = sorted(articles[DAY].unique())
    ids = companies = seen = 0
    for last in range(days - 1, len(names)):
        of_window = articles.filter(pl.col(DAY).is_between(pl.lit(names[last - days + 1]), pl.lit(names[last])))
        now = dict(cluster(of_window).select("article_id", "story_id").iter_rows())
        common = before.keys() & now.keys()
        ids += sum(before[one] != now[one] for one in common)
        old, new = _companies(before, common), _companies(now, common)
        companies += sum(old[before[one]] != new[now[one]] for one in common)
        seen += len(common)
        before = now
    moves = len(names) - days
    say(f"  windows of {days} days, moved by one: of {seen // moves} articles {ids / moves:.1f} get another id a day")
    say(f", {companies / moves:.1f} another company\n")


def _companies(story_of: dict[str, str], among: set[str]) -> dict[str, frozenset[str]]:
    members: dict[str, set[str]] = defaultdict(set)
    for one in among:
        members[story_of[one]].add(one)
    return {story: frozenset(some) for story, some in members.items()}


def main(data: Path) -> None:
    libraries(build(data, 3000))
    for count in (30_000, 90_000):
        wall, processor, peak, stories = in_own_process(month, data, count)
        say(
            f"{count} articles of {DAYS} days: {wall:.0f} s ({processor:.0f} s of processor), peak {peak:.0f} MB, "
            f"{stories} stories\n"
        )
    rows = read_articles(data / "news" / "news.jsonl.gz").rows
    say("the real month, 100 articles a day\n")
    real = rows.with_row_index("article_id").with_columns(pl.col("article_id").cast(pl.String).str.zfill(6))
    lasting(real)
    say("the built one, 300 a day\n")
    lasting(build(data, 9000))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
