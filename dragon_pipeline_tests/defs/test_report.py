import polars as pl

from dragon_pipeline.core.records import STORIES
from dragon_pipeline.defs.report import chart, counts, report, sample


def stories(*rows: tuple[str, str]) -> pl.DataFrame:
    return STORIES.frame([{"story_id": story, "article_id": article, "similarity": 1.0} for story, article in rows])


def test_details_of_a_reason_are_counted_together():
    frame = pl.DataFrame({"because": ["other: a", "other: b", "short", None]})
    assert counts(frame, "because") == {"other": 2, "short": 1}


def test_a_chart_shows_every_number():
    assert chart({"set": 8, "simple": 4}).splitlines()[1:3] == ["set    " + "█" * 24 + " 8", "simple " + "█" * 12 + " 4"]
    assert chart({}) == "```\n```"


def test_a_cell_cannot_break_the_sample():
    told = sample(pl.DataFrame({"text": ["a|b\nc" + "d" * 200], "none": [None]}))
    assert len(told.splitlines()) == 3
    assert r"a\|b c" in told and "…" in told


def test_the_data_version_changes_with_the_content_alone():
    one, same, other = (report("stories", stories(row)) for row in [("a", "b"), ("a", "b"), ("a", "c")])
    assert one.data_version == same.data_version != other.data_version


def test_what_was_dropped_is_shown_by_reason():
    metadata = report("stories", stories(("a", "b")), by="story_id", dropped={"too_short": 2, "undated": 1}).metadata
    assert metadata["rows dropped"].value == 3
    assert "too_short" in str(metadata["dropped"].value)
