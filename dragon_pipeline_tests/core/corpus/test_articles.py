import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.articles import SHORTEST, Increment, increment
from dragon_pipeline.core.corpus.ledger import build_ledger, read_pages
from dragon_pipeline.core.records import ARTICLES, CRAWL, LEDGER

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4


def page(text=BODY, url="https://vesti.example/most", fetch=0, **values):
    row = dict.fromkeys(CRAWL.columns) | {"url": url, "outlet": "vesti", "fetch": fetch, "status": "ok", "extractor": "json_ld"}
    return row | {"title": "Мост открыт", "text": text} | values


def run_days(*days: list[dict]) -> list[Increment]:
    """The increments of consecutive days, each against the ledgers of the days before."""
    ledgers, results = [], []
    for number, pages in enumerate(days, start=1):
        crawled, day = CRAWL.frame(pages), f"2024-03-{number:02}"
        ledgers.append(build_ledger(crawled, {}).with_columns(day=pl.lit(day)))
        results.append(increment(crawled, in_batches(ledgers), day, {}))
    return results


def in_batches(ledgers: list[pl.DataFrame]) -> Batches:
    return Batches(
        LEDGER, lambda columns: (day.select(columns)[start:][:2] for day in ledgers for start in range(0, day.height, 2))
    )


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
    assert first == Increment(first.articles, 0, {}, 0)
    assert first.articles.equals(ARTICLES.empty())


def test_a_page_that_is_gone_has_vanished_when_the_window_knew_it():
    gone = page(status="failed", reason="http_410", text=None)
    never = page(url="https://vesti.example/never", status="failed", reason="http_404", text=None)
    down = page(url="https://vesti.example/2", status="failed", reason="timeout", text=None)
    _, second = run_days([page(), page(url="https://vesti.example/2")], [gone, never, down])
    assert (second.vanished, second.dropped) == (1, {"http_404": 1, "http_410": 1, "timeout": 1})


def test_a_page_that_is_gone_under_one_of_its_addresses_has_not_vanished():
    _, second = run_days([page()], [page(), page("", "https://vesti.example/amp/most", status="failed", reason="http_404")])
    assert (second.vanished, second.unchanged) == (0, 1)


def test_what_the_site_says_is_unchanged_is_unchanged():
    _, second = run_days(
        [page()], [page(status="left_out", reason="unchanged"), page(url="x", status="left_out", reason="other_day")]
    )
    assert (second.unchanged, second.dropped) == (1, {"other_day": 1})


def test_versions_are_counted_over_days_on_which_nothing_changed_and_edits_within_a_day():
    (_, second, third) = run_days([page()], [page(), page(BODY + "Утром.", fetch=1)], [page(BODY + "Вечером.")])
    assert [(one.articles["change"][0], one.articles["version"][0]) for one in (second, third)] == [
        ("changed", 2),
        ("changed", 3),
    ]


def test_an_edit_that_only_its_amp_twin_shows_yet_is_taken_by_its_date():
    twin = page(BODY + "Уточнено.", "https://vesti.example/amp/most", modified_at="2024-03-02T18:00:00+03:00")
    _, second, third = run_days([page()], [page(modified_at="2024-03-01T10:00:00+03:00"), twin], [page(BODY + "Уточнено.")])
    assert second.articles.select("text", "change", "version").row(0) == (BODY + "Уточнено.", "changed", 2)
    assert third.unchanged == 1


PAGES = st.builds(
    lambda site, content, fetch, modified, state: page(
        BODY[: 150 + 60 * content],
        f"https://vesti.example{site}",
        fetch,
        modified_at=modified,
        status=state[0],
        reason=state[1],
    ),
    st.sampled_from(["/a", "/amp/a", "/b", "/b/", "x"]),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from([None, None, "2024-03-01", "2024-03-02T10:00:00+03:00", "вчера"]),
    st.sampled_from([("ok", None)] * 4 + [("failed", "timeout"), ("failed", "http_404"), ("left_out", "unchanged")]),
)
WEEKS = st.lists(st.lists(PAGES, max_size=6), min_size=1, max_size=4)


@settings(max_examples=60)
@given(WEEKS)
def test_every_row_is_an_article_or_has_a_reason_and_no_article_comes_twice(days):
    results = run_days(*days)
    for pages, result in zip(days, results, strict=True):
        assert result.articles.height + result.unchanged + sum(result.dropped.values()) == len(pages)
    ids = pl.concat([result.articles for result in results])["article_id"]
    assert ids.n_unique() == ids.len()


@settings(max_examples=60)
@given(WEEKS)
def test_it_is_what_a_plain_reading_of_the_rule_gives(days):
    """Articles alone, from pages alone: no ledger, no window to be joined."""
    history: list[tuple[str, str, bool]] = []
    for pages, result in zip(days, run_days(*days), strict=True):
        read, _ = read_pages(CRAWL.frame(pages), {})
        expected, today = [], []
        for url in sorted({page.url for page in read}):
            of_url = sorted((page for page in read if page.url == url), key=lambda page: page.precedence)
            today += [(url, page.content_hash, page.content_hash == of_url[-1].content_hash) for page in of_url]
            known = {content for other, content, _ in history if other == url}
            if (url, of_url[-1].content_hash, True) in history or len(of_url[-1].text) < SHORTEST:
                continue
            version = len(known | {page.content_hash for page in of_url})
            expected.append((of_url[-1].article_id, of_url[-1].text, version, "changed" if known else "new"))
        assert result.articles.select("article_id", "text", "version", "change").rows() == sorted(expected)
        history += today
