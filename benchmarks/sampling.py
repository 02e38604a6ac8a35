"""How long it takes to draw questions from a window of facts, and how that grows.

    python benchmarks/sampling.py --nerel nerel.jsonl.gz
    python benchmarks/sampling.py --synthetic 250000 1000000

`--nerel`: the relations of NEREL's train and dev as the facts of one day, an article per text; entities are the same when they
are linked to one Wikidata item or, unlinked, have one name and kind. 150 of each type; the median of five runs.
`--synthetic`: so many facts over a window of 30 days, half of them new; three hubs stand in a twentieth of them each (50,000 of
a million), every sixth tail is a number; 400 of each type, the default. One run each, in a process of its own, so that the
peak of memory is its own; the last line is the ratio of the last size to the first.

Seconds are of the wall clock and of the processor; the peak is the resident set of the whole process, of which the tables
that are sampled from are a part (shown). Reading and making those is not in the seconds.
"""

import argparse
import gzip
import json
import multiprocessing
import resource
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.facts import local_id
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.questions.strata import Tally
from dragon_pipeline.core.questions.subgraphs import Sample, sample
from dragon_pipeline.core.records import ARTICLES, FACTS, STORIES
from dragon_pipeline.core.settings import QuestionSettings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.quantities import quantity

TODAY, BEFORE = "2024-03-15", "2024-03-01"
RUNS = 5
HUBS = 3
KINDS = {
    "PERSON": "PER", "ORGANIZATION": "ORG", "DATE": "DATE", "NUMBER": "NUMBER", "MONEY": "NUMBER", "AGE": "NUMBER",
    "PERCENT": "NUMBER", "PROFESSION": "ROLE", "WORK_OF_ART": "WORK", "PRODUCT": "WORK",
} | dict.fromkeys(("CITY", "COUNTRY", "STATE_OR_PROVINCE", "DISTRICT", "LOCATION", "FACILITY"), "LOC")  # fmt: skip
say = sys.stdout.write


@dataclass(frozen=True)
class Tables:
    facts: pl.DataFrame
    stories: pl.DataFrame
    articles: pl.DataFrame

    def sample(self, number: int, draw: Draw) -> Sample:
        return sample(self.facts, self.stories, self.articles, TODAY, QuestionSettings(sampled_per_type=number), draw)


@dataclass(frozen=True)
class Cost:
    wall: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nerel", type=Path)
    parser.add_argument("--synthetic", type=int, nargs="+", default=[])
    given = parser.parse_args()
    if given.nerel:
        apart(_nerel, given.nerel)
    costs = [apart(_synthetic, size) for size in given.synthetic]
    if len(costs) > 1:
        first, last = costs[0], costs[-1]
        edges = given.synthetic[-1] / given.synthetic[0]
        say(f"{edges:.1f} times the facts: {last.wall / first.wall:.1f} times the wall, {last.cpu / first.cpu:.1f} the cpu\n")


def apart(work, argument) -> Cost:
    """Runs it in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (argument,))


def _nerel(path: Path) -> Cost:
    tables = nerel(path)
    costs, tallies = [], {}
    for _ in range(RUNS):
        drawn, cost = timed(tables, 150, Draw(0, lemmas, quantity))
        tallies = drawn.tallies
        costs.append(cost)
    wall, cpu = (statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu"))
    say(f"NEREL train+dev: {tables.facts.height:,} facts of {tables.articles.height:,} texts, 150 of each type\n")
    say(
        f"  median of {RUNS}: {wall:.2f} s wall, {cpu:.2f} s processor; the first {costs[0].wall:.2f} s; peak {peak():.2f} GB\n"
    )
    tell(tallies)
    return Cost(wall, cpu)


def _synthetic(size: int) -> Cost:
    tables = synthetic(size)
    before = peak()
    drawn, cost = timed(tables, 400, Draw(0, str.split, plain))
    hubs = tables.facts.group_by("tail_id").len()["len"].max()
    say(f"synthetic: {size:,} facts, the largest hub {hubs:,}, 400 of each type\n")
    say(f"  {cost.wall:.1f} s wall, {cost.cpu:.1f} s processor; peak {peak():.2f} GB, {before:.2f} of it before\n")
    tell(drawn.tallies)
    return cost


def timed(tables: Tables, number: int, draw: Draw) -> tuple[Sample, Cost]:
    wall, cpu = time.perf_counter(), time.process_time()
    drawn = tables.sample(number, draw)
    return drawn, Cost(time.perf_counter() - wall, time.process_time() - cpu)


def tell(tallies: Mapping[str, Tally]) -> None:
    for name, tally in tallies.items():
        left = ", ".join(f"{reason} {number:,}" for reason, number in tally.left_out.items())
        raised = f"; raised: {dict(tally.raised)}" if tally.raised else ""
        say(f"  {name}: {tally.drawn} of {tally.wanted} out of {tally.candidates:,} ({left}){raised}\n")


def peak() -> float:
    """Gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def plain(kind: str, text: str) -> Quantity | None:
    """The synthetic numbers, so that what is timed is the draw, not the reader of Russian values."""
    return Quantity(Decimal(text), Decimal(text), "") if kind == "NUMBER" else None


