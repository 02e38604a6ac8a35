import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.articles import SHORTEST, Increment, increment
from dragon_pipeline.core.corpus.ledger import build_ledger
from dragon_pipeline.core.records import ARTICLES, CRAWL

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4


def page(text=BODY, url="https://vesti.example/most", fetch=0, **values):
    row = dict.fromkeys(CRAWL.columns) | {"url": url, "outlet": "vesti", "fetch": fetch, "status": "ok", "extractor": "json_ld"}
    return row | {"title": "Мост открыт", "text": text} | values


def run_days(*days: list[dict]) -> list[Increment]:
    """The increments of consecutive days, each against the ledgers of the days before."""
    before, results = None, []
    for number, pages in enumerate(days, start=1):
        crawled = CRAWL.frame(pages)
        ledger = build_ledger(crawled, {})
        results.append(increment(crawled, ledger, before, {}))
        dated = ledger.with_columns(day=pl.lit(f"2024-03-{number:02}"))
        before = dated if before is None else pl.concat([before, dated])
    return results


def test_an_unseen_page_is_new():
    (first,) = run_days([page(lead="Движение восстановлено.", author="Анна Ким", published_at="2024-03-01T10:00:00+03:00")])
    article = first.articles.row(0, named=True)
    assert (article["change"], article["version"], article["author"]) == ("new", 1, "Анна Ким")
    assert article["text"].startswith("Движение восстановлено.\nМост через реку")
    assert article["published_at"] == "2024-03-01T10:00:00+03:00"


def test_an_unchanged_page_is_not_an_article_again():
    _, second = run_days([page()], [page(BODY.replace(" ", "\u00a0", 3))])
    assert second.articles.equals(ARTICLES.empty())
    assert second.unchanged == 1


def test_an_edited_page_is_changed_and_counts_its_versions():
    _, second, third = run_days([page()], [page(BODY + "Уточнено.")], [page(BODY + "Уточнено снова.")])
    assert [(a.articles["change"][0], a.articles["version"][0]) for a in (second, third)] == [("changed", 2), ("changed", 3)]


def test_a_page_that_goes_back_to_a_known_content_is_unchanged():
    *_, third = run_days([page()], [page(BODY + "Уточнено.")], [page()])
    assert third.unchanged == 1


def test_a_content_that_lost_its_day_is_an_article_when_it_wins_later():
    first, second = run_days([page(BODY + "Черновик."), page(fetch=1)], [page(BODY + "Черновик.")])
    assert first.dropped == {"older_version": 1}
    assert (first.articles["version"][0], first.articles["change"][0]) == (2, "new")
    assert second.articles["change"].to_list() == ["changed"]


def test_of_two_versions_of_a_day_the_latest_is_taken_not_the_longest():
    (first,) = run_days(
        [
            page(BODY + "Короче.", fetch=1, modified_at="2024-03-01T12:00:00+03:00"),
            page(BODY + "Первая редакция, куда более длинная.", modified_at="2024-03-01T11:00:00+03:00"),
        ]
    )
    assert first.articles["text"][0].endswith("Короче.")


def test_drops_are_counted_by_reason():
    (first,) = run_days(
        [
            page(url="https://vesti.example/1", status="failed", reason="http_404"),
            page(url="https://vesti.example/2", status="failed", reason="http_404"),
            page(url="https://vesti.example/3", status="failed", reason="timeout"),
            page(url="https://vesti.example/4", text="Слишком коротко."),
            page(url="https://vesti.example/5", text="\u200b \n"),
            page(url="https://vesti.example/6", title=None),
            page(url="https://vesti.example/7"),
            page(url="https://vesti.example/amp/7"),
            page(url="about:blank"),
        ]
    )
    assert first.dropped == {
        **{"bad_url": 1, "http_404": 2, "no_body": 1, "no_title": 1, "same_page": 1, "timeout": 1, "too_short": 1},
    }
    assert first.articles["url"].to_list() == ["https://vesti.example/7"]


@pytest.mark.parametrize(("length", "kept"), [(SHORTEST - 1, 0), (SHORTEST, 1)])
def test_the_shortest_article_has_its_declared_length(length, kept):
    (first,) = run_days([page("а" * length)])
    assert first.articles.height == kept


def test_a_day_without_pages_is_an_empty_table():
    (first,) = run_days([])
    assert first == Increment(first.articles, 0, {})
    assert first.articles.equals(ARTICLES.empty())


PAGES = st.builds(
    lambda site, content, fetch, status: page(
        BODY[: 150 + 60 * content],
        f"https://vesti.example{site}",
        fetch,
        status=status,
        reason=None if status == "ok" else "timeout",
    ),
    st.sampled_from(["/a", "/amp/a", "/b", "/b/", "x"]),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from(["ok", "ok", "ok", "failed"]),
)


@settings(max_examples=60)
@given(st.lists(st.lists(PAGES, max_size=6), min_size=1, max_size=4))
def test_every_row_is_an_article_or_has_a_reason_and_no_article_comes_twice(days):
    results = run_days(*days)
    for pages, result in zip(days, results, strict=True):
        assert result.articles.height + result.unchanged + sum(result.dropped.values()) == len(pages)
    ids = pl.concat([result.articles for result in results])["article_id"]
    assert ids.n_unique() == ids.len()
