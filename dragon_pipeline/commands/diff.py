"""`dragon diff`: what a day changed in the pages of its outlets."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date, timedelta

import polars as pl
import typer
from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.corpus.diff import CRAWLED, ChangedPage, Day, Diff, Moves, Standing, Version, diff, moves
from dragon_pipeline.core.corpus.ledger import read_pages
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.corpus import url_rules
from dragon_pipeline.defs.engines import entity_finder
from dragon_pipeline.defs.resources import home, settings, tables
from dragon_pipeline.defs.tables import Tables

NEEDED = ("ledger", "articles")
KINDS = ("new", "changed", "unchanged", "vanished")
SHOWN = 12
"""numbers or names in one cell"""


def show_diff(day: date, outlet: str | None, as_json: bool) -> None:
    """Prints the difference that a day made.

    Raises:
        BadInput: the day was not run, or has no page of the outlet.
    """
    told = difference(Tables(tables()), day.isoformat(), outlet)
    if as_json:
        typer.echo(json.dumps(asdict(told), ensure_ascii=False, indent=2))
    else:
        print_diff(told, Console(soft_wrap=True, highlight=False))


def difference(store: Tables, day: str, outlet: str | None) -> Diff:
    for asset in NEEDED:
        if not store.path(asset, day).exists():
            raise BadInput(f"{day}: {home().root} has no {asset} of this day; run it first (`dragon run --day {day}`)")
    found = Day(day, _crawled(store, day), store.read("ledger", [day]), store.read("articles", [day]))
    if outlet:
        found = _only(found, outlet)
    moved = moves(found, store.batches("ledger", _window(store, "ledger", day)), url_rules(settings()))
    articles = [*moved.changed, *_articles_before(store, moved)]
    names = _names(store, articles, moved)
    versions = {row["article_id"]: Version(row["title"], row["text"], names.get(row["article_id"], {})) for row in articles}
    before = {url: versions[at.article_id] for url, at in moved.standing.items() if at.article_id in versions}
    return diff(moved, before, {row["url"]: versions[row["article_id"]] for row in moved.changed})


def _window(store: Tables, asset: str, day: str) -> list[str]:
    first = (date.fromisoformat(day) - timedelta(days=settings().window_days)).isoformat()
    return [other for other in store.days(asset) if first <= other < day]


def _crawled(store: Tables, day: str) -> pl.DataFrame:
    parts = [store.batches(part, [day]).frame(CRAWLED) for part in store.parts("crawl")]
    return pl.concat([CRAWL.empty().select(CRAWLED), *parts])


def _only(day: Day, outlet: str) -> Day:
    known = sorted({*day.crawled["outlet"], *settings().newsroom.names})
    if outlet not in known:
        raise BadInput(f"--outlet {outlet}: {day.day} has {', '.join(known) or 'no outlets'}")
    crawled, ledger, articles = (frame.filter(outlet=outlet) for frame in (day.crawled, day.ledger, day.articles))
    return Day(day.day, crawled, ledger, articles)


def _articles_before(store: Tables, moved: Moves) -> list[dict]:
    """The versions that stood at changed and gone URLs: from `articles`, or, when none of the window holds one, from the crawl
    that saw it last."""
    wanted = [moved.standing[url] for url in (*(row["url"] for row in moved.changed), *moved.gone) if url in moved.standing]
    columns = ("article_id", "url", "title", "text", DAY)
    window = store.batches("articles", _window(store, "articles", moved.day))
    found = window.among(columns, "article_id", [at.article_id for at in wanted]).to_dicts()
    held = {row["article_id"] for row in found}
    return [*found, *_crawled_before(store, [at for at in wanted if at.article_id not in held])]


def _crawled_before(store: Tables, wanted: Iterable[Standing]) -> Iterator[dict]:
    by_day: dict[str, set[str]] = {}
    outlets = {at.outlet for at in wanted}
    for at in wanted:
        by_day.setdefault(at.day, set()).add(at.article_id)
    for day, ids in sorted(by_day.items()):
        for part in store.parts("crawl"):
            pages, _ = read_pages(store.read(part, [day]).filter(pl.col("outlet").is_in(outlets)), url_rules(settings()))
            for page in pages:
                if page.article_id in ids:
                    ids.remove(page.article_id)
                    yield {"article_id": page.article_id, "url": page.url, "title": page.title, "text": page.text, DAY: day}


def _names(store: Tables, articles: list[dict], moved: Moves) -> dict[str, dict[str, str]]:
    """article_id → lemmas → normal form of its names: as `mentions` tells them, else found now."""
    changed = {row["url"] for row in moved.changed}
    compared = {row["article_id"]: row for row in articles if row["url"] in changed}
    days = [*_window(store, "mentions", moved.day), *({moved.day} & set(store.days("mentions")))]
    told = store.batches("mentions", days).among(("article_id", "lemmas", "normal"), "article_id", compared)
    names: dict[str, dict[str, str]] = {}
    read = set(told["article_id"])
    rest = entity_finder().find([row for id, row in compared.items() if id not in read]) if len(read) < len(compared) else ()
    for row in (*told.iter_rows(named=True), *rest):
        names.setdefault(row["article_id"], {})[row["lemmas"]] = row["normal"]
    return names


def print_diff(told: Diff, console: Console) -> None:
    outlets = sorted({page.outlet for kind in KINDS for page in getattr(told, kind)})
    rows = [(name, *(sum(page.outlet == name for page in getattr(told, kind)) for kind in KINDS)) for name in outlets]
    totals = ("all", *(len(getattr(told, kind)) for kind in KINDS))
    print_table(console, ("outlet", *KINDS), [*rows, totals], told.day)
    if told.changed:
        changes = [line for page in told.changed for line in _lines(page)]
        print_table(console, ("changed", "what", "before", "now"), changes)
    if told.vanished:
        gone = [(page.url, page.reason, page.seen, page.title or "") for page in told.vanished]
        print_table(console, ("vanished", "reason", "seen last", "title"), gone)


def _lines(page: ChangedPage) -> Iterator[tuple[str, str, str, str]]:
    yield page.url, "version", page.before or "", str(page.version)
    if page.title_before is not None:
        yield "", "title", page.title_before, page.title
    for what, removed, added in (
        ("numbers", page.numbers_removed, page.numbers_added),
        ("names", page.names_removed, page.names_added),
    ):
        if removed or added:
            yield "", what, _some(removed), _some(added)
    if page.kept is None or page.fresh is None:
        yield "", "text", "no longer known", ""
    else:
        yield "", "text", f"{page.kept:.0%} kept", f"{page.fresh:.0%} fresh"


def _some(values: tuple[str, ...]) -> str:
    rest = f" and {len(values) - SHOWN} more" if len(values) > SHOWN else ""
    return ", ".join(values[:SHOWN]) + rest
