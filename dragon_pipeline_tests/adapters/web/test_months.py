"""A month is backfilled day by day, where a sitemap reaches back and where only a list without end does."""

import asyncio
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.adapters.web.engine import crawl
from dragon_pipeline.adapters.web.outlet import load_outlets
from dragon_pipeline.adapters.web.page_archive import PageArchive
from dragon_pipeline.core.settings import NewsroomSettings
from dragon_pipeline_tests.local_sites.fixtures import Site, SiteAnswer, read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

SITES = Path(__file__).parent / "sites"
MONTH = [date(2024, 6, 1) + timedelta(days=number) for number in range(30)]
TODAY = date(2024, 7, 20)
CARD = '<a class="RowCard_Container__BwANN" href="{}"><h6>Заметка</h6><span class="RowCard_DateLabel___QZN8">{}</span></a>'


def backfilled(
    outlet: str, answers: list[SiteAnswer], archive: Path, days: list[date] = MONTH
) -> tuple[dict[date, pl.DataFrame], list[list[str]]]:
    """The table of every day, and what was asked for it."""
    tables, asked = {}, []
    with LocalSites([Site(name=outlet, folder=SITES / outlet, answers=answers)]) as serving:
        settings = NewsroomSettings(gateway=serving.address, ca_file=serving.ca_file, delay=0, seconds_per_outlet=30)
        for day in days:
            before = len(serving.urls)
            crawling = crawl([load_outlets([outlet])[outlet]], day, settings, PageArchive(archive), TODAY)
            tables[day] = asyncio.run(crawling)[outlet].table()
            asked.append(serving.urls[before:])
        assert serving.strangers == []
    return tables, asked


def robots(host: str) -> SiteAnswer:
    return SiteAnswer(url=f"https://{host}/robots.txt", text="User-agent: *\nDisallow:\n", type="text/plain")


def dated(outlet: str, file: str, old: str) -> Callable[[date], str]:
    """A page of the fixture as it would be on another day."""
    source = (read_site(SITES / outlet).folder / file).read_text("utf-8")
    assert old in source
    return lambda day: source.replace(old, day.isoformat())


@pytest.mark.slow
def test_a_month_of_a_sitemap_is_whole_though_every_second_article_was_changed_the_day_after(tmp_path):
    page = dated("motor", "zavod-kuzovov.html", "2024-11-20")
    answers, listed = [robots("motor.ru")], []
    for day in MONTH:
        for name, changed in (("utro", day), ("vecher", day + timedelta(days=1))):
            url = f"https://motor.ru/news/{name}-{day:%d-%m-%Y}.htm"
            answers.append(SiteAnswer(url=url, text=page(day)))
            listed.append(f"<url><loc>{url}</loc><lastmod>{changed}T12:00:00+03:00</lastmod></url>")
    answers.append(SiteAnswer(url="https://motor.ru/sitemap.xml", text=f"<urlset>{''.join(listed)}</urlset>", type="text/xml"))
    tables, asked = backfilled("motor", answers, tmp_path)
    for day, table in tables.items():
        own = {f"https://motor.ru/news/{name}-{day:%d-%m-%Y}.htm" for name in ("utro", "vecher")}
        yesterday = {f"https://motor.ru/news/vecher-{day - timedelta(days=1):%d-%m-%Y}.htm"} if day > MONTH[0] else set()
        assert set(table.filter(status="ok")["url"]) == own | yesterday
        assert table.height == len(own | yesterday)
    assert max(len(urls) for urls in asked) == 5, "robots.txt, the sitemap, and what the day may have"


@pytest.mark.slow
def test_a_month_of_a_list_without_end_is_whole_and_no_day_reads_further_than_it_must(tmp_path):
    """Five cards a page, two articles a day; what lies behind the last page is the last page again, for ever."""
    page = dated("afisha", "teni.html", "2025-07-02")
    urls = {day: [f"https://daily.afisha.ru/news/{day:%m%d}{n}-zametka/" for n in (1, 2)] for day in MONTH}
    cards = [CARD.format(url, f"{day.day} июня 2024") for day in MONTH for url in urls[day]]
    pages = ["".join(cards[::-1][start : start + 5]) for start in range(0, len(cards), 5)]
    answers = [robots("daily.afisha.ru")]
    answers += [SiteAnswer(url=url, text=page(day)) for day in MONTH for url in urls[day]]
    answers += [
        SiteAnswer(url=f"https://daily.afisha.ru/news/?page={number}", text=f"<main>{pages[min(number, 12) - 1]}</main>")
        for number in range(1, 202)
    ]
    days = MONTH[3:]  # those on the last page are bounded by the entry's `most_pages` alone
    tables, asked = backfilled("afisha", answers, tmp_path, days)
    assert {day: sorted(table.filter(status="ok")["url"]) for day, table in tables.items()} == {day: urls[day] for day in days}
    newer = [2 * (len(days) - number - 1) for number in range(len(days))]
    needed = [(articles + 1) // 5 + 2 for articles in newer]
    assert [sum("?page=" in url for url in of_day) for of_day in asked] == needed, "one page more, to see that it is older"
