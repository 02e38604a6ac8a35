"""How `dragon diff` finds what a page was before, and how it shows it."""

import io
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console
from upath import UPath

from dragon_pipeline.commands.diff import difference, print_diff
from dragon_pipeline.core.corpus.articles import increment
from dragon_pipeline.core.corpus.ledger import build_ledger
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.records import CRAWL, MENTIONS, TABLES
from dragon_pipeline.defs.io_manager import to_bytes
from dragon_pipeline.defs.tables import Tables

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4
MONDAY, TUESDAY, WEDNESDAY = "2025-09-01", "2025-09-02", "2025-09-03"


def page(text: str | None, path: str = "most", title: str = "Мост открыт", **values) -> dict:
    row = {"url": f"https://vesti.example/{path}", "outlet": "vesti", "fetch": 0, "status": "ok", "extractor": "json_ld"}
    return dict.fromkeys(CRAWL.columns) | row | {"title": title, "text": text} | values


@pytest.fixture
def store(tmp_path: Path) -> Tables:
    return Tables(UPath(tmp_path))


def run(store: Tables, day: str, *pages: dict) -> None:
    crawled = CRAWL.frame(list(pages))
    put(store, "crawl/vesti", day, crawled)
    put(store, "ledger", day, build_ledger(crawled, {}))
    put(store, "articles", day, increment(crawled, store.batches("ledger", store.days("ledger")), day, {}).articles)


def put(store: Tables, asset: str, day: str, frame: pl.DataFrame) -> None:
    path = store.path(asset, day)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(to_bytes(TABLES[asset.split("/")[0]], frame))


def test_names_come_from_the_tables_of_mentions_where_they_hold_them(store: Tables):
    run(store, MONDAY, page(BODY + "Его построила Анна Ким."))
    run(store, TUESDAY, page(BODY + "Его построил Пётр Лось."))
    for day, name in ((MONDAY, "Некто"), (TUESDAY, "Никто")):
        article_id = store.read("articles", [day])["article_id"][0]
        mention = {"article_id": article_id, "kind": "PER", "text": name, "start": 0, "stop": 5, "normal": name, "lemmas": name}
        put(store, "mentions", day, MENTIONS.frame([mention]))
    (told,) = difference(store, TUESDAY, None).changed
    assert (told.names_removed, told.names_added) == (("Некто",), ("Никто",))


def test_names_are_found_anew_where_no_table_holds_them(store: Tables):
    run(store, MONDAY, page(BODY + "Его построила Анна Кузнецова."))
    run(store, TUESDAY, page(BODY + "Его построил Пётр Морозов."))
    (told,) = difference(store, TUESDAY, None).changed
    assert (told.names_removed, told.names_added) == (("Анна Кузнецова",), ("Пётр Морозов",))


def test_a_text_that_no_table_of_articles_of_the_window_holds_comes_from_the_crawl(store: Tables):
    run(store, MONDAY, page(BODY + "Стоил 5 рублей."))
    run(store, TUESDAY, page(BODY + "Стоил 5 рублей."))
    run(store, WEDNESDAY, page(BODY + "Стоил 6 рублей."))
    store.path("articles", MONDAY).unlink()
    (told,) = difference(store, WEDNESDAY, None).changed
    assert (told.numbers_removed, told.numbers_added, told.before) == (("5",), ("6",), TUESDAY)
    store.path("crawl/vesti", TUESDAY).unlink()
    assert difference(store, WEDNESDAY, None).changed[0].kept is None


def test_a_day_that_was_not_run_and_an_outlet_that_is_not_there_are_said(store: Tables):
    with pytest.raises(BadInput, match=r"2025-09-02: .* has no ledger of this day; run it first \(`dragon run --day"):
        difference(store, TUESDAY, None)
    run(store, TUESDAY, page(BODY))
    with pytest.raises(BadInput, match="--outlet lenta: 2025-09-02 has vesti"):
        difference(store, TUESDAY, "lenta")
    assert len(difference(store, TUESDAY, "vesti").new) == 1


@pytest.mark.parametrize("terminal", [True, False])
def test_what_a_page_says_is_shown_as_it_is(store: Tables, terminal: bool):
    run(store, MONDAY, page(BODY, title="Мост [red]закрыт[/red]"), page(BODY, "sad"))
    run(
        store,
        TUESDAY,
        page(BODY + "Стоил 1,5 млн рублей.", title="Мост [/b] открыт"),
        page(None, "sad", status="failed", reason="http_404"),
    )
    shown = io.StringIO()
    print_diff(difference(store, TUESDAY, None), Console(file=shown, force_terminal=terminal, width=200, soft_wrap=True))
    for told in ("Мост [red]закрыт[/red]", "Мост [/b] открыт", "1500000", "100% kept", "http_404", "https://vesti.example/sad"):
        assert told in shown.getvalue()
