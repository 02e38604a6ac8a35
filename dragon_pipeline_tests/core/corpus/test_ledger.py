from dragon_pipeline.core.corpus.ledger import build_ledger, canonical_of
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.records import CRAWL, LEDGER

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4


def page(url="https://vesti.example/most", fetch=0, **values):
    row = dict.fromkeys(CRAWL.columns) | {"url": url, "outlet": "vesti", "fetch": fetch, "status": "ok", "extractor": "json_ld"}
    return row | {"title": "Мост открыт", "text": BODY} | values


def ledger_of(*pages, rules=None):
    return build_ledger(CRAWL.frame(list(pages)), rules or {})


def test_every_content_is_kept_and_the_latest_wins():
    ledger = ledger_of(
        page(text=BODY + "Старая версия.", modified_at="2024-03-04T10:00:00+03:00"),
        page(text=BODY + "Новая версия.", modified_at="2024-03-04T09:00:00Z", fetch=1),
        page(text=BODY + "Совсем старая и самая длинная версия из всех трёх.", fetch=2),
    )
    LEDGER.check(ledger)
    assert ledger.height == 3
    assert ledger.filter("latest")["fetch"].to_list() == [1]


def test_without_dates_the_page_fetched_last_wins():
    ledger = ledger_of(page(text=BODY + "Первая и более длинная."), page(text=BODY + "Вторая.", fetch=1))
    assert ledger.filter("latest")["fetch"].to_list() == [1]


def test_an_amp_twin_is_the_same_page_and_loses_to_it():
    amp = page("https://vesti.example/amp/most?utm_source=x", text=BODY + "Реклама.")
    ledger = ledger_of(page(), amp)
    assert ledger["url"].unique().to_list() == ["https://vesti.example/most"]
    assert ledger.filter("latest")["article_id"].to_list() == ledger_of(page())["article_id"].to_list()


def test_an_amp_twin_fetched_later_is_the_later_version():
    amp = page("https://vesti.example/amp/most", fetch=1, text=BODY + "Уточнено.")
    assert ledger_of(page(), amp).filter("latest")["fetch"].to_list() == [1]


def test_equal_content_under_two_addresses_of_a_page_is_one_row():
    assert ledger_of(page(), page("https://m.vesti.example/most/")).equals(ledger_of(page()))


def test_what_a_page_says_of_its_address_counts_on_its_own_host_only():
    stated = "https://www.vesti.example/news/most/"
    assert canonical_of("https://vesti.example/most?id=1", stated, UrlRules()) == "https://vesti.example/news/most"
    for foreign in ("https://other.example/most", "https://vesti.example/", "not an address", None):
        assert canonical_of("https://vesti.example/most", foreign, UrlRules()) == "https://vesti.example/most"


def test_a_page_that_says_it_is_another_does_not_replace_it():
    claims = page(
        "https://vesti.example/promo", title="Совсем другое", canonical="https://vesti.example/most", modified_at="2090-01-01"
    )
    true = page(modified_at="2024-03-04T10:00:00+03:00")
    ledger = ledger_of(claims, true)
    assert ledger["url"].unique().to_list() == ["https://vesti.example/most"]
    assert ledger.filter("latest")["article_id"].to_list() == ledger_of(true)["article_id"].to_list()


def test_a_page_that_moved_is_at_its_new_address():
    moved = page("https://vesti.example/most?id=1", canonical="https://vesti.example/most")
    assert ledger_of(moved).filter("latest")["url"].to_list() == ["https://vesti.example/most"]


def test_an_outlet_s_rules_hold_for_that_outlet():
    rules = {"vesti": UrlRules(drop_params=("page",))}
    assert ledger_of(page("https://vesti.example/x?page=2"), rules=rules)["url"].to_list() == ["https://vesti.example/x"]
    assert ledger_of(page("https://vesti.example/x?page=2", outlet="other"), rules=rules)["url"][0].endswith("?page=2")


def test_failed_and_unreadable_rows_have_no_place():
    failed = page("https://vesti.example/gone", status="failed", reason="http_404", text=None, title=None)
    assert ledger_of(failed, page("mailto:x", fetch=1), page(text=" ", fetch=2)).equals(LEDGER.empty())
    assert build_ledger(CRAWL.empty(), {}).equals(LEDGER.empty())


def test_a_date_that_is_none_is_null():
    ledger = ledger_of(page(published_at="вчера", modified_at="2024-02-30T00:00:00Z"))
    assert ledger["published_at"].to_list() == ledger["modified_at"].to_list() == [None]


def test_the_order_of_the_crawl_does_not_matter():
    pages = [page(text=BODY + str(number), fetch=number) for number in range(4)] + [
        page(f"https://b.example/{n}") for n in range(3)
    ]
    crawled = CRAWL.frame(pages)
    assert build_ledger(crawled, {}).equals(build_ledger(crawled.sample(fraction=1, shuffle=True, seed=1), {}))
