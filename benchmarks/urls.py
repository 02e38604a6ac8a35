"""Canonical URLs of real addresses: how many change, which fall together, whether their twins do, how fast.

python benchmarks/urls.py ../shared/data
"""

import gzip
import sys
import time
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline_tests.core.corpus.url_twins import twins

say = sys.stdout.write


def measure(name: str, urls: list[str]) -> None:
    groups: dict[str, list[str]] = defaultdict(list)
    started = time.process_time()
    for url in urls:
        groups[canonical_url(url)].append(url)
    seconds = time.process_time() - started
    started = time.process_time()
    for url in urls:
        urlsplit(url)
    split = time.process_time() - started
    changed = sum(url != canonical for canonical, found in groups.items() for url in found)
    say(f"{name}: {len(urls)} addresses, {changed} changed, {len(groups)} canonical ones\n")
    say(f"  {len(urls) / seconds:,.0f} a second, {seconds / split:.1f} times urlsplit alone\n")
    for canonical, found in sorted(groups.items()):
        if len(found) > 1:
            say(f"  {canonical} ← {' '.join(found)}\n")


def measure_twins(urls: list[str]) -> None:
    """Of addresses of pages; a doubled address or one that carries another is a twin itself."""
    made, missed = 0, Counter()
    example: dict[str, tuple[str, str]] = {}
    for url in urls:
        if ":" in urlsplit(url).netloc or urlsplit(url).netloc.startswith("amp."):
            continue
        canonical = canonical_url(url)
        for name, twin in twins(url).items():
            made += 1
            if canonical_url(twin) != canonical:
                missed[name] += 1
                example[name] = (twin, canonical)
    say(f"  {made} twins of them, {sum(missed.values())} do not fall together\n")
    for name, count in missed.most_common():
        say(f"    {count} {name}: {example[name][0]} is not {example[name][1]}\n")


def main(data: Path) -> None:
    with gzip.open(data / "news" / "same-event-url-pairs.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in lines][1:]
    for name, urls in (
        ("same-event pairs", sorted(set(chain.from_iterable(pairs)))),
        ("articles", sorted(set(read_articles(data / "news" / "news.jsonl.gz").rows["url"]))),
    ):
        measure(name, urls)
        measure_twins(urls)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
