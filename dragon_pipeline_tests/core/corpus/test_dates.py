import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.dates import is_day, iso_date, moment, moscow_day


@pytest.mark.parametrize(
    ("stated", "iso"),
    [
        ("2024-03-04", "2024-03-04"),
        ("20240304", "2024-03-04"),
        ("31.12.2023", "2023-12-31"),
        ("4.3.2024 9:05", "2024-03-04T09:05:00+03:00"),
        ("04.03.2024, 19:05:30", "2024-03-04T19:05:30+03:00"),
        ("2024-03-04T10:00:00", "2024-03-04T10:00:00+03:00"),
        ("20240304T1000", "2024-03-04T10:00:00+03:00"),
        ("2024-03-04T10:00:00Z", "2024-03-04T10:00:00+00:00"),
        ("Mon, 04 Mar 2024 10:00:00 +0300", "2024-03-04T10:00:00+03:00"),
        ("1709535600", "2024-03-04T10:00:00+03:00"),
        ("1709535600000", "2024-03-04T10:00:00+03:00"),
    ],
)
def test_real_dates_are_read_in_every_common_form(stated, iso):
    assert iso_date(stated) == iso


@pytest.mark.parametrize(
    "stated",
    [
        *("2024-02-30", "вчера", "0", "1e99", "", " ", None, "31.13.2023", "1970-01-01", "0001-01-01", "9999-12-31", "2024"),
        *(
            "2024-03-04T25:00:00",
            "-1",
            "99999999999999999999",
            "04.03.24",
            "2024-W10-1",
            "Mon, 99 Mar 2024 10:00:00",
            "2024-03-0٤",
        ),
        *("0000000000", "2024-03-04T10:00:00+99:00", "2024-03-041", "NaN"),
    ],
)
def test_what_is_no_real_date_is_none(stated):
    assert iso_date(stated) is None
    assert moment(stated) == float("-inf")


def test_a_day_is_that_of_moscow():
    assert moscow_day("2024-03-04T22:30:00+00:00") == "2024-03-05"
    assert moscow_day("2024-03-04") == "2024-03-04"


def test_moments_compare_over_offsets():
    assert moment("2024-03-04T10:00:00+03:00") == moment("2024-03-04T07:00:00Z")
    assert moment("2024-03-04") < moment("2024-03-04T00:00:01+03:00")


@pytest.mark.parametrize("text", ["2024-2-3", "2024-02-30", "04.03.2024", "2024-03-04T00:00", "20240304", "", "2024-03-04\n"])
def test_a_day_has_one_form(text):
    assert is_day("2024-02-29")
    assert not is_day(text)


@given(st.text() | st.from_regex(r"[0-9]{1,4}[-.][0-9]{1,2}[-.][0-9]{1,4}([T ][0-9:+Z]*)?", fullmatch=True))
def test_reading_a_read_date_changes_nothing(text):
    iso = iso_date(text)
    assert iso is None or iso_date(iso) == iso
