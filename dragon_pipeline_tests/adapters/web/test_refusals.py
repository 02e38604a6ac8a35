"""Pages that are answered like articles and are none."""

import pytest

from dragon_pipeline.adapters.web.extraction import Page
from dragon_pipeline_tests.adapters.web.test_extraction import CSS, html, of


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("<p>Enable JavaScript and cookies to continue</p>", "<title>Just a moment...</title>"),
        ("<h1>Проверка браузера</h1><p>Подождите пять секунд.</p>", ""),
        ("<p>Подождите.</p><script src=/cdn-cgi/challenge-platform/x.js></script>", "<title>vestnik.example</title>"),
        ("<form action=/showcaptcha><div class=SmartCaptcha></div></form>", "<title>Вы не робот?</title>"),
    ],
)
def test_a_check_for_robots_is_a_challenge(body, head):
    assert of(CSS, html(body, head)).refusal == "challenge"


def test_an_article_may_be_about_robots_and_carry_the_marks_of_a_guard():
    page = of(
        CSS, html("<h1>Вы не робот?</h1><div class=body><p>Раз.</div><script src=/cdn-cgi/challenge-platform/x.js></script>")
    )
    assert (page.text, page.refusal) == ("Раз.", None)


@pytest.mark.parametrize(
    "head",
    [
        "<title>Страница не найдена — Вестник</title>",
        "<title>404</title>",
        "<title>404 Not Found</title>",
        "<h1>404. Страница не найдена</h1>",
        "<title>Ошибка 404 | Вестник</title>",
        "<title>Page not found</title>",
        "<title>К сожалению, запрашиваемая страница не существует.</title>",
    ],
)
def test_a_page_that_says_it_is_gone_is_a_soft_404_whatever_else_it_shows(head):
    assert of(CSS, html("<div class=body><p>Читайте также.</div>", head)).refusal == "soft_404"


def test_an_article_about_something_not_found_is_an_article():
    for title in (
        "Страница истории перевёрнута",
        "404 гостиницы закрыли в Сочи",
        "Не найдена",
    ):
        assert of(CSS, html(f"<h1>{title}</h1><div class=body><p>Раз.</div>")).refusal is None


def test_an_outlets_own_marks_refuse_a_page():
    outlet = CSS.model_copy(update={"paywall": (".subscribe",), "gone": (".error-page",)})
    assert of(outlet, html("<div class=subscribe></div><div class=body><p>Раз.</div>")).refusal == "paywall"
    assert of(outlet, html("<div class='big error-page'></div><div class=body><p>Раз.</div>")).refusal == "soft_404"


def test_refusals_are_no_columns():
    assert set(Page().columns()) == set(Page.__dataclass_fields__) - {"refusal"}
