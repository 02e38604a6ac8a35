import dagster as dg
import polars as pl
import pytest
from upath import UPath

from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.habits import HALVED, SILENT
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.settings import NewsroomSettings, Settings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.checks.corpus import lost_result
from dragon_pipeline.defs.corpus import articles, crawl, ledger, outlets
from dragon_pipeline.defs.io_manager import ParquetTables
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home

YESTERDAY, TODAY = "2025-09-01", "2025-09-02"
NOTHING = Forgotten(b"", lambda word: ())
BODY = "Завод «Заря» в Костроме начал выпускать подшипники. " * 10


def page(url: str, text: str | None = BODY, reason: str | None = None) -> dict:
    row = dict.fromkeys(CRAWL.columns) | {
        "url": url,
        "outlet": "a",
        "fetch": 0,
        "extractor": "import",
        "title": "Завод",
        "text": text,
    }
    return row | {"status": "failed" if reason else "ok", "reason": reason, "published_at": "2025-09-02"}


def crawled(*pages: dict) -> pl.DataFrame:
    return CRAWL.frame(list(pages)).with_columns(pl.lit(TODAY).alias(DAY))


def test_what_was_imported_for_the_day_is_its_crawl(tmp_path):
    home = Home(tmp_path)
    home.put_imports(crawled(page("https://a.example/1")))
    resources = {"home": home, "settings": Settings(), "forgotten": NOTHING, "io_manager": ParquetTables(UPath(home.tables))}
    assert dg.materialize([crawl], resources=resources, partition_key=TODAY).success
    assert pl.read_parquet(home.tables / "crawl" / "import" / f"{TODAY}.parquet").equals(home.imported(TODAY))


def test_only_what_the_window_did_not_hold_is_an_article(tmp_path):
    home = Home(tmp_path)
    resources = {"home": home, "settings": Settings(), "forgotten": NOTHING, "io_manager": ParquetTables(UPath(home.tables))}
    home.put_imports(crawled(page("https://a.example/1")).with_columns(day=pl.lit(YESTERDAY)))
    home.put_imports(crawled(page("https://a.example/1"), page("https://a.example/2"), page("https://a.example/3", BODY * 2)))
    home.put_imports(crawled(page("https://a.example/3")).with_columns(day=pl.lit(YESTERDAY)))
    for day in (YESTERDAY, TODAY):
        made = dg.materialize([crawl, ledger, articles], resources=resources, partition_key=day)
    (event,) = made.asset_materializations_for_node("articles")
    assert {name: event.metadata[name].value for name in ("new", "changed", "unchanged", "vanished")} == {
        **{"new": 1, "changed": 1, "unchanged": 1, "vanished": 0},
    }
    rows = pl.read_parquet(home.tables / "articles" / f"{TODAY}.parquet").sort("url")
    assert rows.select("url", "change", "version").rows() == [
        ("https://a.example/2", "new", 1),
        ("https://a.example/3", "changed", 2),
    ]


@pytest.mark.parametrize(("lost", "passed"), [(0, True), (1, True), (2, False)])
def test_a_day_that_the_network_took_too_much_of_is_stopped(lost: int, passed: bool):
    failed = [page(f"https://a.example/x{number}", None, "timeout") for number in range(lost)]
    rows = crawled(*(page(f"https://a.example/{number}") for number in range(5 - lost)), *failed)
    assert lost_result("ledger", rows, Settings()).passed is passed


def test_one_outlet_of_several_that_is_lost_stops_no_day():
    gone = [{**page(f"https://b.example/{number}", None, "timeout"), "outlet": "b"} for number in range(9)]
    told = lost_result("ledger", crawled(page("https://a.example/1"), *gone), Settings())
    assert told.passed
    assert told.description == (
        "9 of 10 pages were lost to the network (not counting b, 0% of pages, and 0% of outlets gave none; allowed 20%): b 100%"
    )


def test_outlets_are_held_against_their_days_before_and_nothing_else_is_needed(tmp_path):
    home = Home(tmp_path)
    settings = Settings(newsroom=NewsroomSettings(outlets=("b",)))
    tables = Tables(UPath(home.tables))
    resources = {"home": home, "settings": settings, "tables": tables, "forgotten": NOTHING}
    resources |= {"io_manager": ParquetTables(tables.root)}
    found = {}
    for day, number in (("2025-08-26", 20), ("2025-08-29", 20), ("2025-09-01", 21), (TODAY, 4)):
        home.put_imports(crawled(*(page(f"https://a.example/{day}/{n}") for n in range(number))).with_columns(day=pl.lit(day)))
        found[day] = dg.materialize([crawl, outlets], resources=resources, partition_key=day)
    results = {result.check_name: result for result in found[TODAY].get_asset_check_evaluations()}
    assert not results[HALVED].passed
    assert results[HALVED].severity == dg.AssetCheckSeverity.WARN
    assert results[HALVED].description.startswith("a: 4 articles, usually 20 a day")
    assert results[SILENT].description.startswith("b: no article yet in 4 days")
    assert not any(result.blocking for result in results.values())
    (event,) = found[TODAY].asset_materializations_for_node("outlets")
    assert "| a | 4 | 20 | ███" in event.metadata["outlets"].value
