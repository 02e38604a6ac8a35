import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.forgotten import Forgotten, words_of
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.languages.ru.lemmas import forms

KEY = b"k" * 32
NOBODY = Forgotten(KEY, forms)
RULES = {"a": UrlRules(drop_params=("from",))}


def of_names(*names: str) -> Forgotten:
    return Forgotten(KEY, forms, names=tuple(NOBODY.name(words_of(name)) for name in names))


def of_urls(*urls: str) -> Forgotten:
    return Forgotten(KEY, forms, frozenset(map(NOBODY.hash, urls)))


def row(url: str, text: str = "Новость.", **more: object) -> dict:
    empty = dict.fromkeys(CRAWL.columns) | {"url": url, "outlet": "a", "fetch": 0, "status": "ok", "extractor": "import"}
    return {**empty, "text": text, **more}


@pytest.mark.parametrize(
    "text",
    [
        "Анна Седова открыла цех.",
        "Цех открыли вместе с Анной Седовой.",
        "Об этом спросили Анну Викторовну Седову, мастера цеха.",
        "АННА СЕДОВА: «Цех открыт»",
        "Её зовут Седова Анна.",
        "Подарок вручили Седовой, Анне и Олегу.",
        "Рассказали Анне В. Седовой.",
        "Рассказали об Анне\nи о мастере. Анна Седова молчит",
    ],
)
def test_a_person_is_found_in_every_case_and_order(text: str):
    assert of_names("Анна Седова").has_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "Седова открыла цех.",
        "Анна Серова открыла цех.",
        "Анна открыла цех. Седова молчит.",
        "Анна вместе с мастером цеха Ольгой Седовой открыла цех.",
        "анна седова",
        "",
        "Анна Анна Анна",
    ],
)
def test_others_are_not(text: str):
    assert not of_names("Анна Седова").has_name(text)


def test_foreign_and_three_word_names_are_found():
    assert of_names("Джеф Безос").has_name("Сделку с Джефом Безосом обсудили.")
    assert of_names("Салтыков-Щедрин Михаил").has_name("Читали Михаила Салтыкова-Щедрина.")
    assert of_names("Анна Викторовна Седова").has_name("Цех Анны Викторовны Седовой открыт.")
    assert not of_names("Анна Викторовна Седова").has_name("Цех Анны Седовой открыт.")


@pytest.mark.parametrize(
    "name", ["", "Седова", "А" * 300 + " Б", "Анна <b>", "Анна 2", "../../etc passwd", "Анна; DROP TABLE", "а б в г д е"]
)
def test_what_is_no_full_name_is_refused(name: str):
    with pytest.raises(BadInput, match="no full name"):
        words_of(name)


@pytest.mark.parametrize(
    "url", ["https://a.example/1", "http://www.a.example/1/?utm_source=x", "https://m.a.example/1?from=rss"]
)
def test_a_page_is_found_under_every_twin_of_its_address(url: str):
    assert of_urls("https://a.example/1").has(row(url), RULES["a"])


def test_a_page_is_found_by_the_address_that_it_states():
    known = of_urls("https://a.example/1")
    assert known.has(row("https://a.example/print/1", canonical="https://a.example/1"), RULES["a"])
    assert not known.has(row("https://a.example/2", canonical="https://b.example/1"), RULES["a"])
    assert not known.has(row("mailto:a@a.example", canonical="http://["), RULES["a"])


def test_all_contents_of_a_forgotten_page_become_one_row_that_says_nothing():
    known = of_urls("https://a.example/1")
    crawled = CRAWL.frame(
        [row("https://a.example/1", "Один."), row("https://a.example/1", "Два.", fetch=1), row("https://a.example/2")]
    )
    left = known.left(crawled, RULES)
    assert left.filter(status="ok")["url"].to_list() == ["https://a.example/2"]
    (hidden,) = left.filter(reason="forgotten").to_dicts()
    assert {name for name, value in hidden.items() if value is not None} == {
        "url",
        "outlet",
        "fetch",
        "status",
        "reason",
        "extractor",
    }
    assert "a.example" not in hidden["url"]
    assert known.left(left, RULES).equals(left)


def test_nothing_changes_where_nothing_is_forgotten():
    crawled = CRAWL.frame([row("https://a.example/1")])
    assert NOBODY.left(crawled, RULES) is crawled
    assert of_names("Анна Седова").left(crawled, RULES).equals(crawled)
    assert of_names("Анна Седова").left(CRAWL.empty(), RULES).equals(CRAWL.empty())


def test_the_list_is_of_no_use_without_its_key():
    assert of_names("Анна Седова").names != (Forgotten(b"other", forms).name(["Анна", "Седова"]),)


def test_any_text_that_tells_of_it_is_recognised():
    known = of_urls("https://a.example/1")
    assert known.is_in('{"url": "http://www.a.example/1/"}')
    assert not known.is_in("https://a.example/12")


@given(st.text(), st.text(max_size=30))
def test_no_text_breaks_it(text: str, url: str):
    known = Forgotten(KEY, forms, frozenset({"0"}), of_names("Анна Седова").names)
    crawled = pl.DataFrame([row(url, text.encode("utf-8", "replace").decode())], schema=CRAWL.schema)
    assert known.left(crawled, RULES).height == 1
