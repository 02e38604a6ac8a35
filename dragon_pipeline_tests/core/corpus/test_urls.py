import gzip
import string
from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.urls import UrlRules, canonical_url
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline_tests.core.corpus.url_twins import twins

PAGE = "https://vesti.example/news/2024/03/04/most"


@pytest.mark.parametrize(
    "twin",
    [
        "http://vesti.example/news/2024/03/04/most",
        "HTTPS://WWW.Vesti.Example:443/news/2024/03/04/most/",
        "http://vesti.example:80/news/2024/03/04/most",
        "https://m.vesti.example/news/2024/03/04/most",
        "https://amp.vesti.example/news/2024/03/04/most/",
        "https://vesti.example/amp/news/2024/03/04/most/",
        "https://vesti.example/news/2024/03/04/most/amp/",
        "https://vesti.example/news/2024/03/04/most.amp",
        "https://vesti.example/news/2024/03/04/most?amp",
        "https://vesti.example/news/2024/03/04/most/?utm_source=tg&UTM_Campaign=x&yclid=1&fbclid=2&from=main#comments",
        "https://vesti.example/news/2024/03/04/most?utm_source=a&amp;utm_medium=b",
        "https://vesti.example//news/./2024/x/../03/04/most/index.html",
        "https://vesti-example.cdn.ampproject.org/c/s/vesti.example/news/2024/03/04/most",
        "https://www.google.com/amp/s/vesti.example/news/2024/03/04/most",
        "https://vesti-example.turbopages.org/vesti.example/s/news/2024/03/04/most",
        "https://amp.vesti.example/?p=http://www.vesti.example/news/2024/03/04/most",
        "https://amp.vesti.example/?p=http%3A%2F%2Fwww.vesti.example%2Fnews%2F2024%2F03%2F04%2Fmost",
        "https://vesti.examplehttps://vesti.example/news/2024/03/04/most",
        "  https://user:word@vesti.example./news/2024/03/04/%6Dost \n",
    ],
)
def test_twins_of_a_page_have_one_address(twin):
    assert canonical_url(twin) == PAGE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x?id=1", "https://a.example/x?id=2"),
        ("https://a.example/x?id=1", "https://a.example/x"),
        ("https://a.example/News", "https://a.example/news"),
        ("https://sport.a.example/x", "https://a.example/x"),
        ("https://a.example:8080/x", "https://a.example/x"),
        ("http://a.example:8080/x", "https://a.example:8080/x"),
        ("https://a.example/index.php/x", "https://a.example/x"),
        ("https://a.example/x%2Fy", "https://a.example/x/y"),
        ("https://a.example/?p=1", "https://a.example/?p=2"),
        ("https://a.example/x?q=a%26b", "https://a.example/x?q=a&b"),
        ("https://a.example/#!/1", "https://a.example/#!/2"),
        ("https://a.example/example", "https://a.example/ex"),
        ("https://m.com.ua/x", "https://com.ua/x"),
        ("https://m.ru/x", "https://ru/x"),
    ],
)
def test_different_pages_keep_different_addresses(one, other):
    assert canonical_url(one) != canonical_url(other)


def test_parameters_and_escapes_have_one_order_and_form():
    assert canonical_url("https://a.example/x?b=2&a=1&b=1") == "https://a.example/x?a=1&b=2&b=1"
    escaped = "https://a.example/%d0%bc%d0%be%d1%81%d1%82?%D0%B2=%D0%B4%D0%B0"
    assert (
        canonical_url("https://a.example/мост?в=да")
        == canonical_url(escaped)
        == "https://a.example/" + ("%D0%BC%D0%BE%D1%81%D1%82?%D0%B2=%D0%B4%D0%B0")
    )


def test_cyrillic_host_is_written_in_its_ascii_form():
    assert canonical_url("https://ВЕСТИ.рф/x") == canonical_url("http://xn--b1agj9af.xn--p1ai/x/")


def test_outlet_rules_fold_hosts_and_choose_parameters():
    hosts = ("old.example", "www.new.example")
    rules = UrlRules(hosts, host="www.new.example", drop_params=("*",), keep_params=("id", "from"))
    address = "https://www.new.example/x?from=7&id=1"
    assert canonical_url("http://old.example/x/?id=1&from=7&page=2", rules) == address
    assert canonical_url("https://m.new.example/x?from=7&id=1", rules) == address
    assert canonical_url("https://other.example/x?id=1&page=2", rules) == "https://other.example/x?id=1"


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            "",
            "vesti.example/x",
            "ftp://vesti.example/x",
            "javascript:alert(1)",
            "mailto:a@b.example",
            "https://",
            "https:///x",
        ),
        *(
            "http://a b.example/",
            "https://exa\ud800mple.ru/",
            "https://a.example:99999/",
            "https://[::1/",
            "https://-.example/x",
        ),
        *("/news/1", "https://a..example/", "http://ex\0ample.ru/"),
    ],
)
def test_what_is_no_web_address_is_refused(wrong):
    with pytest.raises(BadInput):
        canonical_url(wrong)


