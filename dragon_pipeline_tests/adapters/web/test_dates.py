from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.dates import moscow_day, parse_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-03-04T10:30:00+03:00", "2026-03-04T10:30:00+03:00"),
        ("20260304T1030", "2026-03-04T10:30:00+03:00"),
        ("Wed, 04 Mar 2026 10:30:00 +0300", "2026-03-04T10:30:00+03:00"),
        ("10:30, 4 марта 2026", "2026-03-04T10:30:00+03:00"),
        ("9:05 04.03.2026", "2026-03-04T09:05:00+03:00"),
        ("17 июля 2025", "2025-07-17"),
        ("Опубликовано 9 мая 2025 года", "2025-05-09"),
        ("9 май 2025", "2025-05-09"),
        ("2025-07-17", "2025-07-17"),
        ("2026-03-04 10:30:00 +0300", "2026-03-04T10:30:00+03:00"),
        ("04.03.26 в 10:30", "2026-03-04T10:30:00+03:00"),
        ("March 4th, 2026, 10:30", "2026-03-04T10:30:00+03:00"),
        ("4 Mar. 2026", "2026-03-04"),
    ],
)
def test_dates_are_read_as_outlets_write_them(text, iso):
    assert parse_date(text) == iso


@pytest.mark.parametrize("text", [None, "", "ВЧЕРА", "32 марта 2026", "4 мартобря 2026", "99:99, 4 марта 2026", "0000-00-00"])
def test_what_is_no_date_is_none(text):
    assert parse_date(text) is None
    assert moscow_day(parse_date(text)) is None


@pytest.mark.parametrize("text", ["2026-03-03T21:00:00Z", "Tue, 03 Mar 2026 21:00:00 GMT", "2026-03-04", "00:00, 4 марта 2026"])
def test_a_day_begins_at_midnight_in_moscow(text):
    assert moscow_day(parse_date(text)) == date(2026, 3, 4)


@given(st.text(max_size=60))
def test_any_text_is_a_date_or_none(text):
    stamp = parse_date(text)
    assert stamp is None or moscow_day(stamp) is not None


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("ВЧЕРА", "2026-01-01"),
        ("Сегодня, 10:30", "2026-01-02T10:30:00+03:00"),
        ("позавчера в 9:05", "2025-12-31T09:05:00+03:00"),
        ("yesterday at 10:30", "2026-01-01T10:30:00+03:00"),
        ("17 июля", "2025-07-17"),
        ("1 января, 10:30", "2026-01-01T10:30:00+03:00"),
        ("3 января", "2026-01-03"),
        ("4 января", "2025-01-04"),
        ("29 февраля", None),
        ("2026-01-03T10:00:00+03:00", "2026-01-03T10:00:00+03:00"),
        ("2026-01-04T00:00:00+03:00", None),
        ("2027-01-02", None),
        ("1970-01-01T00:00:00+00:00", None),
        ("0", None),
        ("2099-01-01", None),
    ],
)
def test_relative_dates_count_from_the_day_they_were_seen_and_the_future_is_no_date(text, iso):
    assert parse_date(text, date(2026, 1, 2)) == iso


def test_relative_dates_that_nobody_saw_are_none():
    assert (parse_date("вчера"), parse_date("17 июля"), parse_date("послезавтра", date(2026, 1, 2))) == (None, None, None)


def test_a_time_without_zone_is_the_outlets():
    athens = ZoneInfo("Europe/Athens")
    for text in ("2026-01-02T10:30", "Fri, 02 Jan 2026 10:30:00", "02.01.2026 10:30", "January 2, 2026 10:30"):
        assert parse_date(text, zone=athens) == "2026-01-02T10:30:00+02:00"


@given(st.text(max_size=60), st.dates())
def test_any_text_seen_on_any_day_is_a_date_or_none(text, seen):
    stamp = parse_date(text, seen)
    assert stamp is None or moscow_day(stamp) is not None
