"""Crawls over real HTTP against the newsroom."""

import asyncio
import re
from datetime import date, timedelta

import polars as pl
import pytest

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline.demo.articles import read_stories
from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline.demo.pages import SITES, Answer

KURIER = "severny-kurier.example"
VOLNA = "delovaya-volna.example"
MOTOR = "motor-city.example"
PREVIEW = {"news/2031/05/05/preview-zavtra/": "robots"}
FIRST = date(2031, 5, 5)
MAY_4 = date(2031, 5, 4)
"""the day before the first of `crawled`"""


def ok(table: pl.DataFrame) -> list[dict]:
    return table.filter(pl.col("status") == "ok").to_dicts()


def texts(story) -> str:
    return "\n".join(story.paragraphs)


@pytest.fixture(scope="module")
def bundled():
    with Newsroom() as serving:
        yield serving


@pytest.fixture
def one(make_story):
    """Serves a single article of severny-kurier, or of the outlet said."""
    open_rooms = []

    def serve(outlet="severny-kurier", **said) -> Newsroom:
        room = Newsroom(articles=[make_story(outlet, "zametka", **said)])
        open_rooms.append(room.__enter__())
        return room

    yield serve
    for room in open_rooms:
        room.__exit__()


def test_every_bundled_article_is_crawled_on_its_day_with_its_own_text(bundled, crawled):
    for day in sorted({story.day for story in bundled.stories}):
        tables = crawled(bundled, (day - MAY_4).days)
        wanted = {
            (story.outlet, story.title): _own_text(story.paragraphs)
            for story in bundled.stories
            if story.day == day and story.status == 200 and not story.empty_body
        }
        found = {(row["outlet"], row["title"]): row["text"] for table in tables.values() for row in ok(table)}
        assert found == wanted


def _own_text(paragraphs) -> str:
    """Without the advertisement, the pointer to earlier news, and the dateline."""
    own = [paragraph for paragraph in paragraphs if not paragraph.startswith(("Реклама", "Ранее "))]
    return "\n".join([re.sub(r"^[^a-zа-я]+, \d+ [а-я]+ — ", "", own[0]), *own[1:]])


def test_every_bundled_failure_has_a_row_with_its_reason(bundled, crawled):
    broken = {story.slug: story for story in bundled.stories if story.status != 200 or story.empty_body}
    assert len(broken) == 2
    for story in broken.values():
        table = crawled(bundled, (story.day - MAY_4).days, story.outlet)[story.outlet]
        row = table.filter(pl.col("url").str.contains(story.slug, literal=True)).to_dicts()[0]
        assert (row["status"], row["reason"]) == ("failed", "no_body" if story.empty_body else "http_404")


@pytest.mark.parametrize(
    ("outlet", "extractor"),
    [("severny-kurier", "json_ld"), ("delovaya-volna", "selectors"), ("motor-city", "selectors"), ("afisha-kvartal", "next")],
)
def test_each_site_is_read_in_its_own_shape(one, crawled, outlet, extractor):
    room = one(outlet, section="city", modified=None)
    (row,) = ok(crawled(room, 1, outlet)[outlet])
    story = room.stories[0]
    assert row == {
        "url": SITES[outlet].address(SITES[outlet].path(story)),
        "outlet": outlet,
        "fetch": 0,
        "status": "ok",
        "reason": None,
        "title": story.title,
        "lead": story.lead,
        "text": texts(story),
        "author": story.author,
        "section": "city",
        "published_at": "2031-05-05T09:00:00+03:00",
        "modified_at": None,
        "canonical": SITES[outlet].address(SITES[outlet].path(story)),
        "extractor": extractor,
        "raw_hash": row["raw_hash"],
    }


def test_tables_have_the_declared_schema_and_order(newsroom, crawled):
    for table in crawled(newsroom, 1).values():
        assert CRAWL.check(table).equals(table.sort(CRAWL.key))


def test_arrival_order_does_not_show(newsroom, crawled):
    plain = crawled(newsroom, 1, archive="a")
    newsroom.slow = {(KURIER, "/rss/news"): 0.3, (KURIER, "/news/2031/05/05/sev-1-1/"): 0.3, (VOLNA, "/sitemap.xml"): 0.2}
    slow = crawled(newsroom, 1, *reversed(plain), archive="b")
    assert {name: table.to_dicts() for name, table in slow.items()} == {name: table.to_dicts() for name, table in plain.items()}


def test_a_day_is_the_same_whenever_it_is_asked_for(newsroom, crawled):
    in_order = [crawled(newsroom, day, archive="a")["motor-city"] for day in (1, 2)]
    backwards = [crawled(newsroom, day, archive="b")["motor-city"] for day in (2, 1)]
    assert [ok(table) for table in in_order] == [ok(table) for table in reversed(backwards)]


