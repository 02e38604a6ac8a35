"""Canonical URLs of real addresses: how many change, how many fall together, how fast.

python benchmarks/urls.py ../shared/data
"""

import gzip
import sys
import time
from collections import defaultdict
from itertools import chain
from pathlib import Path

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.corpus.urls import canonical_url

say = sys.stdout.write


def measure(name: str, urls: list[str]) -> None:
    groups: dict[str, list[str]] = defaultdict(list)
    started = time.perf_counter()
    for url in urls:
        groups[canonical_url(url)].append(url)
    seconds = time.perf_counter() - started
    changed = sum(url != canonical for canonical, twins in groups.items() for url in twins)
    say(
        f"{name}: {len(urls)} addresses, {changed} changed, {len(groups)} canonical ones, {len(urls) / seconds:,.0f} a second\n"
    )
    for canonical, twins in sorted(groups.items()):
        if len(twins) > 1:
            say(f"  {canonical} ← {' '.join(twins)}\n")


def main(data: Path) -> None:
    with gzip.open(data / "news" / "same-event-url-pairs.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in lines][1:]
    measure("same-event pairs", sorted(set(chain.from_iterable(pairs))))
    measure("articles", sorted(set(read_articles(data / "news" / "news.jsonl.gz").rows["url"])))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
