"""Bodies of real pages against the truth: ours, as of a site that is only configured, next to trafilatura alone; and speed.

python benchmarks/extraction.py ../shared/data/html [--differences]

Token F1: of the multisets of words. Speed: medians within this run, on those pages and, with the outlets' own declarations,
on the pages of the fixture sites.
"""

import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial
from pathlib import Path
from statistics import median

import trafilatura

from dragon_pipeline.adapters.web.catalogue import outlet_of
from dragon_pipeline.adapters.web.extraction import extract_page
from dragon_pipeline.adapters.web.outlet import Outlet, load_outlets
from dragon_pipeline.core.settings import SiteSettings
from dragon_pipeline_tests.local_sites.fixtures import read_site

say = sys.stdout.write
SITES = Path(__file__).parents[1] / "dragon_pipeline_tests" / "adapters" / "web" / "sites"
REPEATS = 7
ANY = outlet_of(SiteSettings(name="any", feeds=("https://any.example/rss",)))


@dataclass(frozen=True)
class Truth:
    name: str
    body: bytes
    text: str


def pages(folder: Path) -> Iterator[Truth]:
    """The five pages with their true bodies."""
    marked = json.loads((folder / "article-extraction-ground-truth.json").read_text("utf-8"))
    for name, truth in sorted(marked.items()):
        yield Truth(name[:8], gzip.decompress((folder / f"{name}.html.gz").read_bytes()), truth["articleBody"])
    told = json.loads((folder / "Kommersant.json").read_text("utf-8"))["V1"]["body"]
    parts = [*told["summary"], *(line for one in told["sections"] for line in (*one["headline"], *one["paragraphs"]))]
    yield Truth("Kommersant", gzip.decompress((folder / "Kommersant_2025_05_14.html.gz").read_bytes()), "\n".join(parts))


def ours(outlet: Outlet, body: bytes) -> str:
    page = extract_page(outlet, body, None)
    return page.text or ""


def alone(body: bytes) -> str:
    return trafilatura.extract(body, include_comments=False) or ""


def precise(body: bytes) -> str:
    return trafilatura.extract(body, include_comments=False, include_tables=False, favor_precision=True) or ""


def scored(found: str, true: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of the words."""
    mine, gold = (Counter(re.findall(r"\w+", text.lower())) for text in (found, true))
    shared = (mine & gold).total()
    precision, recall = shared / max(1, mine.total()), shared / max(1, gold.total())
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def ratio(theirs: Callable[[], object], mine: Callable[[], object]) -> float:
    """How many times as long theirs takes: the median of pairs measured one after the other."""
    return median(seconds(theirs) / seconds(mine) for _ in range(REPEATS))


def seconds(task: Callable[[], object]) -> float:
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def accuracy(folder: Path, differences: bool) -> None:
    sums: Counter[str] = Counter()
    given = list(pages(folder))
    for page in given:
        say(f"{page.name}: {len(page.body) // 1000} kB, {len(page.text)} characters of body, ours by {read_by(page)}\n")
        texts = {"ours": ours(ANY, page.body), "trafilatura": alone(page.body), "trafilatura, precise": precise(page.body)}
        for name, text in texts.items():
            precision, recall, f1 = scored(text, page.text)
            sums[name] += f1  # type: ignore[assignment]
            say(f"  {name:22} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}\n")
        if differences:
            lines = (page.text.split("\n"), texts["ours"].split("\n"))
            say("\n".join(line[:160] for line in unified_diff(*lines, "truth", "ours", lineterm="", n=0)) + "\n")
    say("mean F1: " + ", ".join(f"{name} {total / len(given):.3f}" for name, total in sums.items()) + "\n")


def read_by(page: Truth) -> str:
    return extract_page(ANY, page.body, None).extractor


def speed(folder: Path) -> None:
    ratios = {page.name: ratio(partial(alone, page.body), partial(ours, ANY, page.body)) for page in pages(folder)}
    say("times as fast as trafilatura: " + ", ".join(f"{name} {times:.1f}" for name, times in ratios.items()) + "\n")
    for site in map(read_site, sorted(SITES.iterdir())):
        outlet = load_outlets([site.name])[site.name]
        good = {row.url for crawl in site.crawls for row in crawl.rows}
        bodies = [site.body(answer) for answer in site.answers if answer.url in good]
        own = [ratio(partial(alone, body), partial(ours, outlet, body)) for body in bodies]
        say(f"  {site.name:10} {median(own):.1f} times, over {len(own)} pages\n")


if __name__ == "__main__":
    accuracy(Path(sys.argv[1]), "--differences" in sys.argv)
    speed(Path(sys.argv[1]))
