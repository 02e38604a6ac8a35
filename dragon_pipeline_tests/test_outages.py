"""What a day comes to when outlets refuse, hang or send garbage: a day all the same, and a warning for each."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.demo.articles import read_stories
from dragon_pipeline.demo.newsroom import Newsroom
from dragon_pipeline.demo.pages import SITES, Answer
from dragon_pipeline_tests.test_cli import dragon

DAY = date(2025, 9, 1)
HOSTS = {name: site.host for name, site in SITES.items()}


@pytest.mark.slow
def test_a_refusal_a_silence_and_garbage_at_once_fail_no_day(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text(
        "first_day: 2025-09-01\n"
        "newsroom: {gateway_shows_days: true, delay: 0, seconds_per_outlet: 25,\n"
        "  outlets: [severny-kurier, delovaya-volna, motor-city, afisha-kvartal]}\n"
    )
    with Newsroom() as newsroom:
        newsroom.statuses[HOSTS["severny-kurier"]] = 403
        newsroom.hanging.add(HOSTS["motor-city"])
        site = SITES["afisha-kvartal"]
        for told in read_stories():
            if told.outlet == site.name:
                newsroom.extra[site.host, site.path(told)] = Answer(b"\xff\x00<<" * 500, "text/html")
        run = dragon("run", "--day", f"{DAY}", home=tmp_path, DRAGON_NEWSROOM__GATEWAY=newsroom.address)
    assert run.returncode in (0, 3), run.stderr
    outlets = pl.read_parquet(tmp_path / "tables" / "outlets" / f"{DAY}.parquet")
    given = dict(outlets.select("outlet", "extracted").iter_rows())
    assert given.pop("delovaya-volna") == 4
    assert set(given.values()) == {0}
    for outlet in given:
        assert f"{DAY}  silent_outlets: {outlet}: no article yet in 1 day; " in run.stderr
    assert "http_403" in run.stderr and "it refuses the crawler" in run.stderr
    assert "timeout" in run.stderr and "it does not answer: run the day again when it does" in run.stderr
