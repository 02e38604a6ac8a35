"""A live crawl looks what has become of the pages of the day before."""

import polars as pl

from dragon_pipeline_tests.adapters.web.conftest import article

URL = "https://vestnik.example/news/1"
DAY_1 = {1: (1, "Мост через реку открыли утром.")}
NO_LISTING = {"/": {"text": "<html></html>"}}


def rows(table: pl.DataFrame) -> list[tuple]:
    return table.select("url", "status", "reason", "text").rows()


def after_day_1(crawled, playing, vestnik, pages, answers=None, **settings) -> list[tuple]:
    with playing(DAY_1) as site:
        crawled(site, 1, vestnik)
    with playing(pages, answers or NO_LISTING) as site:
        return rows(crawled(site, 2, vestnik, **settings)["vestnik"])


def test_what_has_not_changed_is_left_out(crawled, playing, vestnik):
    assert after_day_1(crawled, playing, vestnik, DAY_1) == [(URL, "left_out", "unchanged", None)]


def test_a_change_of_words_is_a_version_of_the_day_it_was_seen_on(crawled, playing, vestnik):
    edited = {1: (1, "Мост через реку открыли вечером.")}
    assert after_day_1(crawled, playing, vestnik, edited) == [(URL, "ok", None, "Мост через реку открыли вечером.")]


def test_a_change_of_markup_alone_is_none(crawled, playing, vestnik):
    page = {"text": page_with("<aside>Реклама дня</aside>", DAY_1[1][1])}
    assert after_day_1(crawled, playing, vestnik, DAY_1, NO_LISTING | {"/news/1": page}) == [
        (URL, "left_out", "unchanged", None)
    ]


def page_with(more: str, text: str) -> str:
    return article(1, text).replace("<body>", f"<body>{more}")


def test_what_is_gone_is_a_failed_row(crawled, playing, vestnik):
    for status in (404, 410):
        gone = NO_LISTING | {"/news/1": {"text": "", "status": status}}
        assert after_day_1(crawled, playing, vestnik, DAY_1, gone) == [(URL, "failed", f"http_{status}", None)]


def test_a_page_that_the_listings_show_too_is_asked_for_once(crawled, playing, vestnik):
    with playing(DAY_1) as site:
        crawled(site, 1, vestnik)
        crawled(site, 2, vestnik)
        assert site.urls.count(URL) == 2


def test_a_crawl_of_a_day_long_past_asks_for_no_other_day(crawled, playing, vestnik):
    with playing(DAY_1) as site:
        crawled(site, 1, vestnik)
    with playing(DAY_1, NO_LISTING) as site:
        table = crawled(site, 2, vestnik, gateway_shows_days=False, today=30)["vestnik"]
        assert (table.height, URL in site.urls) == (0, False)


def test_days_further_back_are_asked_for_when_the_settings_say_so(crawled, playing, vestnik):
    with playing(DAY_1) as site:
        crawled(site, 1, vestnik)
    with playing(DAY_1, NO_LISTING) as site:
        assert crawled(site, 3, vestnik)["vestnik"].is_empty()
        assert rows(crawled(site, 3, vestnik, revisit_days=2)["vestnik"]) == [(URL, "left_out", "unchanged", None)]


def test_another_way_of_reading_is_no_change(crawled, playing, vestnik):
    other = vestnik.model_copy(update={"drop_paragraphs": ("утром",)})
    other.__dict__.pop("digest", None)
    page = {"text": page_with("<aside>Реклама дня</aside>", DAY_1[1][1] + "\nЕхать можно уже сегодня.")}
    first = {"text": page_with("", DAY_1[1][1] + "\nЕхать можно уже сегодня.")}
    with playing(DAY_1, {"/news/1": first}) as site:
        crawled(site, 1, vestnik, archive="b")
    with playing(DAY_1, NO_LISTING | {"/news/1": page}) as site:
        assert rows(crawled(site, 2, other, archive="b")["vestnik"]) == [(URL, "left_out", "unchanged", None)]


def test_a_page_kept_under_a_twin_of_its_address_is_known(crawled, playing, vestnik):
    twin = {
        "/": {"text": f'<a href="{URL}?utm_source=front">1</a>'},
        "/news/1?utm_source=front": {"text": page_with("", DAY_1[1][1])},
    }
    with playing(DAY_1) as site:
        crawled(site, 1, vestnik)
    with playing(DAY_1, twin) as site:
        assert crawled(site, 2, vestnik)["vestnik"]["reason"].to_list() == ["unchanged"]
        assert URL not in site.urls
