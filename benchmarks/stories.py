"""Stories: precision and recall on the written pairs, on labelled pairs of real articles, and what is merged of real news.

python benchmarks/stories.py ../shared/data

Seconds and memory, against datasketch and a plain loop: benchmarks/stories_speed.py.
"""

import csv
import gzip
import sys
from collections import Counter
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.corpus.articles import SHORTEST
from dragon_pipeline.core.corpus.cleaning import clean
from dragon_pipeline.core.corpus.marks import Marks
from dragon_pipeline.core.corpus.shingles import shingle, without_boilerplate
from dragon_pipeline.core.corpus.stories import candidates, cluster, similarity
from dragon_pipeline_tests.core.corpus.story_pairs import merged, read_story_pairs, window

SETTLED = 60
"""The rule was found on the pairs of the base articles up to this one; the others were written later."""

say = sys.stdout.write


def written_pairs() -> None:
    pairs = read_story_pairs()
    found = merged(cluster(window(pairs)))
    for name, some in (
        ("all", pairs),
        (f"written after the rule, {SETTLED + 1}–100", [p for p in pairs if p.number > SETTLED]),
    ):
        right = sum(pair.same for pair in some if pair.name in found)
        total = sum(pair.name in found for pair in some)
        say(f"{len(some)} written pairs ({name}): {total} merged, precision {right / total:.3f}\n")
        kinds = Counter(pair.kind for pair in some)
        hits = Counter(pair.kind for pair in some if pair.name in found)
        say("  merged of each kind: " + ", ".join(f"{kind} {hits[kind]}/{kinds[kind]}" for kind in kinds) + "\n")


def labelled_pairs(path: Path) -> None:
    csv.field_size_limit(2**24)
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        rows = [
            row
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["GOLDEN:quality"] in ("OK", "BAD")
        ]
    found: Counter[tuple[str, bool]] = Counter()
    for row in rows:
        texts = [clean("", "", row[f"INPUT:{which}_text"]).text for which in ("first", "second")]
        if min(map(len, texts)) < SHORTEST:
            continue
        one = cluster(_articles(texts, ["https://a.example/1", "https://b.example/1"], ["a", "b"]))["story_id"].n_unique() == 1
        found[row["GOLDEN:quality"], one] += 1
        if one:
            say(f"  {row['GOLDEN:quality']:3} {similarity(*shingle(texts)):.2f} {row['INPUT:first_title'][:70]}\n")
    for label, meaning in (("OK", "the same event"), ("BAD", "another")):
        say(f"labelled pairs, {meaning}: {found[label, True]} merged, {found[label, False]} not\n")


def real_articles(articles: pl.DataFrame) -> None:
    stories = cluster(articles)
    grouped = stories.filter(pl.len().over("story_id") > 1).join(articles.select("article_id", "title"), on="article_id")
    say(f"{articles.height} real articles: {grouped['story_id'].n_unique()} stories of several articles\n")
    one_title = grouped.group_by("story_id").agg(pl.col("title").n_unique() == 1)["title"].sum()
    say(f"  in {one_title} of them all titles are the same; the others, with the similarity:\n")
    for row in grouped.filter(pl.col("title").n_unique().over("story_id") > 1).sort("story_id").iter_rows(named=True):
        say(f"    {row['story_id']} {row['similarity']:.2f} {row['title']}\n")
    nearest(articles, dict(stories.select("article_id", "story_id").iter_rows()))


def nearest(articles: pl.DataFrame, story_of: dict[str, str], shown: int = 30) -> None:
    """The pairs of articles that are most alike and yet two stories."""
    ids, titles, texts = (articles[name].to_list() for name in ("article_id", "title", "text"))
    sets = without_boilerplate(shingle(texts), articles["outlet"].to_list(), articles["url"].to_list())
    marks = Marks(texts)
    pairs = [(similarity(sets[a], sets[b]), a, b) for a, b in candidates(sets).tolist() if story_of[ids[a]] != story_of[ids[b]]]
    say(f"  the {shown} nearest pairs that are two stories: similarity, share of marks, titles\n")
    for alike, a, b in sorted(pairs, reverse=True)[:shown]:
        say(f"    {alike:.2f} {marks.compare(a, b).share:.2f} {titles[a][:60]} | {titles[b][:60]}\n")


def _articles(texts: list[str], urls: list[str], outlets: list[str]) -> pl.DataFrame:
    numbers = [f"{number:06}" for number in range(len(texts))]
    frame = pl.DataFrame({"article_id": numbers, "url": urls, "outlet": outlets, "text": texts})
    return frame.with_columns(day=pl.lit("2024-03-01"), published_at=pl.lit(None, pl.String))


def main(data: Path) -> None:
    written_pairs()
    labelled_pairs(data / "news" / "same-event-text-pairs.tsv.gz")
    crawled = read_articles(data / "news" / "news.jsonl.gz").rows
    cleaned = [clean(row["title"], row["lead"], row["text"]) for row in crawled.iter_rows(named=True)]
    articles = _articles([one.text for one in cleaned], crawled["url"].to_list(), crawled["outlet"].to_list())
    articles = articles.with_columns(title=pl.Series([one.title for one in cleaned]))
    real_articles(articles.filter(pl.col("text").str.len_chars() >= SHORTEST))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