LABELS = ["www", "m", "amp", "google", "vesti", "turbopages", "cdn", "ampproject", "org", "com", "ru", "рф"]
HOSTS = st.lists(st.sampled_from(LABELS), min_size=2)
SEGMENTS = st.sampled_from(
    [
        *(
            "amp",
            "s",
            "c",
            "..",
            ".",
            "",
            "index.html",
            "a.amp",
            "x;jsessionid=1",
            "%2e%2E",
            "%41%zz",
            "мост",
            "vesti.ru",
            "https:",
        ),
        "?p=http://m.ru/",
    ]
)
URLS = st.builds(
    lambda scheme, host, path, query: f"{scheme}://{'.'.join(host)}/{'/'.join(path)}{query}",
    st.sampled_from(["http", "https", "HTTP"]),
    HOSTS,
    st.lists(SEGMENTS | st.text(string.printable, max_size=5), max_size=6),
    st.sampled_from(["", "?", "?utm_source=1", "?b=1&a=%d0%b0&a", "?p=http%3a%2f%2fm.vesti.ru/amp", "#!/a", "#x"]),
)


@given(URLS)
@example("http://m.google.com/amp/s/www.vesti.ru/amp/")
@example("https://vesti.ru/a.amp.amp/index.html/index.php")
@example("https://amp.vesti.ru/?p=https://amp.vesti.ru/?p=https://vesti.ru/x")
def test_a_canonical_address_is_its_own(url):
    try:
        once = canonical_url(url)
    except BadInput:
        return
    assert canonical_url(once) == once


@given(URLS, st.sampled_from(["utm_source=x", "yclid=7", "amp=1"]))
def test_tracking_changes_nothing(url, tracking):
    try:
        plain = canonical_url(url)
    except BadInput:
        return
    if "#" not in plain:
        assert canonical_url(plain + ("&" if "?" in plain else "?") + tracking) == plain


@pytest.mark.parametrize(
    "page",
    [
        "https://vesti.example/news/2024/03/04/most/",
        "http://www.vesti.example/social/n_1234567.shtml",
        "https://sport.vesti.example/20240304/matchi-1934567890.html",
        "https://vesti.example/doc.html?id=3268103&part=2",
        "https://vesti.example/index.php/novosti/item/43980-most?day=4",
        "https://vesti-plus.example/%D0%BC%D0%BE%D1%81%D1%82/12-otkryli",
    ],
)
def test_whatever_is_made_of_an_address_is_the_same_page(page):
    assert {name for name, twin in twins(page).items() if canonical_url(twin) != canonical_url(page)} == set()
    assert len(set(twins(page).values())) > 40


@pytest.fixture(scope="module")
def real_addresses(shared_data):
    with gzip.open(shared_data / "news" / "same-event-url-pairs.tsv.gz", "rt", encoding="utf-8") as lines:
        return set(chain.from_iterable(line.rstrip("\n").split("\t")[:2] for line in list(lines)[1:]))


def test_no_two_of_the_real_addresses_collapse(real_addresses):
    assert len(real_addresses) > 10_000
    assert len({canonical_url(url) for url in real_addresses}) == len(real_addresses)


def test_the_twins_of_real_addresses_are_theirs(real_addresses):
    some = sorted(real_addresses)[::50]
    assert [url for url in some for twin in twins(url).values() if canonical_url(twin) != canonical_url(url)] == []


@pytest.mark.parametrize("tail", ["/amp" * 900 + "/x", "%20" * 1_200 + "x", ".amp" * 900, "/index.html" * 300])
def test_an_address_made_of_what_is_cut_away_has_a_canonical_one(tail):
    canonical = canonical_url(f"https://vestnik.example/news{tail}")
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize("tail", ["/amp" * 500_000, "%20" * 500_000 + "x", "?a=" + "1" * 4_000, "ы" * 1_000])
def test_an_address_longer_than_any_is_none(tail):
    with pytest.raises(BadInput, match="characters long"):
        canonical_url(f"https://vestnik.example/news{tail}")
