import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.journal import LONGEST_GAP, NAME, Journal
from dragon_pipeline.adapters.web.tally import OK, Outcome

GONE = Outcome("failed", "http_404")
OTHER = Outcome("left_out", "other_day")


@pytest.fixture
def noted(tmp_path):
    journal = Journal(tmp_path, "recipe")
    for url, outcome in {"http://a.example/1": OK, "http://a.example/ё\n": GONE, "http://a.example/3": OTHER}.items():
        journal.note(url, outcome)
    return tmp_path


def test_what_an_unfinished_crawl_settled_is_known_to_the_next(noted):
    assert Journal(noted, "recipe").settled == {
        "http://a.example/1": OK,
        "http://a.example/ё\n": GONE,
        "http://a.example/3": OTHER,
    }


def test_a_finished_crawl_leaves_nothing(noted):
    Journal(noted, "recipe").close()
    assert list(noted.iterdir()) == []
    assert Journal(noted, "recipe").settled == {}


def test_another_recipe_starts_anew(noted):
    assert Journal(noted, "another").settled == {}
    assert Journal(noted, "recipe").settled == {}


def test_a_crawl_of_another_day_is_not_gone_on_with(noted):
    before = time.time() - LONGEST_GAP - 60
    os.utime(noted / NAME, (before, before))
    assert Journal(noted, "recipe").settled == {}


@pytest.mark.parametrize("reason", ["no_connection", "timeout", "http_5xx", "robots_unreachable"])
def test_what_the_network_took_is_asked_for_again(tmp_path, reason):
    Journal(tmp_path, "recipe").note("http://a.example/1", Outcome("failed", reason))
    assert Journal(tmp_path, "recipe").settled == {}


@given(cut=st.integers(0, 400), tail=st.binary(max_size=20))
def test_a_torn_journal_tells_what_it_can(tmp_path_factory, cut, tail):
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder, "recipe")
    told = {f"http://a.example/{number}": OK for number in range(5)}
    for url, outcome in told.items():
        journal.note(url, outcome)
    journal.path.write_bytes(journal.path.read_bytes()[:cut] + tail)
    assert Journal(folder, "recipe").settled.items() <= told.items()