def test_a_day_without_news_is_an_empty_table(newsroom, crawled):
    table = crawled(newsroom, 9, "motor-city")["motor-city"]
    assert table.is_empty()
    assert table.schema == CRAWL.schema


def test_what_robots_forbid_is_a_row_and_never_asked_for(newsroom, crawled, reasons):
    assert reasons(crawled(newsroom, 1, "severny-kurier")["severny-kurier"]) == PREVIEW
    assert not [path for _, path, _ in newsroom.requests if "preview-" in path]


def test_pages_are_asked_for_once_under_our_name_and_day(newsroom, crawled):
    crawled(newsroom, 1)
    assert len({(host, path) for host, path, _ in newsroom.requests}) == len(newsroom.requests)
    assert {day for _, _, day in newsroom.requests} == {"2031-05-05"}


def test_windows_1251_feed_and_pages_are_read_right(one, crawled):
    room = one("delovaya-volna", title="Ёж съел щи", paragraphs=("Съешь ещё этих мягких булок — да выпей чаю №5.",))
    (row,) = ok(crawled(room, 1, "delovaya-volna")["delovaya-volna"])
    assert (row["title"], row["text"]) == ("Ёж съел щи", "Съешь ещё этих мягких булок — да выпей чаю №5.")


@pytest.mark.parametrize("outlet", ["severny-kurier", "delovaya-volna", "motor-city", "afisha-kvartal"])
def test_a_wrong_charset_header_does_no_harm(one, crawled, outlet):
    room = one(outlet, wrong_charset=True)
    (row,) = ok(crawled(room, 1, outlet)[outlet])
    assert (row["title"], row["text"]) == (room.stories[0].title, texts(room.stories[0]))


@pytest.mark.parametrize("outlet", ["severny-kurier", "delovaya-volna", "motor-city", "afisha-kvartal"])
def test_a_page_without_a_date_counts_for_the_day_its_listing_gives(one, crawled, outlet):
    room = one(outlet, dateless=True)
    (row,) = ok(crawled(room, 1, outlet)[outlet])
    assert (row["published_at"], row["modified_at"]) == (None, None)


@pytest.mark.parametrize("outlet", ["severny-kurier", "delovaya-volna", "motor-city", "afisha-kvartal"])
def test_an_amp_twin_names_its_canonical_page_and_has_the_same_text(one, crawled, outlet):
    room = one(outlet, amp=True)
    (row,) = ok(crawled(room, 1, outlet)[outlet])
    site, story = SITES[outlet], room.stories[0]
    assert row["url"] == site.address("/amp" + site.path(story))
    assert row["canonical"] == site.address(site.path(story))
    assert (row["title"], row["lead"], row["text"], row["author"]) == (story.title, story.lead, texts(story), story.author)


def test_tracking_in_listings_stays_in_the_url_that_was_fetched(one, crawled):
    room = one(listed_query="utm_source=rss")
    (row,) = ok(crawled(room, 1, "severny-kurier")["severny-kurier"])
    assert row["url"].endswith("/zametka/?utm_source=rss")


def test_of_twins_in_the_listings_only_the_shortest_is_fetched(one, crawled):
    room = one(listed_query="utm_source=rss")
    address = SITES["severny-kurier"].address(SITES["severny-kurier"].path(room.stories[0]))
    page = f'<ul><li class="list__item"><a href="{address}">x</a></li></ul>'.encode()
    room.extra[KURIER, "/2031/05/05/"] = Answer(page, "text/html; charset=utf-8")
    (row,) = ok(crawled(room, 1, "severny-kurier")["severny-kurier"])
    assert row["url"] == address


def test_an_edit_is_the_same_url_with_new_content_on_its_own_day(make_story, crawled):
    first = make_story("motor-city", "zametka", paragraphs=("Стало известно о трёх машинах.",))
    later = first.published + timedelta(days=2)
    edit = make_story(
        "motor-city", "zametka", paragraphs=("Машин было четыре.",), modified=later, day=3, published=first.published
    )
    with Newsroom(articles=[first, edit]) as room:
        tables = [crawled(room, day, "motor-city")["motor-city"] for day in (1, 2, 3)]
    one, none, other = tables
    assert none["reason"].to_list() == ["unchanged"]
    assert one["url"].to_list() == other["url"].to_list()
    assert (one["text"].item(), other["text"].item()) == ("Стало известно о трёх машинах.", "Машин было четыре.")
    assert (one["modified_at"].item(), other["modified_at"].item()) == (None, "2031-05-07T09:00:00+03:00")


