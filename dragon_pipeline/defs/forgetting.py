"""What a home holds of a page or a person, and taking it out of the tables, what follows from an article before the article.

A process that is killed anywhere leaves enough to find the rest by: the next one finishes.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import dagster as dg
import polars as pl

from dragon_pipeline.core.corpus.forgetting import FLOW, OF_QUESTIONS, Doomed
from dragon_pipeline.core.corpus.traces import Traces
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home
from rag_bench.chunks import chunks

OF_RELEASES = ("answers", "release")
ORDER = (
    *("verdicts", "rejected", "accepted", "qa", "subgraphs", "facts", "candidates", "triplets", "mentions", "stories"),
    *("articles", "ledger"),
)
"""in which tables are written; `crawl` comes after the raw pages"""


SAID_BY_OTHERS = {"articles": ("title", "text"), "qa": ("question",)}


@dataclass
class Found:
    """What there is of it."""

    doomed: Doomed
    traces: Traces
    days: set[str] = field(default_factory=set)
    """days with rows of its articles"""
    texts: dict[str, str] = field(default_factory=dict)
    """article_id → text"""
    contexts: set[str] = field(default_factory=set)
    """texts that may have been embedded"""
    pairs: set[tuple[str, str]] = field(default_factory=set)
    """heads and tails of its triplets"""


def assets(store: Tables, table: str) -> list[str]:
    """The assets of a table that have been stored: `crawl/import`, `crawl/lenta`, …"""
    if table not in ("crawl", "answers"):
        return [table] if store.days(table) else []
    folder = store.root / table
    return sorted(f"{table}/{path.name}" for path in folder.iterdir() if path.is_dir()) if folder.exists() else []


def survey(store: Tables, home: Home, doomed: Doomed, traces: Traces, chunk: tuple[int, int]) -> Found:
    """Reads everything, day by day. `chunk`: size and overlap of the baselines' chunks."""
    found = Found(doomed, traces)
    for _, crawled in _crawled(store, home):
        doomed.note_crawl(crawled)
    for table in FLOW:
        for day in store.days(table):
            going = doomed.note(table, store.read(table, [day]).drop(DAY), day)
            if going.height:
                found.days.add(day)
                _note(found, table, going, chunk)
    everywhere = doomed.everywhere()
    for day, crawled in _crawled(store, home):
        going = crawled.filter(everywhere.going(crawled, doomed.rules))
        found.days |= {day} if going.height else set()
        for row in going.iter_rows(named=True):
            _note_row(traces, row)
    for page in doomed.pages:
        traces.add_address(page)
    _spare(store, found)
    return found


def _note_row(traces: Traces, row: dict) -> None:
    traces.add_address(row["url"])
    traces.add_address(row["canonical"])
    for name in ("title", "lead", "text"):
        traces.add_text(row[name])


def _spare(store: Tables, found: Found) -> None:
    """What other articles and questions say too is no trace of this one."""
    for table, columns in SAID_BY_OTHERS.items():
        for day in store.days(table) if found.traces.said else ():
            frame = store.read(table, [day]).drop(DAY)
            rest = frame.filter(~found.doomed.going(table, frame, day))
            found.traces.spare([text for name in columns for text in rest[name].drop_nulls()])


def touched(store: Tables, days: Iterable[str], window_days: int) -> list[str]:
    """Days in whose window one of the days is: their releases hold it, and so may what was answered to them."""
    known = sorted({day for table in OF_RELEASES for asset in assets(store, table) for day in store.days(asset)})
    stored = store.days("articles")
    return [day for day in known if set(days) & {day, *[other for other in stored if other <= day][-window_days:]}]


def rewrite(
    store: Tables, found: Found, tables: Iterable[str], only: Iterable[str] | None = None
) -> Iterator[tuple[str, str, pl.DataFrame, int]]:
    """Writes what stays of these tables, of these days only if they are told; gives asset, day, what stays and how many rows
    went, of each table that changed."""
    for table in tables:
        for asset in assets(store, table):
            for day in store.days(asset) if only is None else sorted(set(only) & set(store.days(asset))):
                frame = store.read(asset, [day]).drop(DAY)
                left = found.doomed.left(table, frame, day, found.traces.hits)
                if not left.equals(frame):
                    store.write(dg.AssetKey(asset.split("/")), day, left)
                    yield asset, day, left, int(_going(found.doomed, table, frame, day).sum())


def counted(store: Tables, found: Found) -> dict[str, int]:
    """Rows that would go, by table."""
    counts: dict[str, int] = {}
    for table in (*ORDER, "crawl"):
        for asset in assets(store, table):
            for day in store.days(asset):
                frame = store.read(asset, [day]).drop(DAY)
                going = _going(found.doomed, table, frame, day)
                counts[table] = counts.get(table, 0) + int(going.sum())
    return {table: number for table, number in counts.items() if number}


def _going(doomed: Doomed, table: str, frame: pl.DataFrame, day: str) -> pl.Series:
    return doomed.everywhere().going(frame, doomed.rules) if table == "crawl" else doomed.going(table, frame, day)


def _crawled(store: Tables, home: Home) -> Iterator[tuple[str, pl.DataFrame]]:
    for asset in assets(store, "crawl"):
        for day in store.days(asset):
            yield day, store.read(asset, [day]).drop(DAY)
    for day in home.imported_days():
        yield day, home.imported(day)


def _note(found: Found, table: str, going: pl.DataFrame, chunk: tuple[int, int]) -> None:
    NOTES[table](found, going, chunk)


def _note_articles(found: Found, going: pl.DataFrame, chunk: tuple[int, int]) -> None:
    found.traces.add_ids(going["article_id"])
    for article, url, title, text in going.select("article_id", "url", "title", "text").iter_rows():
        found.traces.add_address(url)
        found.traces.add_text(title)
        found.traces.add_text(text)
        found.texts[article] = text
        found.contexts |= {one.text for one in chunks([{"id": 0, "text": text}], *chunk)}


def _note_triplets(found: Found, going: pl.DataFrame, chunk: tuple[int, int]) -> None:
    """With the names and sentences that are embedded when names are looked up (core/knowledge/candidates.py)."""
    found.traces.add_ids(going["triplet_id"])
    names: dict[str, set[str]] = {}
    sentences: dict[str, set[str]] = {}
    for row in going.iter_rows(named=True):
        head, relation, tail, article = row["head"], row["relation"], row["tail"], row["article_id"]
        found.contexts.add(f"{relation}. {head} {relation} {tail}")
        found.pairs.add((head, tail))
        names.setdefault(article, set()).update((head, tail))
        sentences.setdefault(article, set()).add(found.texts.get(article, "")[row["start"] : row["stop"]])
    found.contexts |= {f"{name}. {said}" for article in names for name in names[article] for said in sentences[article]}


def _note_facts(found: Found, going: pl.DataFrame, chunk: tuple[int, int]) -> None:
    found.traces.add_ids(going["fact_id"])


def _note_questions(found: Found, going: pl.DataFrame, chunk: tuple[int, int]) -> None:
    found.traces.add_ids(going["qa_id"])
    for question in going["question"].drop_nulls() if "question" in going.columns else ():
        found.traces.add_question(question)
        found.contexts.add(question)


NOTES: dict[str, Callable[[Found, pl.DataFrame, tuple[int, int]], None]] = {
    "articles": _note_articles,
    "ledger": lambda found, going, chunk: found.traces.add_ids(going["article_id"]),
    "triplets": _note_triplets,
    "facts": _note_facts,
    **dict.fromkeys(OF_QUESTIONS, _note_questions),
}
