import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.extraction import Page, extract_page
from dragon_pipeline.adapters.web.outlet import Outlet, parse_outlet

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


@pytest.mark.parametrize(
    "stated", ["https://vestnik.example/", "https://vestnik.example/novosti", "https://other.example/a/1", "/"]
)
def test_what_is_no_article_s_address_is_not_the_page_s(stated):
    assert extract_page(CSS, f'<link rel="canonical" href="{stated}"><p>Текст.'.encode(), None).canonical is None


ANY = parse_outlet("vestnik", HEAD)
SEEN = date(2026, 3, 4)
PROSE = [
    "Первый трамвай через новый мост прошёл сегодня в шесть утра, пассажиров в нём было немного, но все с цветами.",
    "Строители обещают закончить отделку перил к июню; тогда же снимут и ограничение скорости для автобусов.",
    "Мост строили два года. За это время подорожали и сталь, и бетон, но смета выросла всего на три процента.",
]


def html(body: str, head: str = "") -> bytes:
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def of(outlet: Outlet, body: bytes, content_type: str = "text/html; charset=utf-8") -> Page:
    return extract_page(outlet, body, content_type, SEEN)


def test_a_live_blog_is_all_its_updates_in_the_order_of_time():
    updates = [
        {"headline": "Второе.", "articleBody": "Мост открыт.", "datePublished": "2026-03-04T11:00:00+03:00"},
        {"articleBody": "<p>Ждём открытия.</p><p>Холодно.</p>", "datePublished": "2026-03-04T10:00:00+03:00"},
        "не запись",
    ]
    blog = {"@type": "LiveBlogPosting", "headline": "Мост. Онлайн", "articleBody": "Следим.", "liveBlogUpdate": updates}
    page = of(ANY, ld(**blog))
    assert (page.title, page.text) == ("Мост. Онлайн", "Следим.\nЖдём открытия.\nХолодно.\nВторое.\nМост открыт.")


@pytest.mark.parametrize("free", [False, "False", "false", "no"])
def test_what_is_not_free_is_a_paywall_even_if_some_text_shows(free):
    assert of(ANY, ld(**{"@type": "NewsArticle", "articleBody": "Начало.", "isAccessibleForFree": free})).refusal == "paywall"
    article = {"@type": "NewsArticle", "articleBody": "Всё.", "isAccessibleForFree": True}
    assert (of(ANY, ld(**article)).refusal, of(ANY, ld(**article)).text) == (None, "Всё.")


def test_a_body_that_json_ld_cuts_short_is_left_to_the_page():
    cut = ld(**{"@type": "NewsArticle", "headline": "Т", "articleBody": "Первый трамвай через…"})
    assert of(FIRST_LD_THEN_CSS, cut + '<div class="body"><p>Всё тело.</p></div>'.encode()).text == "Всё тело."


def test_of_several_articles_the_one_with_a_body_is_the_pages():
    other = {"@type": "NewsArticle", "headline": "Читайте также"}
    mine = {"@type": "NewsArticle", "headline": "Моя", "articleBody": "Тело."}
    assert of(ANY, ld(**{"@graph": [other, mine]})).title == "Моя"


def test_microdata_is_read_where_there_is_no_json_ld():
    page = of(
        ANY,
        html(
            """<div itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">Мост <i>открыт</i></h1>
            <span itemprop="author" itemscope><meta itemprop="name" content="Ира Белых"></span>
            <time itemprop="datePublished" datetime="2026-03-04T10:00">утром</time>
            <div itemprop="articleBody"><p>Раз.</p><script>x()</script>
            <figure><figcaption>Фото</figcaption></figure>Два<br>Три</div>
            </div><div itemscope itemtype="https://schema.org/NewsArticle"><b itemprop="headline">Чужая</b></div>"""
        ),
    )
    assert page == Page(
        title="Мост открыт",
        author="Ира Белых",
        published_at="2026-03-04T10:00:00+03:00",
        text="Раз.\nДва\nТри",
        extractor="microdata",
    )


def test_meta_tags_know_title_lead_date_and_section():
    head = """<meta property="og:title" content="Мост &lt;b&gt;открыт&lt;/b&gt; &amp; готов">
    <meta name="description" content="Лид">
    <meta property="article:published_time" content="2026-03-04T10:00:00Z"><meta property="article:section" content="Город">
    <meta property="article:author" content="https://facebook.example/x">"""
    page = of(ANY, html("", head))
    assert page == Page(title="Мост открыт & готов", lead="Лид", section="Город", published_at="2026-03-04T10:00:00+00:00")


