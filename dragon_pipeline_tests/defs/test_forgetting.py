"""Tables in a folder and in an object store alike."""

from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from upath import UPath

from dragon_pipeline.core.corpus.forgetting import Doomed
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.corpus.traces import Traces
from dragon_pipeline.core.records import TABLES
from dragon_pipeline.core.table import FLAG, FLOAT, INT, LIST
from dragon_pipeline.defs.forgetting import ORDER, counted, rewrite, survey, touched
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home

URL, OTHER = "https://a.example/1", "https://a.example/2"
SENTENCE = "Мастерскую в Костроме открыли после долгого ремонта весной."
BOTH = "Обе заметки кончаются одной и той же длинной фразой редакции."
KNOWN = Forgotten(b"k" * 32, lambda word: {word.lower()})
PLAIN = {INT: 0, FLOAT: 0.0, FLAG: False, LIST: []}


def rows(name: str, *told: dict) -> pl.DataFrame:
    empty = {one: None if column.null else PLAIN.get(column.dtype, "") for one, column in TABLES[name].columns.items()}
    return TABLES[name].frame([{**empty, **one} for one in told])


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Tables:
    """Two days; on the first an article `a` that is to be forgotten, on both one that stays, `b`."""
    made = Tables(UPath(tmp_path / "tables") if request.param == "folder" else UPath(f"memory://forgetting{tmp_path}"))
    for day, articles in (("2025-09-01", "ab"), ("2025-09-02", "b")):
        url = {"a": URL, "b": OTHER}
        text = {"a": f"{SENTENCE} {BOTH}", "b": BOTH}
        ids = [{"article_id": one, "url": url[one], "text": text[one], "title": "Мастерская"} for one in articles]
        put(made, "crawl/import", day, [{"url": f"{url[one]}?utm_source=x", "outlet": "a", "status": "ok"} for one in articles])
        put(made, "articles", day, ids)
        put(made, "ledger", day, [{"article_id": one["article_id"], "url": one["url"]} for one in ids])
        put(
            made,
            "triplets",
            day,
            [{"triplet_id": f"t{one}", "article_id": one, "head": "Дом", "tail": "Ухта"} for one in articles],
        )
        put(made, "facts", day, [{"fact_id": f"f{one}", "article_id": one, "sentence": text[one]} for one in articles])
        put(made, "qa", day, [{"qa_id": f"q{one}", "fact_ids": [f"f{one}"], "article_ids": [one]} for one in articles])
        put(made, "verdicts", day, [{"qa_id": f"q{one}"} for one in articles])
        put(made, "release", day, [{"dataset": "public_texts", "path": "x"}])
    return made


def put(store: Tables, asset: str, day: str, told: list[dict]) -> None:
    store.write(dg.AssetKey(asset.split("/")), day, rows(asset.split("/")[0], *told))


@pytest.fixture
def found(store: Tables, tmp_path: Path):
    doomed = Doomed(Forgotten(KNOWN.key, KNOWN.forms, frozenset({KNOWN.hash(URL)})), {})
    return survey(store, Home(tmp_path / "home"), doomed, Traces(), (500, 100))


def test_what_there_is_of_a_page_is_found(store: Tables, found):
    doomed = found.doomed
    assert (doomed.pages, doomed.articles, doomed.facts, doomed.questions) == ({URL}, {"a"}, {"fa"}, {"qa"})
    assert found.days == {"2025-09-01"}
    assert counted(store, found) == dict.fromkeys(("verdicts", "qa", "facts", "triplets", "articles", "ledger", "crawl"), 1)
    assert found.traces.hits([SENTENCE, BOTH, URL, "Мастерская"]) == [True, False, True, False]


def test_only_its_rows_go_and_untouched_tables_are_not_written(store: Tables, found):
    told = [(asset, day, gone) for asset, day, _, gone in rewrite(store, found, (*ORDER, "crawl"))]
    assert {day for _, day, _ in told} == {"2025-09-01"}
    assert {asset for asset, _, _ in told} == {*counted_tables(), "crawl/import"}
    for day in ("2025-09-01", "2025-09-02"):
        assert store.read("articles", [day])["article_id"].to_list() == ["b"]
        assert store.read("qa", [day])["qa_id"].to_list() == ["qb"]
    crawled = store.read("crawl/import", ["2025-09-01"])
    assert sorted(crawled["status"]) == ["left_out", "ok"]
    assert list(rewrite(store, found, (*ORDER, "crawl"))) == [], "once is enough"


def counted_tables() -> set[str]:
    return {"verdicts", "qa", "facts", "triplets", "articles", "ledger"}


def test_releases_of_all_days_whose_window_holds_it_are_emptied(store: Tables, found):
    assert touched(store, found.days, window_days=1) == ["2025-09-01"]
    days = touched(store, found.days, window_days=2)
    assert days == ["2025-09-01", "2025-09-02"]
    assert [day for _, day, _, _ in rewrite(store, found, ["release"], days)] == days
    assert store.read("release", days).is_empty()
