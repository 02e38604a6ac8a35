"""Each outlet's addresses: what is one page of it, and what is not. The addresses are invented, of the outlet's true form."""

import pytest

from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline_tests.core.corpus.url_twins import twins

PAGES = {
    "afisha": (
        "https://daily.afisha.ru/cinema/12345-most-lomaet-led/",
        "https://daily.afisha.ru/amp/cinema/12345-most-lomaet-led/",
    ),
    "gazeta": (
        "https://www.gazeta.ru/social/news/2024/03/04/n_22461234.shtml",
        "https://m.gazeta.ru/social/news/2024/03/04/n_22461234.shtml?utm_source=main",
    ),
    "lenta": ("https://lenta.ru/news/2024/03/04/most/", "https://m.lenta.ru/news/2024/03/04/most/amp/"),
    "letidor": ("https://letidor.ru/novosti/most-04-03-2024.htm", "https://letidor.ru/amp/novosti/most-04-03-2024.htm"),
    "moslenta": ("https://moslenta.ru/news/city/most-04-03-2024.htm", "https://moslenta.ru/amp/news/city/most-04-03-2024.htm"),
    "motor": ("https://motor.ru/news/most-04-03-2024.htm", "https://motor.ru/amp/news/most-04-03-2024.htm"),
    "okko": ("https://blog.okko.tv/selections/filmy-o-mostah", "https://blog.okko.tv/selections/filmy-o-mostah/?from=app"),
    "quto": ("https://quto.ru/journal/news/most-04-03-2024.htm", "https://quto.ru/amp/journal/news/most-04-03-2024.htm"),
    "rg": ("https://rg.ru/2024/03/04/reg-cfo/most.html", "https://rg.ru/amp/2024/03/04/reg-cfo/most.html"),
    "ria": ("https://ria.ru/20240304/most-1931234567.html", "https://ria.ru/amp/20240304/most-1931234567.html"),
    "tass": ("https://tass.ru/obschestvo/20151234", "https://www.tass.ru/amp/obschestvo/20151234"),
}
"""Of each outlet a page and its twin."""
OTHERS = {
    "afisha": "https://daily.afisha.ru/cinema/12346-most-lomaet-led/",
    "gazeta": "https://www.gazeta.ru/social/2024/03/04/22461234.shtml",
    "lenta": "https://lenta.ru/articles/2024/03/04/most/",
    "ria": "https://realty.ria.ru/20240304/most-1931234567.html",
    "rg": "https://rg.ru/2024/03/04/most.html",
    "tass": "https://tass.ru/obschestvo/20151235",
}
"""Another page, near in form."""


@pytest.fixture(scope="module", params=sorted(PAGES))
def outlet(request):
    return load_outlets([request.param])[request.param]


def test_a_page_of_an_outlet_and_its_twins_have_one_address(outlet):
    page, twin = PAGES[outlet.name]
    address = canonical_url(page, outlet.url_rules)
    assert address.rstrip("/") == page.rstrip("/")
    assert canonical_url(twin, outlet.url_rules) == address
    assert [name for name, made in twins(page).items() if canonical_url(made, outlet.url_rules) != address] == []


def test_another_page_of_an_outlet_has_another(outlet):
    if other := OTHERS.get(outlet.name):
        assert canonical_url(other, outlet.url_rules) != canonical_url(PAGES[outlet.name][0], outlet.url_rules)
