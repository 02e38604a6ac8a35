import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.extraction import Page, extract_page
from dragon_pipeline.adapters.web.outlet import parse_outlet

HEAD = """
hosts: [vestnik.example]
entries: [{kind: feed, url: "http://vestnik.example/rss"}]
articles: ['/a/\\d+']
drop_paragraphs: ['^Ранее ', '^Реклама']
dateline: '[А-ЯЁ-]+, \\d+ [а-я]+\\. /Вестник/\\. '
remove: [.ad]
"""
JSON_LD = parse_outlet("vestnik", HEAD + "extract: [{by: json_ld}]")
CSS = parse_outlet(
    "vestnik",
    HEAD + "extract: [{by: selectors, fields: {title: [h1.new, h1], text: [.body p], published_at: [time]}}]",
)
NEXT = parse_outlet(
    "vestnik",
    HEAD
    + """
extract:
  - by: next
    root: props.page
    fields: {title: title, text: "blocks[?kind=='text'].text", published_at: at, author: "authors[].name"}
""",
)
FIRST_LD_THEN_CSS = parse_outlet(
    "vestnik", HEAD + "extract: [{by: json_ld}, {by: selectors, fields: {title: [h1], text: [.body p], author: [.author]}}]"
)


def ld(**article: object) -> bytes:
    return f'<script type="application/ld+json">{json.dumps(article, ensure_ascii=False)}</script>'.encode()


def test_json_ld_is_read_in_lists_and_graphs_with_any_shape_of_author():
    article = {"@type": ["NewsArticle"], "articleBody": "Раз.\n\nДва.", "author": [{"name": "Ира Белых"}, "Лев Сом"]}
    for wrapped in ({"@graph": [{"@type": "WebSite"}, article]}, {"@graph": {"@graph": [article]}}, article):
        page = extract_page(JSON_LD, ld(**wrapped), "text/html; charset=utf-8")
        assert (page.text, page.author, page.extractor) == ("Раз.\nДва.", "Ира Белых, Лев Сом", "json_ld")


def test_the_body_goes_without_ads_scripts_earlier_news_and_dateline():
    html = """<div class="body"><p>ПЕРМЬ, 4 марта. /Вестник/. Мост <b>открыт</b>.<script>alert(1)</script></p>
    <div class="ad"><p>Купи слона</p></div><p>Реклама</p><p> Движение&nbsp;пустят утром. </p><p>Ранее мост чинили.</p></div>"""
    assert extract_page(CSS, html.encode(), "text/html; charset=utf-8").text == "Мост открыт.\nДвижение пустят утром."


def test_the_first_selector_that_finds_something_counts():
    page = extract_page(CSS, "<h1>Старый</h1><h1 class=new></h1><time>4 марта 2026</time>".encode(), "text/html; charset=utf-8")
    assert (page.title, page.published_at) == ("Старый", "2026-03-04")


def test_a_next_payload_is_read_by_paths():
    data = {"title": "Т", "at": "2026-03-04T10:00:00+03:00", "authors": [{"name": "А"}, {"name": "Б"}]}
    data["blocks"] = [{"kind": "image", "text": "нет"}, {"kind": "text", "text": "<p>Раз &amp; два</p>"}]
    html = f'<script id="__NEXT_DATA__">{json.dumps({"props": {"page": data}})}</script>'.encode()
    page = extract_page(NEXT, html, None)
    assert page == Page(title="Т", text="Раз & два", author="А, Б", published_at="2026-03-04T10:00:00+03:00", extractor="next")


def test_a_later_step_fills_what_the_first_lacks():
    html = ld(**{"@type": "NewsArticle", "headline": "Из данных"}) + '<h1>Из страницы</h1><p class="author">Я</p>'.encode()
    page = extract_page(FIRST_LD_THEN_CSS, html + '<div class="body"><p>Тело.</p></div>'.encode(), "text/html; charset=utf-8")
    assert page == Page(title="Из данных", text="Тело.", author="Я", extractor="selectors")


@pytest.mark.parametrize(
    "script",
    [
        "",
        "{",
        "null",
        "[[[[[[[[[[]]]]]]]]]]",
        '{"@type": 1}',
        '{"@type": "NewsArticle", "articleBody": [1, {"a": 2}], "author": 7}',
        "[" * 50_000,
        '{"@graph":' * 5_000,
    ],
)
def test_a_broken_or_malicious_payload_is_a_page_without_body(script):
    html = f'<script type="application/ld+json">{script}</script><script id="__NEXT_DATA__">{script}</script>'.encode()
    assert extract_page(JSON_LD, html, None).text is None
    assert extract_page(NEXT, html, None).text is None


def test_nul_bytes_and_lone_surrogates_become_storable():
    page = extract_page(JSON_LD, ld(**{"@type": "Article", "headline": "a"}).replace(b'"a"', rb'"a\u0000b\ud800c"'), None)
    assert page.title is not None
    assert page.title.encode() == "a b\ufffdc".encode()


@settings(max_examples=60)
@given(body=st.binary(max_size=400))
def test_any_bytes_give_a_page(body):
    for outlet in (JSON_LD, CSS, NEXT):
        assert isinstance(extract_page(outlet, body, "text/html"), Page)


def test_the_canonical_address_is_what_the_page_says():
    page = extract_page(CSS, b'<link rel="canonical" href="http://vestnik.example/a/1">', None)
    assert page.canonical == "http://vestnik.example/a/1"
