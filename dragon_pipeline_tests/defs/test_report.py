import polars as pl

from dragon_pipeline.core.questions.strata import Tally
from dragon_pipeline.core.records import FUNNEL, STORIES
from dragon_pipeline.defs.report import chart, counts, funnel_chart, report, sample, tallied


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


def stage(order: int, name: str, type: str, came: int, went: int, **told: object) -> dict:
    blank = {"state": None, "failed": None, "note": None, "lost": '{"short": 1, "long": 1}' if came > went else "{}"}
    unit = "article" if name == "articles" else "question"
    values = {"order": order, "stage": name, "type": type, "unit": unit, "rows_in": came, "rows_out": went}
    return {**blank, **values, **told}


def test_a_funnel_shows_each_stage_in_its_own_unit_and_no_bar_for_a_screen_that_did_not_run():
    rows = [
        stage(0, "articles", "all", 1000, 500),
        stage(4, "questions", "all", 8, 8),
        stage(5, "grammar", "all", 8, 8, state="not_run"),
        stage(6, "accepted", "all", 8, 6),
        stage(4, "questions", "set", 8, 8),
        stage(5, "grammar", "set", 8, 8, state="not_run"),
        stage(5, "grammar", "simple", 0, 0, state="not_applicable"),
        stage(6, "accepted", "set", 8, 6, note="6 of 7: 8 drawn"),
    ]
    lines = funnel_chart(FUNNEL.frame(rows)).splitlines()
    assert lines[1].split() == ["articles", "█" * 12, "1000", "→", "500", "short", "1,", "long", "1"]
    assert lines[2].split() == ["questions", "█" * 24, "8", "→", "8"]
    assert lines[3].split() == ["grammar", "not", "run", "8", "→", "8"]
    assert "| drawn | 8 |  | 8 |  |  |  |" in lines
    assert "| grammar | not run | not for it | not run |  |  |  |" in lines
    assert lines[-1] == "- **set** 6 of 7: 8 drawn"


def test_an_empty_funnel_can_be_shown():
    assert "left after" in funnel_chart(FUNNEL.empty())


def test_a_draw_tells_what_it_left_out_and_which_caps_it_raised():
    told = tallied({"simple": Tally(3, 2, 9, {"asked_twice": 1, "not_new": 6}, {"entity": 16}), "set": Tally(3, 0, 0, {})})
    assert told.splitlines()[2:] == [
        "| simple | 3 | 2 | 9 | asked_twice 1, not_new 6 | entity 16 |",
        "| set | 3 | 0 | 0 |  |  |",
    ]


def test_a_title_is_no_link_no_image_and_no_html_on_our_page():
    told = sample(pl.DataFrame({"title": ["![](https://other.example/p.png) [a](https://b) <img src=x> `c` d\\|e"]}))
    assert told.splitlines()[2] == "| !\\[](https://other.example/p.png) \\[a](https://b) \\<img src=x> \\`c\\` d\\\\\\|e |"
