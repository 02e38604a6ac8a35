from datetime import date

import pytest

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.listings import Listed
from dragon_pipeline.adapters.web.outlet import Outlet
from dragon_pipeline.adapters.web.wanted import is_wanted

DAY = date(2026, 3, 4)
OUTLET = Outlet(
    name="a",
    hosts=("a.example",),
    entries=(Entry(kind="feed", url="https://a.example/rss"),),
    articles=(r"/(?P<year>\d{4})/(?P<month>\d{2})/(?P<day>\d{2})/\w+", r"/undated/\w+"),
)


@pytest.mark.parametrize(
    ("path", "days", "wanted"),
    [
        ("/undated/x", [], True),
        ("/undated/x", [4], True),
        ("/undated/x", [3, 4], True),
        ("/undated/x", [3], False),
        ("/2026/03/04/x", [], True),
        ("/2026/03/03/x", [], True),
        ("/2026/03/05/x", [], True),
        ("/2026/03/02/x", [], False),
        ("/2026/03/02/x", [4], True),
        ("/2026/03/04/x", [9], True),
        ("/2026/03/04/x", [3], False),
        ("/about", [4], False),
    ],
)
def test_a_page_is_asked_for_when_listing_and_address_allow_it(path: str, days: list[int], wanted: bool):
    listed = Listed(f"https://a.example{path}", frozenset(date(2026, 3, day) for day in days))
    assert is_wanted(OUTLET, listed, DAY) is wanted


def test_a_page_of_another_host_is_not_wanted():
    assert not is_wanted(OUTLET, Listed("https://b.example/undated/x", frozenset({DAY})), DAY)
