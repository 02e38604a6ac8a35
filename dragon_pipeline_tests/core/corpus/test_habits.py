import json
from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.habits import DAYS, FAILING, FALLBACK, HALVED, SHRUNKEN, SILENT, unusual
from dragon_pipeline.core.records import OUTLETS

MONDAY = date(2025, 9, 15)


def outlet(extracted=100, name="vesti", reasons=None, **values):
    reasons = reasons or {}
    told = {"outlet": name, "found": extracted, "fetched": extracted, "extracted": extracted, "fallback": 0, "failed": 0}
    told |= {
        "left_out": 0,
        "listings_failed": 0,
        "median_length": 2000.0 if extracted else None,
        "reasons": json.dumps(reasons),
    }
    return told | values


def days_before(day: date, *rows: dict) -> pl.DataFrame:
    """The last row is of the day before, and so on back."""
    dated = [{**row, "day": (day - timedelta(days=back)).isoformat()} for back, row in enumerate(reversed(rows), start=1)]
    return pl.DataFrame(dated, schema={**OUTLETS.schema, "day": pl.String()})


def warned(today: dict, *before: dict, day=MONDAY, configured=("vesti",)):
    symptoms = unusual(OUTLETS.frame([today]), days_before(day, *before), day.isoformat(), configured)
    return {symptom.check: symptom.told for symptom in symptoms}


def test_an_outlet_that_gives_nothing_any_more_is_silent():
    told = warned(outlet(0), *[outlet(120)] * 5)[SILENT]
    assert told.startswith("vesti: no article that day, usually 120 a day; its listings name no page")
    assert "dragon doctor --outlets" in told


def test_one_that_never_gave_anything_is_silent_too():
    assert "no article yet in 1 day;" in warned(outlet(0))[SILENT]
    assert "no article yet in 21 days;" in warned(outlet(0), *[outlet(0)] * 20)[SILENT]


def test_a_silence_goes_on_being_told():
    assert "for 3 days in a row, usually 100 a day" in warned(outlet(0), *[outlet()] * 5, outlet(0), outlet(0))[SILENT]


def test_silence_says_why_and_what_to_do():
    refused = outlet(0, failed=9, listings_failed=2, reasons={"challenge": 9, "listing: http_403": 2, "other_day": 1})
    told = warned(refused, *[outlet()] * 5)[SILENT]
    assert "; challenge 9, listing: http_403 2; it refuses the crawler" in told
    down = outlet(0, found=0, listings_failed=1, reasons={"listing: timeout": 1})
    assert "it does not answer: run the day again" in warned(down, outlet())[SILENT]
    changed = outlet(0, found=9, failed=9, reasons={"no_body": 9})
    assert "mend its selectors" in warned(changed, outlet())[SILENT]


WEEK = [outlet(40)] * 5 + [outlet(0)] * 2


def test_an_outlet_that_rests_at_week_ends_is_not_silent_then():
    saturday, sunday = (MONDAY + timedelta(days=days) for days in (5, 6))
    weeks = WEEK * 4
    assert SILENT not in warned(outlet(0), *weeks[-23:-2], day=saturday)
    assert SILENT not in warned(outlet(0), *weeks[-22:-1], day=sunday)
    assert "for 3 days in a row" in warned(outlet(0), *weeks, day=MONDAY)[SILENT]


def test_one_outage_is_no_habit_of_silence():
    assert SILENT in warned(outlet(0), *[outlet()] * 4, *[outlet(0)] * 3, *[outlet()] * 4)


def test_an_imported_outlet_is_never_called_silent():
    assert warned(outlet(0, "files"), *[outlet(9, "files")] * 5, configured=()) == {}


def test_an_outlet_that_gives_less_than_half_is_halved():
    days = [outlet(100)] * 5
    assert "vesti: 49 articles, usually 100 a day" in warned(outlet(49), *days)[HALVED]
    assert HALVED not in warned(outlet(50), *days)
    assert HALVED not in warned(outlet(49), *days[:2]), "two days are no habit"
    assert HALVED not in warned(outlet(1), *[outlet(7)] * 9), "few may well be halved"


def test_week_ends_are_held_against_week_ends():
    weeks = ([outlet(100)] * 5 + [outlet(40)] * 2) * 3
    sunday = MONDAY + timedelta(days=6)
    before_sunday = weeks[7:-1]
    assert HALVED not in warned(outlet(30), *before_sunday, day=sunday)
    assert "15 articles, usually 100 a day (40 on week-end days)" in warned(outlet(15), *before_sunday, day=sunday)[HALVED]
    assert "(100 on weekdays)" in warned(outlet(30), *weeks, day=MONDAY)[HALVED]


def test_the_first_week_end_may_have_a_quarter():
    saturday = MONDAY + timedelta(days=5)
    assert HALVED not in warned(outlet(30), *[outlet(100)] * 5, day=saturday)
    assert HALVED in warned(outlet(24), *[outlet(100)] * 5, day=saturday)


