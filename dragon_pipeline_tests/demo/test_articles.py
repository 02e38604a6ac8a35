from datetime import date, datetime, timedelta, timezone

from dragon_pipeline.demo.articles import parse_story, read_stories, world

FILE = """---
id: severny-kurier/most
outlet: severny-kurier
slug: most
title: "Мост: открыт"
published: "2031-05-05T09:00:00+03:00"
modified: null
day: 2031-05-05
listed_query: "?utm_source=rss"
amp: true
topic: bridges
---

Первый абзац
в две строки.

Второй — с тремя чертами ---
внутри.
"""


def test_a_file_is_one_version_with_its_faults():
    story = parse_story(FILE)
    assert (story.outlet, story.title, story.day, story.amp) == ("severny-kurier", "Мост: открыт", date(2031, 5, 5), True)
    assert story.published == story.changed == datetime(2031, 5, 5, 9, tzinfo=timezone(timedelta(hours=3)))
    assert story.paragraphs == ("Первый абзац в две строки.", "Второй — с тремя чертами --- внутри.")
    assert (story.listed_query, story.status, story.dateless, story.extra) == (
        "utm_source=rss",
        200,
        False,
        {"topic": "bridges"},
    )


def test_a_day_shows_the_then_latest_version_of_what_was_out():
    first = parse_story(FILE)
    edit = parse_story(FILE.replace("day: 2031-05-05", "day: 2031-05-07").replace("Первый", "Другой"))
    later = parse_story(FILE.replace("slug: most", "slug: drugoj").replace("day: 2031-05-05", "day: 2031-05-06"))
    stories = [edit, later, first]
    assert world(stories, date(2031, 5, 4)) == []
    assert world(stories, date(2031, 5, 5)) == [first]
    assert world(stories, date(2031, 5, 6)) == [later, first]
    assert world(stories, date(2031, 5, 7)) == world(stories, None) == [later, edit]


def test_the_bundled_news_has_what_real_news_has():
    stories = read_stories()
    versions = {(story.outlet, story.slug): 0 for story in stories}
    for story in stories:
        versions[story.outlet, story.slug] += 1
    assert len(versions) >= 80
    assert len({story.day for story in stories}) == 6
    assert sum(count > 1 for count in versions.values()) == 8
    assert sum(story.reprint_of is not None for story in stories) >= 10
    for fault in ("amp", "dateless", "empty_body", "wrong_charset", "listed_query"):
        assert any(getattr(story, fault) for story in stories), fault
    assert any(story.status == 404 for story in stories)