def nerel(path: Path) -> Tables:
    facts, articles = [], []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    for document in documents:
        if document["split"] not in ("train", "dev"):
            continue
        article = content_id(document["split"], document["id"])
        entities = {entity["id"]: entity for entity in document["entities"]}
        articles.append(_article(article, document["text"]))
        found = {}
        for head, relation, tail in document["relations"]:
            fact = _fact(article, _end(entities[head]), relation, _end(entities[tail]), document["text"])
            found[fact["fact_id"]] = fact
        facts += found.values()
    return _tables(facts, articles)


def _end(entity: dict) -> tuple[str, str, str, int]:
    """Name, id, kind, offset."""
    kind, name = KINDS.get(entity["type"], "OTHER"), entity["label"] or entity["text"]
    return name, entity["qid"] or local_id(name, kind), kind, entity["start"]


def _fact(article: str, head: tuple, relation: str, tail: tuple, text: str) -> dict:
    start = text.rfind(".", 0, head[3]) + 1
    stop = text.find(".", max(head[3], tail[3])) + 1 or len(text)
    return {
        **dict.fromkeys(FACTS.columns, ""), "fact_id": content_id(article, head[1], relation, tail[1]), "article_id": article,
        "outlet": f"outlet-{int(article, 16) % 7}", "head": head[0], "head_id": head[1], "head_kind": head[2],
        "relation": relation, "relation_id": None, "tail": tail[0], "tail_id": tail[1], "tail_kind": tail[2],
        "novelty": "novel", "statement_id": None, "held_back": None, "sentence": text[start:stop].strip(), "start": start,
        "stop": stop, "wording": None, DAY: TODAY,
    }  # fmt: skip


def _article(article: str, text: str) -> dict:
    return {
        "article_id": article, "url": f"https://{article}.example", "outlet": "", "version": 1, "change": "new", "title": "",
        "text": text, "author": None, "section": None, "published_at": None, DAY: TODAY,
    }  # fmt: skip


def _tables(facts: list[dict], articles: list[dict]) -> Tables:
    stories = [{"story_id": row["article_id"], "article_id": row["article_id"], "similarity": 1.0} for row in articles]
    day = {DAY: pl.String()}
    return Tables(
        pl.DataFrame(facts, schema={**FACTS.schema, **day}),
        STORIES.frame(stories),
        pl.DataFrame(articles, schema={**ARTICLES.schema, **day}),
    )


def synthetic(size: int) -> Tables:
    """Facts of ten an article; a fifth of the nodes of the ends that are no hub, no number."""
    luck = np.random.default_rng(0)
    nodes = size // 5
    head, tail, relation = luck.integers(0, nodes, size), luck.integers(0, nodes, size), luck.integers(0, 300, size)
    which = np.arange(size) % 60
    tail = np.where(which < 3 * HUBS, nodes + which % HUBS, tail)
    number = (which >= 3 * HUBS) & (which < 3 * HUBS + 10)
    article = np.arange(size) // 10
    frame = pl.DataFrame({"head": head, "tail": tail, "relation": relation, "article": article, "number": number}).with_columns(
        article_id=pl.format("{}", pl.col("article").cast(pl.String).str.zfill(16)),
        head=pl.format("Имя-{}", "head"),
        tail=pl.when("number").then(luck.integers(1, 10**6, size).astype(str)).otherwise(pl.format("Имя-{}", "tail")),
        relation=pl.format("глагол-{}", "relation"),
        day=pl.when(pl.col("article") % 2 == 0).then(pl.lit(TODAY)).otherwise(pl.lit(BEFORE)),
    )
    constant = {name: pl.lit("", pl.String()) for name in FACTS.columns if FACTS.columns[name].dtype == pl.String()}
    nothing = {name: pl.lit(None, pl.String()) for name in ("relation_id", "statement_id", "held_back", "wording")}
    facts = frame.select(
        **(constant | nothing | {
            "fact_id": pl.int_range(pl.len()).cast(pl.String).str.zfill(16), "article_id": pl.col("article_id"),
            "outlet": pl.format("outlet-{}", pl.col("article") % 9), "head": pl.col("head"), "tail": pl.col("tail"),
            "head_id": pl.format("local:{}", "head"), "tail_id": pl.format("local:{}", "tail"), "head_kind": pl.lit("ORG"),
            "tail_kind": pl.when("number").then(pl.lit("NUMBER")).otherwise(pl.lit("ORG")), "relation": pl.col("relation"),
            "novelty": pl.lit("novel"), "sentence": pl.format("{} {} {}.", "head", "relation", "tail"),
            "start": pl.int_range(pl.len()) % 10, "stop": pl.int_range(pl.len()) % 10, DAY: pl.col("day"),
        })
    )  # fmt: skip
    articles = frame.select("article_id", DAY, "article").unique("article_id").sort("article_id").select(
        "article_id", url=pl.format("https://{}.example", "article_id"), outlet=pl.lit(""), version=pl.lit(1, pl.Int64()),
        change=pl.lit("new"), title=pl.lit(""), text=pl.lit(""), author=pl.lit(None, pl.String()),
        section=pl.format("тема-{}", pl.col("article") % 12), published_at=pl.lit(None, pl.String()), day=DAY,
    )  # fmt: skip
    stories = articles.select(story_id="article_id", article_id="article_id", similarity=pl.lit(1.0))
    return Tables(FACTS.check(facts), stories, ARTICLES.check(articles))


if __name__ == "__main__":
    main()