def test_more_by_the_fallback_than_usual_is_told():
    days = [outlet(100, fallback=5)] * 5
    assert (
        "vesti: 20% of its articles (20 of 100) by the fallback, usually 5%"
        in warned(outlet(100, fallback=20), *days)[FALLBACK]
    )
    assert FALLBACK not in warned(outlet(100, fallback=14), *days)
    assert FALLBACK not in warned(outlet(4, fallback=2), *[outlet(4)] * 5), "two pages are too few to tell"
    assert FALLBACK not in warned(outlet(100, fallback=100), *[outlet(100, fallback=100)] * 5), "a feed without selectors"


def test_more_failures_than_usual_are_told_with_their_reasons():
    days = [outlet(95, failed=5, reasons={"http_404": 5})] * 5
    told = warned(outlet(60, failed=40, reasons={"http_403": 33, "http_404": 5, "robots": 2}), *days)[FAILING]
    assert told.startswith(
        "vesti: 40% of its pages failed (40 of 100), usually 5%; http_403 33, http_404 5, robots 2; it refuses"
    )
    assert FAILING not in warned(outlet(90, failed=10), *days)


def test_a_listing_that_fails_is_told_though_the_pages_still_come():
    told = warned(outlet(100, listings_failed=1, reasons={"listing: http_404": 1}), *[outlet()] * 3)[FAILING]
    assert "1 listing failed, usually 0; listing: http_404 1" in told
    assert FAILING not in warned(outlet(listings_failed=1), *[outlet(listings_failed=1)] * 3)


def test_listings_that_fail_are_told_alone_when_no_page_was_tried():
    told = warned(outlet(0, listings_failed=2, reasons={"listing: http_403": 2}), *[outlet()] * 3)[FAILING]
    assert told.startswith("vesti: 2 listings failed, usually 0; listing: http_403 2; it refuses")


def test_texts_half_as_long_as_usual_are_told():
    days = [outlet(50)] * 5
    assert (
        "half of its texts have 900 characters or fewer, usually 2000"
        in warned(outlet(50, median_length=900.0), *days)[SHRUNKEN]
    )
    assert SHRUNKEN not in warned(outlet(50, median_length=1000.0), *days)
    assert SHRUNKEN not in warned(outlet(2, median_length=900.0), *days), "two texts are too few to tell"


@pytest.mark.parametrize("back", [DAYS + 1, DAYS + 5])
def test_only_the_last_days_are_a_habit(back: int):
    assert HALVED not in warned(outlet(30), *[outlet(1000)] * (back - DAYS), *[outlet(30)] * DAYS)


def test_days_of_long_ago_are_no_habit():
    before = days_before(MONDAY - timedelta(days=60), *[outlet()] * 9)
    assert unusual(OUTLETS.frame([outlet(9)]), before, MONDAY.isoformat(), ["vesti"]) == []


@st.composite
def outlets(draw, name="vesti"):
    extracted = draw(st.integers(0, 60))
    failed = draw(st.integers(0, 30))
    return outlet(
        extracted,
        name,
        {"http_403": failed} if failed else {},
        fallback=draw(st.integers(0, extracted)),
        failed=failed,
        found=extracted + failed,
        listings_failed=draw(st.integers(0, 2)),
        median_length=draw(st.floats(1, 9000)) if extracted else None,
    )


WEEKDAYS = st.integers(0, 6).map(lambda days: MONDAY + timedelta(days=days))


def symptoms_of(today: dict, before: pl.DataFrame, day: date):
    return unusual(OUTLETS.frame([today]), before, day.isoformat(), ["vesti"])


@given(outlets(), st.lists(outlets(), max_size=20), WEEKDAYS, st.integers(0, 99))
def test_the_order_in_which_days_are_read_does_not_matter(today, history, day, seed):
    before = days_before(day, *history)
    assert symptoms_of(today, before, day) == symptoms_of(today, before.sample(fraction=1, shuffle=True, seed=seed), day)


@given(outlets(), st.lists(outlets(), max_size=9), st.lists(outlets(), min_size=1, max_size=9), WEEKDAYS)
def test_the_day_itself_and_later_days_never_count(today, history, later, day):
    before = days_before(day, *history)
    after = days_before(day + timedelta(days=len(later)), *later)
    assert symptoms_of(today, pl.concat([before, after]), day) == symptoms_of(today, before, day)


@given(outlets(), st.lists(outlets(), max_size=9), st.lists(outlets("gazeta"), max_size=9), WEEKDAYS)
def test_one_outlet_s_days_are_no_habit_of_another(today, history, others, day):
    before = days_before(day, *history)
    assert symptoms_of(today, pl.concat([before, days_before(day, *others)]), day) == symptoms_of(today, before, day)


@given(outlets().filter(lambda row: row["extracted"]), st.integers(0, 20), WEEKDAYS)
def test_a_steady_outlet_never_warns(row, days, day):
    assert symptoms_of(row, days_before(day, *[row] * days), day) == []


@given(st.lists(outlets(), max_size=20), WEEKDAYS)
def test_a_warning_names_its_outlet_and_a_number_that_is_not_the_habit(history, day):
    for symptom in symptoms_of(outlet(0, failed=12, reasons={"http_403": 12}), days_before(day, *history), day):
        assert symptom.told.startswith("vesti: ")
        assert symptom.number != symptom.habit or symptom.check in (SILENT, FAILING)
