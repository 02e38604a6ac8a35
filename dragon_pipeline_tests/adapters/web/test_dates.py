from datetime import date

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
