"""What trafilatura is asked for, and what is made of its guess."""

import pytest

from dragon_pipeline_tests.adapters.web.test_extraction import ANY, PROSE, html, of


def test_without_any_declared_text_trafilatura_is_asked_and_named():
    page = of(ANY, html("<nav><a href=/>Главная</a></nav><h1>Мост</h1><article><p>" + "<p>".join(PROSE) + "</article>"))
    assert (page.title, page.text, page.extractor) == ("Мост", "\n".join(PROSE), "trafilatura")


def test_an_outlet_may_do_without_the_fallback():
    outlet = ANY.model_copy(update={"fallback": False})
    assert of(outlet, html("<h1>Мост</h1><article><p>" + "<p>".join(PROSE) + "</article>")).text is None


TEASER = "<div><h3><a href='/a/{0}'>Заголовок номер {0} о мосте и трамваях, которые ходят по нему с утра.</a></h3></div>"
CAPTION = "<figure><img src={0}.jpg><figcaption>Мост утром, снимок {0}.</figcaption></figure><p>Фото {0}</p>"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Город</h1><main>" + "".join(TEASER.format(number) for number in range(30)) + "</main>",
        "<h1>Мост в фотографиях</h1><article>" + "".join(CAPTION.format(number) for number in range(12)) + "</article>",
        "<article><p>" + "<p>".join(PROSE) + "</article>",
        "<h1>Мост</h1><article><p>" + PROSE[0] + "</article>",
        "",
    ],
    ids=["section front", "photo story", "no title", "one paragraph", "nothing"],
)
def test_the_fallback_makes_no_article_of_what_is_none(body):
    assert (of(ANY, html(body)).text, of(ANY, html(body)).refusal) == (None, None)


@pytest.mark.parametrize(
    "notice",
    [
        "<p>Материал доступен только по подписке.</p>",
        "<p>Чтобы дочитать статью, оформите подписку.</p>",
        "<div class='article-paywall'><p>Ещё 12 000 знаков для друзей журнала</p></div>",
        "<p>This article is for subscribers only.</p>",
    ],
)
def test_the_fallback_takes_no_teaser_before_a_paywall_for_an_article(notice):
    body = "<h1>Мост</h1><article><p>" + "<p>".join(PROSE) + "</article>"
    assert of(ANY, html(body + notice)).refusal == "paywall"
    for harmless in ("<p>Подписка на рассылку: раз в неделю.</p>", "<div class='no-paywall'></div>"):
        assert of(ANY, html(body + harmless)).extractor == "trafilatura"
