import gzip
import http.client
import json
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

import pytest

from dragon_pipeline.demo.articles import Story
from dragon_pipeline.demo.newsroom import DAY_HEADER, Newsroom
from dragon_pipeline.demo.pages import SITES, Answer

MOSCOW = timezone(timedelta(hours=3))


def story(outlet: str, slug: str, day: int, **said: object) -> Story:
    words = {
        "title": f"Заголовок <{slug}>",
        "paragraphs": (f"Текст «{slug}» & прочее.",),
        "published": datetime(2031, 5, day, 9, tzinfo=MOSCOW),
        "day": date(2031, 5, day),
    }
    return Story(**{**words, "outlet": outlet, "slug": slug, **said})


@pytest.fixture
def newsroom() -> Iterator[Newsroom]:
    stories = [story(name, f"zametka-{day}", day) for name in SITES for day in (1, 2, 3)]
    with Newsroom(articles=stories) as serving:
        yield serving


def ask(newsroom: Newsroom, url: str, day: int | None = None) -> tuple[int, str, bytes]:
    """Status, content type and body, asked for as a client of an HTTP proxy does."""
    connection = http.client.HTTPConnection(newsroom.address.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", url, headers={DAY_HEADER: f"2031-05-{day:02}"} if day else {})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("name", list(SITES))
def test_every_address_that_a_site_lists_answers_on_that_day(newsroom, name):
    site = SITES[name]
    for day in (1, 3):
        pages = newsroom.pages(site.host, date(2031, 5, day))
        lists = [text for path, answer in pages.items() if (text := listing(path, answer))]
        listed = {url for text in lists for url in re.findall(rf"http://{re.escape(site.host)}(/[^\s<\"?]*)", text)}
        assert len([path for path in listed if "zametka" in path or "/n_" in path]) == day
        assert {path for path in listed if "preview-" not in path} <= set(pages)


def listing(path: str, answer: Answer) -> str:
    """Feeds and sitemaps as text; nothing for pages."""
    if "xml" not in answer.content_type and "gzip" not in answer.content_type:
        return ""
    body = answer.body
    return (gzip.decompress(body) if path.endswith(".gz") else body).decode("latin-1")


def test_the_header_chooses_the_day_and_without_it_the_newest_is_shown(newsroom):
    feed = "http://motor-city.example/exports/rss"
    assert [ask(newsroom, feed, day)[2].count(b"<item>") for day in (1, 3, 2)] == [1, 3, 2]
    assert ask(newsroom, feed)[2].count(b"<item>") == 3
    assert ask(newsroom, "http://motor-city.example/news/zametka-3-03-05-2031.htm", 2)[0] == 404


def test_a_site_speaks_its_encoding(newsroom):
    _, content_type, body = ask(newsroom, "http://delovaya-volna.example/export/rss/lenta.xml")
    assert body.startswith(b'<?xml version="1.0" encoding="windows-1251"?>')
    assert "Заголовок &lt;zametka-1&gt;" in body.decode("windows-1251")
    path = SITES["delovaya-volna"].path(newsroom.stories[3])
    assert ask(newsroom, f"http://delovaya-volna.example{path}")[1] == "text/html; charset=windows-1251"
    assert content_type == "text/xml"


def test_payloads_hold_what_markup_would_break(newsroom):
    path = SITES["afisha-kvartal"].path(newsroom.stories[-1])
    page = ask(newsroom, f"http://afisha-kvartal.example{path}")[2].decode()
    payload = json.loads(page.split('type="application/json">')[1].split("</script>")[0])
    assert payload["props"]["pageProps"]["data"]["title"] == "Заголовок <zametka-3>"
    assert payload["props"]["pageProps"]["data"]["content_blocks"][1]["text"] == "<p>Текст «zametka-3» & прочее.</p>"


@pytest.mark.parametrize("url", ["http://motor-city.example/nope", "http://unknown.example/", "/"])
def test_what_is_not_there_is_a_404(newsroom, url):
    assert ask(newsroom, url)[0] == 404


def test_faults_can_be_switched_on(newsroom):
    feed = "http://motor-city.example/exports/rss"
    newsroom.statuses["motor-city.example"] = 403
    assert ask(newsroom, feed)[0] == 403
    assert ask(newsroom, "http://severny-kurier.example/rss/news")[0] == 200
    newsroom.dies_after = 2
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        ask(newsroom, feed)
    with pytest.raises(ConnectionRefusedError):
        ask(newsroom, feed)


def test_a_hanging_host_never_answers_and_does_not_keep_the_newsroom_open(newsroom):
    newsroom.hanging.add("motor-city.example")
    connection = http.client.HTTPConnection(newsroom.address.removeprefix("http://"), timeout=0.3)
    connection.request("GET", "http://motor-city.example/")
    with pytest.raises(TimeoutError):
        connection.getresponse()
    connection.close()


def test_two_newsrooms_can_serve_at_once(newsroom):
    with Newsroom(articles=[]) as other:
        assert other.address != newsroom.address
        assert ask(other, "http://motor-city.example/exports/rss")[2].count(b"<item>") == 0
