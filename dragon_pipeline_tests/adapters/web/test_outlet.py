from datetime import date

import pytest

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import load_outlets, parse_outlet
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput

GOOD = """
hosts: [vestnik.example, www.vestnik.example]
host: vestnik.example
drop_params: [x]
entries: [{kind: feed, url: "http://vestnik.example/rss"}]
articles: ['/a/\\d+', '/b/.*']
skip: [/print/]
extract: [{by: json_ld}]
"""


def test_an_entry_names_the_day_it_is_asked_for():
    day = date(2026, 3, 4)
    assert Entry(kind="archive", url="http://a.example/{day:%Y/%m/%d}/").address(day) == "http://a.example/2026/03/04/"
    by_seconds = Entry(kind="sitemap", url="http://a.example/s.xml?from={start}&to={end}")
    assert by_seconds.address(day) == "http://a.example/s.xml?from=1772571600&to=1772658000"


@pytest.mark.parametrize(
    ("url", "article"),
    [
        ("http://vestnik.example/a/1", True),
        ("https://WWW.vestnik.example/a/1?utm_source=x", True),
        ("http://vestnik.example/a/1/more", False),
        ("http://vestnik.example/b/print/1", False),
        ("http://sub.vestnik.example/a/1", False),
        ("http://vestnik.example.evil.example/a/1", False),
        ("http://vestnik.example@evil.example/a/1", False),
        ("http://vestnik.example:8080/a/1", False),
        ("ftp://vestnik.example/a/1", False),
        ("http://[", False),
    ],
)
def test_articles_are_known_by_host_and_path(url, article):
    assert parse_outlet("vestnik", GOOD).is_article(url) is article


def test_a_crawl_of_the_past_asks_what_knows_the_past():
    kinds = {"feed": "rss", "page": "front", "sitemap": "s.xml", "archive": "{day:%Y%m%d}"}
    entries = [f'{{kind: {kind}, url: "http://vestnik.example/{path}"}}' for kind, path in kinds.items()]
    entries += [f'{{kind: page, url: "http://vestnik.example/{when}", when: {when}}}' for when in ("always", "live", "past")]
    outlet = parse_outlet("vestnik", GOOD.replace(GOOD.splitlines()[4], f"entries: [{', '.join(entries)}]"))
    asked = {
        live: [entry.url.rpartition("/")[2] for entry in outlet.entries_for(date(2026, 3, 4), live)] for live in (True, False)
    }
    assert asked[True] == ["rss", "front", "s.xml", "{day:%Y%m%d}", "always", "live"]
    assert asked[False] == ["s.xml", "{day:%Y%m%d}", "always", "past"]


@pytest.mark.parametrize(
    ("pattern", "path", "day"),
    [
        (r"/(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d)/\w+/", "/2026/03/04/slovo/", date(2026, 3, 4)),
        (r"/(?P<date>\d{8})/\w+", "/20260304/slovo", date(2026, 3, 4)),
        (r"/\w+-(?P<day>\d\d)-(?P<month>\d\d)-(?P<year>\d{4})", "/slovo-04-03-2026", date(2026, 3, 4)),
        (r"/(?P<date>\d{8})/\w+", "/20261304/slovo", None),
        (r"/(?P<date>\d{8})/\w+", "/00010101/slovo", None),
        (r"/(?P<year>\d{4})/\w+", "/2026/slovo", None),
        (r"/\w+", "/slovo", None),
        (r"/(?P<date>\d{8})/\w+", "/slovo", None),
    ],
)
def test_the_day_in_an_address_is_read_by_the_pattern(pattern, path, day):
    outlet = parse_outlet("vestnik", GOOD).model_copy(update={"articles": (pattern,)})
    assert outlet.url_day(f"http://vestnik.example{path}") == day


def test_the_digest_is_the_declarations():
    one, same = parse_outlet("vestnik", GOOD), parse_outlet("vestnik", GOOD)
    assert one.digest == same.digest
    assert one.digest != parse_outlet("vestnik", GOOD + "until: ['^©']").digest


def test_url_rules_are_the_cores():
    hosts = ("vestnik.example", "www.vestnik.example")
    assert parse_outlet("vestnik", GOOD).url_rules == UrlRules(hosts=hosts, host="vestnik.example", drop_params=("x",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("by: json_ld", "by: magic"), "extract"),
        (GOOD.replace("http://vestnik.example/rss", "http://other.example/rss"), "on none of the hosts"),
        (GOOD.replace("/print/", "'('"), "vestnik.yaml"),
        (GOOD + "colour: red", "colour"),
        ("- a list", "no YAML mapping"),
        ("a: [", "no YAML mapping"),
        ("hosts: []", "hosts"),
        (GOOD + "remove: ['a[']", "is no CSS selector"),
        (GOOD + "until: ['(']", "is no pattern"),
        (GOOD.replace("/rss", "/{month}"), "not understood"),
        (GOOD.replace("kind: feed", "kind: archive"), "an archive needs {day}"),
        (GOOD.replace("kind: feed", "kind: page, items: li"), "go together"),
        (GOOD.replace("kind: feed", "kind: sitemap, children: 'x'"), "none of the groups"),
        (GOOD.replace("by: json_ld", "by: next, fields: {title: t}"), "needs `root`"),
        (GOOD.replace("by: json_ld", "by: next, root: '[', fields: {}"), "is no JMESPath"),
    ],
)
def test_a_wrong_declaration_says_what_is_wrong(text, says):
    with pytest.raises(BadInput, match=r"outlets/vestnik\.yaml") as error:
        parse_outlet("vestnik", text)
    assert says in str(error.value)


def test_an_unknown_outlet_is_named_with_those_that_there_are():
    with pytest.raises(BadInput, match=r"no outlet `nope`; there are .*motor-city"):
        load_outlets(["motor-city", "nope"])


def test_outlets_come_in_the_order_asked_for():
    assert list(load_outlets(["motor-city", "afisha-kvartal"])) == ["motor-city", "afisha-kvartal"]


REAL = "okko afisha lenta letidor moslenta motor quto tass gazeta ria rg".split()


@pytest.mark.parametrize("name", REAL)
def test_every_real_outlet_lists_its_days_over_https_long_after_them(name):
    outlet = load_outlets([name])[name]
    day = date(2024, 2, 29)
    assert outlet.entries_for(day, live=False)
    assert all(entry.address(day).startswith("https://") for entry in outlet.entries)
