"""Draws triplets of the rules with their sentences for an editor to read, and counts the editor's verdicts.

    python benchmarks/triplets.py draw news.jsonl.gz --seed first [--number 50] [--articles 300]
    python benchmarks/triplets.py count docs/triplets.csv
    python benchmarks/triplets.py yield news.jsonl.gz [--articles 100]

`draw` takes articles at random, then kept triplets at random, one of an article at most, and prints each with its sentence:
does the sentence state it, as a reader would understand head, relation and tail? What only somebody quoted or named there
claims is not stated, unless the relation says so; how people are described inside a quotation is. `yield` counts kept
triplets and those that may be asked, per article, of the first articles. The file is that of the news articles or of NEREL
(its split dev, unless said). Everything depends on the seed and the texts alone.
"""

import argparse
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
from readings import count

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.records import ARTICLES
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing, yielding = commands.add_parser("draw"), commands.add_parser("yield")
    for command, articles in ((drawing, 300), (yielding, 100)):
        command.add_argument("file", type=Path)
        command.add_argument("--articles", type=int, default=articles)
        command.add_argument("--split", default="dev", help="of NEREL")
    drawing.add_argument("--seed", required=True)
    drawing.add_argument("--number", type=int, default=50)
    commands.add_parser("count").add_argument("file", type=Path)
    given = parser.parse_args()
    if given.command == "count":
        say(count(given.file, "stated"))
    elif given.command == "yield":
        say(per_article(read(given.file, given.split)[: given.articles]))
    else:
        drawn = shuffled(read(given.file, given.split), given.seed, lambda row: row["article_id"])[: given.articles]
        say(draw(drawn, given.seed, given.number))


def read(path: Path, split: str) -> list[dict]:
    """Rows of `articles`, in the order of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [_article(row) for row in found if row.get("split", split) == split]


def _article(row: dict) -> dict:
    url = row.get("url") or row["id"]
    lead = [row["lead"]] if row.get("lead") else []
    return {
        "article_id": content_id(url), "url": url, "outlet": row.get("outlet", "nerel"), "version": 1, "change": "new",
        "title": row.get("title") or "", "text": "\n".join([*lead, row["text"]]), "author": None, "section": None,
        "published_at": row.get("published_on"),
    }  # fmt: skip


def shuffled(rows: list[dict], seed: str, key: Callable[[dict], str]) -> list[dict]:
    return sorted(rows, key=lambda row: hashlib.sha256(f"{seed} {key(row)}".encode()).hexdigest())


def triplets(articles: list[dict]) -> pl.DataFrame:
    frame = ARTICLES.frame(articles)
    return extract(frame, find_mentions(frame, NatashaEntities()), RuleExtractor())


def draw(articles: list[dict], seed: str, number: int) -> str:
    texts = {row["article_id"]: row["text"] for row in articles}
    kept = triplets(articles).filter(pl.col("status") == "kept").to_dicts()
    lines, seen = [f"{len(kept)} kept triplets of {len(articles)} articles"], set()
    for row in shuffled(kept, seed, lambda row: row["triplet_id"]):
        if row["article_id"] not in seen and len(seen) < number:
            seen.add(row["article_id"])
            lines.append(f"{row['triplet_id']} {row['head']} | {row['relation']} | {row['tail']} [{row['tail_kind']}]")
            lines.append("    " + texts[row["article_id"]][row["start"] : row["stop"]])
    return "\n".join(lines)


def per_article(articles: list[dict]) -> str:
    found = triplets(articles)
    kept = found.filter(pl.col("status") == "kept")
    asked = kept.filter(pl.col("wording").is_not_null() & ~pl.col("wording").fill_null("").str.contains("held_back"))
    dropped = Counter(found.filter(pl.col("status") == "dropped")["reason"])
    each, may = kept.height / len(articles), asked.height / len(articles)
    lines = [
        f"{len(articles)} articles: {each:.2f} kept triplets each, {may:.2f} that may be asked",
        "dropped: " + ", ".join(f"{reason} {number}" for reason, number in dropped.most_common()),
    ]
    relations = Counter(kept["relation"])
    return "\n".join([*lines, "kept: " + ", ".join(f"{name} {number}" for name, number in relations.most_common(25))])


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