def test_an_edit_on_the_same_day_adds_a_row(newsroom, crawled):
    before = crawled(newsroom, 1, "motor-city")["motor-city"]
    page = newsroom.pages(MOTOR, None)["/news/mot-1-1-05-05-2031.htm"]
    edited = page.body.replace("Первый абзац".encode(), "Исправленный абзац".encode())
    newsroom.extra[MOTOR, "/news/mot-1-1-05-05-2031.htm"] = Answer(edited, page.content_type)
    after = crawled(newsroom, 1, "motor-city")["motor-city"]
    assert after.filter(pl.col("fetch") == 0).equals(before)
    assert after.filter(pl.col("fetch") == 1)["text"].item().startswith("Исправленный абзац")


def test_what_the_web_has_lost_since_stays(newsroom, crawled):
    before = crawled(newsroom, 1, "motor-city")["motor-city"]
    newsroom.extra[MOTOR, "/news/mot-1-1-05-05-2031.htm"] = Answer(b"", "text/html", 404)
    assert crawled(newsroom, 1, "motor-city")["motor-city"].equals(before)
    newsroom.statuses[MOTOR] = 500
    again = crawled(newsroom, 1, "motor-city")["motor-city"]
    assert again.filter(pl.col("status") == "ok").equals(before)
    assert again.filter(pl.col("status") == "failed")["reason"].to_list() == [
        "listing: robots_unreachable",
        "listing: robots_unreachable",
    ]


def test_pages_of_an_undated_list_count_for_the_day_that_they_say(make_story, crawled):
    edited = make_story("motor-city", "pravka").published + timedelta(days=1)
    stories = [
        make_story("motor-city", "pervyj"),
        make_story("motor-city", "pravka", modified=edited),
        make_story("motor-city", "vtoroj", day=2),
        make_story("motor-city", "bez-daty", day=2, dateless=True),
        make_story("motor-city", "propal", day=2, status=404),
    ]
    front = Entry(kind="page", url=f"http://{MOTOR}/", links=".list a")
    outlet = load_outlets(["motor-city"])["motor-city"].model_copy(update={"entries": (front,)})
    with Newsroom(articles=stories) as room:
        table = crawled(room, 2, outlet)["motor-city"]
    found = {url.split("/")[-1].split("-")[0]: reason for url, reason in table.select("url", "reason").iter_rows()}
    assert found == {"pravka": None, "vtoroj": None, "propal": "http_404", "pervyj": "other_day", "bez": "other_day"}


def test_all_outlets_are_known_to_the_newsroom_and_the_other_way_round():
    assert {name: outlet.hosts[0] for name, outlet in load_outlets(list(SITES)).items()} == {
        name: site.host for name, site in SITES.items()
    }
    assert {story.outlet for story in read_stories()} == set(SITES)


def test_what_became_of_the_pages_is_among_scrapys_own_counts(newsroom, tmp_path):
    newsroom.extra[MOTOR, "/news/mot-1-1-05-05-2031.htm"] = Answer(b"", "text/html", 404)
    settings = NewsroomSettings(gateway=newsroom.address, delay=0, gateway_shows_days=True)
    crawling = crawl(list(load_outlets(["motor-city"]).values()), FIRST, settings, PageArchive(tmp_path), FIRST)
    stats = asyncio.run(crawling)["motor-city"].stats
    assert (stats["pages/ok"], stats["pages/failed/http_404"]) == (1, 1)
    assert stats["downloader/response_status_count/200"] == 4


def test_pages_are_read_once_and_again_only_by_another_declaration(newsroom, crawled, tmp_path):
    before = crawled(newsroom, 1, "motor-city")["motor-city"]
    (reading,) = [path for path in tmp_path.rglob("*.read.json") if "mot-1-1" in path.read_text()]
    reading.write_text(reading.read_text().replace("Первый абзац", "Подменённый абзац"))
    newsroom.statuses[MOTOR] = 403
    again = crawled(newsroom, 1, "motor-city")["motor-city"].filter(status="ok")
    assert again["text"].str.starts_with("Подменённый").sum() == 1
    other = load_outlets(["motor-city"])["motor-city"]
    other = other.model_validate(other.model_dump(exclude_unset=True) | {"drop_paragraphs": ("ёлочками", "^Ранее ")})
    table = crawled(newsroom, 1, other)["motor-city"].filter(status="ok")
    assert table["text"].to_list() == ["Первый абзац заметки mot-1-1.", "Первый абзац заметки mot-1-2."]
    assert before.filter(status="ok").height == 2