def flight(*rows: str) -> bytes:
    stream = "".join(rows)
    halves = [stream[: len(stream) // 2], stream[len(stream) // 2 :]]
    return html("".join(f"<script>self.__next_f.push({json.dumps([1, half])})</script>" for half in [*halves, ""]))


STREAMED = parse_outlet(
    "vestnik",
    HEAD + "extract: [{by: next, has: [headline, body], fields: {title: headline, text: 'body[].text', published_at: at}}]",
)


def test_the_chunks_that_next_js_streams_are_read_with_their_long_texts():
    long = "Очень длинный абзац, который стоит отдельно.\nС двумя строками."
    data = {"headline": "Мост", "body": [{"text": "Раз."}, {"text": "$1f"}], "at": "2026-03-04T10:00:00+03:00"}
    rows = (
        '1:"$Sreact.fragment"\n2:I[123,["a.js"],"default"]\n:HL["x.css","style"]\n',
        f"1f:T{len(long.encode()):x},{long}",
        f"5:{json.dumps(['$', 'div', None, {'children': [None, data]}])}\n",
    )
    page = of(STREAMED, flight(*rows[:1], *rows[1:]).replace(b":HL", b"0:HL"))
    assert (page.title, page.text, page.extractor) == ("Мост", f"Раз.\n{long}", "next")
    assert of(STREAMED, flight("1:T fffffffff", "zz")).text is None
    assert of(STREAMED, flight("1:Tffffff,x")).text is None


def test_the_text_ends_where_the_declaration_says():
    outlet = CSS.model_copy(update={"until": ("^©",)})
    assert of(outlet, html("<div class=body><p>Раз.<p>Два.<p>© Вестник<p>Телефон редакции</div>")).text == "Раз.\nДва."


def test_scripts_that_stand_as_text_are_no_paragraphs():
    code = [
        "(function(w, d, n) { w[n] = w[n] || []; })(window, document, 'yaContextCb');",
        "window.yaContextCb.push(() => { Ya.Context.AdvManager.render({}) })",
        "var adfox = {id: 1};",
        "if (window.innerWidth > 900) { go(); }",
        ".banner { display: none; }",
    ]
    words = ["Окно (window) — слово английское.", "Если (если!) всё пойдёт по плану, откроют в мае.", "var — сокращение."]
    paragraphs = "".join(f"<p>{line}</p>" for line in [*code, *words])
    assert of(CSS, html(f"<div class=body>{paragraphs}</div>")).text == "\n".join(words)


@pytest.mark.parametrize(
    ("said", "stamp"),
    [
        ("ВЧЕРА", "2026-03-03"),
        ("Сегодня, 10:30", "2026-03-04T10:30:00+03:00"),
        ("17 июля", "2025-07-17"),
        ("5 марта 2026", "2026-03-05"),
        ("6 марта 2026", None),
        ("1970-01-01T00:00:00Z", None),
    ],
)
def test_dates_count_from_the_day_on_which_the_page_was_seen(said, stamp):
    assert of(CSS, html(f"<time>{said}</time>")).published_at == stamp


DEEP = "<div>" * 10_000 + "<p>" + PROSE[0] + "</p>" + "</div>" * 10_000


@pytest.mark.parametrize(
    "body",
    [
        html("<h1>Т</h1>" + DEEP),
        html("<h1>Т</h1><div class=body>" + DEEP + "</div>"),
        html("<b>" * 10_000 + "Т"),
        html("<table><tr><td>" * 3_000),
        html(f"<h1 class='{'x' * 3_000_000}' data-y='{'&amp;' * 100_000}'>Т</h1>"),
        html("<div class=body>" + "<p>а" * 50_000),
        html("<h1>\0Т\0</h1>&#xD800;&#0;&#x110000;<div class=body><p>&#xDFFF;</div>"),
        b"\xff\xfe<h1>",
        b"\xff\xfe" + "<h1>Т</h1>".encode("utf-16-le"),
        "<?xml version='1.0' encoding='utf-16'?><html><h1>Т</h1></html>".encode(),
        b"<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><h1>&b;</h1>",
        b'<script type="application/ld+json">{"@type": "Article", "articleBody": 1e999, "author": {"name": [1]}}</script>',
        b"<svg><style><!--</style><h1>T</h1>",
    ],
    ids=range(13),
)
def test_hostile_markup_gives_a_page(body):
    for outlet in (ANY, CSS, JSON_LD, NEXT, STREAMED):
        for value in of(outlet, body).columns().values():
            assert value is None or value.encode()


SCHEMA = (
    "@type",
    "@graph",
    "headline",
    "articleBody",
    "author",
    "name",
    "datePublished",
    "liveBlogUpdate",
    "body",
    "text",
    "at",
)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["NewsArticle", "LiveBlogPosting", "2026-03-04T10:00", "<p>", "&#" + "1" * 5_000 + ";", "$1", "&lt;b&gt;", "\0\ud800"]
    ),
)
JSON = st.recursive(
    PLAIN, lambda part: st.lists(part, max_size=4) | st.dictionaries(st.sampled_from(SCHEMA), part, max_size=6), max_leaves=25
)


@settings(max_examples=200)
@given(data=JSON)
def test_any_payload_gives_a_page_that_can_be_stored(data):
    article = data if isinstance(data, dict) else {"headline": data, "body": data}
    pages = [
        of(ANY, html(f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle"} | article)}</script>')),
        of(NEXT, html(f'<script id="__NEXT_DATA__">{json.dumps({"props": {"page": data}})}</script>')),
        of(STREAMED, flight(f"1:{json.dumps([article])}\n")),
    ]
    for page in pages:
        assert all(value is None or value.encode() for value in page.columns().values())


def test_megabytes_of_markup_that_never_closes_are_read_through():
    for piece in ("<br", "<a", "</p", "<!--", "&#1", "self.__next_f.push([", "{", "404 "):
        long = piece * 200_000
        assert of(ANY, ld(**{"@type": "NewsArticle", "headline": long[:4_000], "articleBody": long})).refusal is None
        assert of(STREAMED, html(f"<script>{long}</script><h1>{long[:4_000]}</h1>")).refusal is None
