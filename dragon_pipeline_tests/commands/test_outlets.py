"""`dragon doctor --outlets` against the newsroom, as a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline.demo.pages import Answer
from dragon_pipeline_tests.test_cli import demo_home, dragon

MOTOR = "motor-city.example"


@pytest.fixture
def room() -> Iterator[Newsroom]:
    with Newsroom() as serving:
        yield serving


@pytest.fixture
def tried(tmp_path: Path, room: Newsroom):
    """tried(**settings): exit code, {(outlet, what was tried): (line)} and the error stream."""

    def run(**settings: str) -> tuple[int, dict[tuple[str, str], str], str]:
        given = {"DRAGON_NEWSROOM__GATEWAY": room.address, "DRAGON_NEWSROOM__OUTLETS": "[delovaya-volna, motor-city]"}
        given |= {"DRAGON_NEWSROOM__GATEWAY_SHOWS_DAYS": "true"}
        told = dragon(
            "doctor", "--outlets", "--day", "2025-09-05", home=tmp_path, **given, DRAGON_NEWSROOM__DELAY="0", **settings
        )
        lines = [line.split(maxsplit=2) for line in told.stdout.splitlines()[2:]]
        return told.returncode, {(outlet, part): rest for outlet, part, rest in lines}, told.stderr

    return run


def test_the_bundled_newsroom_is_well_and_each_article_says_what_was_found(tmp_path: Path):
    told = dragon("doctor", "--outlets", home=demo_home(tmp_path / "home"))
    assert told.returncode == 0, told.stderr
    lines = [line for line in told.stdout.splitlines() if " article " in line]
    assert len(lines) == 4
    for line, extractor in zip(lines, ("json_ld", "selectors", "selectors", "next"), strict=True):
        assert f"characters by {extractor}, read in" in line
        assert " yes " in line
    assert " NO " not in told.stdout


def test_an_outlet_that_refuses_is_ill_and_the_others_are_tried_all_the_same(tried, room):
    room.statuses[MOTOR] = 403
    code, lines, error = tried()
    assert code == 1
    assert "motor-city: see above" in error and "delovaya-volna" not in error
    assert lines["motor-city", "robots"].startswith("none (http_403)")
    assert lines["motor-city", "feed"].startswith("http_403") and " NO " in lines["motor-city", "feed"]
    assert " yes " in lines["delovaya-volna", "feed"]


def test_it_says_that_robots_txt_forbids_us(tried, room):
    room.extra[MOTOR, "/robots.txt"] = Answer(b"User-agent: *\nDisallow: /\n", "text/plain")
    code, lines, _ = tried()
    assert code == 1
    assert lines["motor-city", "robots"].startswith("1 rules")
    assert lines["motor-city", "sitemap"].startswith("robots ")


def test_an_outlet_whose_articles_cannot_be_read_is_ill(tried, room):
    for path in room.pages(MOTOR, None):
        if "/news/" in path:
            room.extra[MOTOR, path] = Answer("<html><h1>Скоро</h1></html>".encode(), "text/html; charset=utf-8")
    code, lines, _ = tried()
    assert code == 1
    assert " NO " in lines["motor-city", "article"]
    assert " yes " in lines["motor-city", "sitemap"]


def test_a_listing_that_is_none_is_ill_and_says_what_was_found(tried, room):
    room.extra[MOTOR, "/exports/rss"] = Answer(b"<html></html>", "text/html")
    code, lines, _ = tried()
    assert code == 1
    assert lines["motor-city", "feed"].startswith("a feed was expected, found <html>")
    assert " yes " in lines["motor-city", "article"]


@pytest.mark.slow
def test_an_outlet_that_hangs_is_ill_when_its_time_is_over(tried, room):
    room.hanging.add(MOTOR)
    code, lines, error = tried(DRAGON_NEWSROOM__SECONDS_PER_OUTLET="12")
    assert code == 1
    assert "motor-city" in error and "delovaya-volna" not in error
    assert "time" in lines["motor-city", "feed"]
    assert "Traceback" not in error


def test_without_outlets_it_says_what_to_set(tmp_path: Path):
    told = dragon("doctor", "--outlets", home=tmp_path)
    assert told.returncode == 1
    assert "newsroom.outlets" in told.stderr


def test_a_ca_file_that_is_not_there_is_named(tried):
    code, _, error = tried(DRAGON_NEWSROOM__CA_FILE="/nowhere/ca.pem")
    assert code == 1
    assert "newsroom.ca_file: /nowhere/ca.pem holds no certificate authority" in error
