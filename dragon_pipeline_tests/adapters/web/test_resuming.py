"""A crawl that is killed goes on where it was; one that is finished is made anew."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from dragon_pipeline.demo.newsroom import Newsroom

PAGES = 60
IN_FLIGHT = 6
"""pages that may be between the wire and the archive at any moment: two requests, and what waits to be read"""
CRAWL = """
import asyncio, sys
from datetime import date
from pathlib import Path
from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
gateway, archive = sys.argv[1:]
settings = NewsroomSettings(gateway=gateway, delay=0, gateway_shows_days=True)
day = date(2031, 5, 5)
asyncio.run(crawl(list(load_outlets(["motor-city"]).values()), day, settings, PageArchive(Path(archive)), day))
"""


@pytest.fixture
def many(make_story):
    with Newsroom(articles=[make_story("motor-city", f"mot-{number}") for number in range(PAGES)]) as room:
        yield room


def pages(room: Newsroom) -> list[str]:
    return [path for _, path, _ in room.requests if path.startswith("/news/")]


def killed(room: Newsroom, archive: Path, after: int) -> None:
    """A crawl whose process is killed once so many pages were asked for."""
    child = subprocess.Popen([sys.executable, "-c", CRAWL, room.address, str(archive)])
    until = time.monotonic() + 60
    while len(pages(room)) < after and time.monotonic() < until:
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()


@pytest.mark.slow
def test_a_killed_crawl_goes_on_and_loses_nothing(many, crawled, tmp_path):
    for after in (10, 30):
        before = len(pages(many))
        killed(many, tmp_path / "killed", before + after)
        assert (tmp_path / "killed" / "motor-city" / "2031-05-05" / "unfinished.jsonl").exists()
    resumed = crawled(many, 1, "motor-city", archive="killed")["motor-city"]
    asked = Counter(pages(many))
    assert len(asked) == PAGES
    assert sum(number - 1 for number in asked.values()) <= 2 * IN_FLIGHT
    assert resumed.equals(crawled(many, 1, "motor-city", archive="undisturbed")["motor-city"])


def test_a_finished_crawl_is_made_anew(many, crawled):
    crawled(many, 1, "motor-city")
    crawled(many, 1, "motor-city")
    assert set(Counter(pages(many)).values()) == {2}


def test_a_crawl_that_ran_out_of_time_is_finished(many, crawled, tmp_path):
    many.hanging.add("motor-city.example")
    crawled(many, 1, "motor-city", archive="late", seconds_per_outlet=1)
    assert not list((tmp_path / "late").rglob("unfinished.jsonl"))
    many.hanging.clear()
    assert crawled(many, 1, "motor-city", archive="late")["motor-city"].height == PAGES
