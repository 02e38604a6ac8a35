"""Stories: what is merged, how right that is, and how the processor time grows.

    python benchmarks/stories.py ../shared/data

Reads news/same-event-text-pairs.tsv.gz (pairs labelled same event or not) and news/news.jsonl.gz (3,000 articles).
"""

import csv
import gzip
import sys
import time
from pathlib import Path

import polars as pl
from datasketch import MinHash, MinHashLSH

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.corpus.articles import SHORTEST
from dragon_pipeline.core.corpus.cleaning import clean
from dragon_pipeline.core.corpus.shingles import shingle
from dragon_pipeline.core.corpus.stories import BANDS, ROWS, THRESHOLD, candidates, cluster, similarity

say = sys.stdout.write


def labelled_pairs(path: Path) -> None:
    csv.field_size_limit(2**24)
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        rows = [
            row
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["GOLDEN:quality"] in ("OK", "BAD")
        ]
    pairs = []
    for row in rows:
        texts = [clean("", "", row[f"INPUT:{which}_text"]).text for which in ("first", "second")]
        if min(map(len, texts)) >= SHORTEST:
            pairs.append((similarity(*shingle(texts)), row["GOLDEN:quality"]))
    say(f"labelled pairs, both texts of {SHORTEST} characters or more: {len(pairs)}\n")
    for threshold in (0.15, 0.2, 0.25, 0.3, THRESHOLD, 0.4, 0.5):
        merged = [label for similarity, label in pairs if similarity >= threshold]
        same, all_same = merged.count("OK"), sum(label == "OK" for _, label in pairs)
        say(f"  from {threshold:.2f}: {len(merged):3} merged, {same} of them the same event; {all_same} are in all\n")


def real_articles(articles: pl.DataFrame) -> None:
    started = time.process_time()
    stories = cluster(articles)
    seconds = time.process_time() - started
    grouped = stories.filter(pl.len().over("story_id") > 1).join(articles.select("article_id", "title"), on="article_id")
    say(f"{articles.height} real articles: {seconds:.1f} s, {grouped['story_id'].n_unique()} stories of several articles\n")
    one_title = grouped.group_by("story_id").agg(pl.col("title").n_unique() == 1)["title"].sum()
    say(f"  in {one_title} of them all titles are the same; the others, with the similarity:\n")
    for row in grouped.filter(pl.col("title").n_unique().over("story_id") > 1).sort("story_id").iter_rows(named=True):
        say(f"    {row['story_id']} {row['similarity']:.2f} {row['title']}\n")


def growth(articles: pl.DataFrame) -> None:
    """Pieces of the real articles as many short ones."""
    rows = [
        {"article_id": f"{row['article_id']}{start:06}", "url": f"{row['url']}/{start}", "outlet": row["outlet"], "text": text}
        for row in articles.iter_rows(named=True)
        for start in range(0, len(row["text"]), 1200)
        if len(text := row["text"][start : start + 1200]) > 800
    ]
    for count in (4000, 8000, 16000):
        pieces = pl.DataFrame(rows).head(count)
        started = time.process_time()
        cluster(pieces)
        say(f"{pieces.height} pieces of up to 1,200 characters: {time.process_time() - started:.1f} s\n")


def against_datasketch(articles: pl.DataFrame) -> None:
    """The candidates alone, over the same shingles and the same bands."""
    sets = shingle(articles["text"].to_list())
    started = time.process_time()
    ours = len(candidates(sets))
    seconds = time.process_time() - started
    started = time.process_time()
    index, pairs = MinHashLSH(num_perm=ROWS * BANDS, params=(BANDS, ROWS)), 0
    for number, shingles in enumerate(sets):
        sketch = MinHash(num_perm=ROWS * BANDS, seed=1)
        sketch.update_batch([value.tobytes() for value in shingles])
        pairs += len(index.query(sketch))
        index.insert(number, sketch)
    theirs = time.process_time() - started
    say(f"{len(sets)} articles, candidates: ours {seconds:.1f} s ({ours} pairs), datasketch {theirs:.1f} s ({pairs} pairs)\n")


def main(data: Path) -> None:
    labelled_pairs(data / "news" / "same-event-text-pairs.tsv.gz")
    crawled = read_articles(data / "news" / "news.jsonl.gz").rows
    rows = [
        {"article_id": f"{number:06}", "url": row["url"], "outlet": row["outlet"], "title": cleaned.title, "text": cleaned.text}
        for number, row in enumerate(crawled.iter_rows(named=True))
        if len((cleaned := clean(row["title"], row["lead"], row["text"])).text) >= SHORTEST
    ]
    articles = pl.DataFrame(rows)
    real_articles(articles)
    growth(articles)
    against_datasketch(articles)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
