"""What edits, returns and losses of pages come to, from a site over real HTTP to the day's difference."""

from dataclasses import dataclass, field
from datetime import timedelta

import polars as pl

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.articles import increment
from dragon_pipeline.core.corpus.diff import Day, Diff, Version, diff, moves
from dragon_pipeline.core.corpus.health import survey
from dragon_pipeline.core.corpus.ledger import build_ledger
from dragon_pipeline.core.records import LEDGER
from dragon_pipeline_tests.adapters.web.conftest import FIRST, article

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4
AT = "https://vestnik.example/news/{}"


@dataclass
class History:
    """The window as it grows day by day."""

    ledgers: list[pl.DataFrame] = field(default_factory=list)
    versions: dict[str, Version] = field(default_factory=dict)

    def take(self, number: int, crawled: pl.DataFrame) -> Diff:
        day, before, today = (FIRST + timedelta(days=number - 1)).isoformat(), self.batches(), build_ledger(crawled, {})
        self.ledgers = [*self.ledgers, today.with_columns(day=pl.lit(day))]
        articles = increment(crawled, self.batches(), day, {}).articles
        moved = moves(Day(day, crawled, today, articles), before, {})
        for row in articles.iter_rows(named=True):
            self.versions[row["article_id"]] = Version(row["title"], row["text"], {})
        known = {url: self.versions[at.article_id] for url, at in moved.standing.items()}
        return diff(moved, known, {row["url"]: self.versions[row["article_id"]] for row in moved.changed})

    def batches(self) -> Batches:
        ledgers = self.ledgers
        return Batches(LEDGER, lambda columns: (rows.select(columns) for rows in ledgers))


def urls(pages) -> list[str]:
    return [page.url for page in pages]


def test_a_page_s_history_is_told_day_by_day(crawled, playing, vestnik):
    first, edited = BODY + "Ремонт стоил 5 млн рублей.", BODY + "Ремонт стоил 6 млн рублей."
    world = {
        1: ({1: (1, first), 2: (1, BODY), 3: (1, BODY + "Три.")}, {}),
        2: ({1: (1, edited), 2: (1, BODY), 4: (2, BODY + "Четыре.")}, {"/news/3": {"text": "", "status": 410}}),
        3: ({1: (1, first), 4: (2, BODY + "Четыре.")}, {"/news/4": {"text": "", "status": 500}}),
        4: ({1: (1, first + " Мост осветили.")}, {}),
    }
    history, told = History(), {}
    for day, (pages, answers) in world.items():
        with playing(pages, answers) as site:
            told[day] = history.take(day, crawled(site, day, vestnik)["vestnik"])
    assert urls(told[1].new) == [AT.format(number) for number in (1, 2, 3)]
    assert (urls(told[2].new), urls(told[2].unchanged)) == ([AT.format(4)], [AT.format(2)])
    (change,), (lost,) = told[2].changed, told[2].vanished
    assert (change.url, change.version, change.numbers_removed, change.numbers_added) == (
        AT.format(1), 2, ("5000000",), ("6000000",),
    )  # fmt: skip
    assert (lost.url, lost.reason, lost.seen, lost.title) == (AT.format(3), "http_410", "2031-05-05", "Мост открыт")
    assert (urls(told[3].unchanged), told[3].changed, told[3].vanished) == ([AT.format(1)], (), ()), "back, and an outage"
    (again,) = told[4].changed
    assert (again.version, again.before, again.kept, again.numbers_removed) == (3, "2031-05-07", 1.0, ())


def test_a_page_that_is_known_by_another_address_of_its_own_has_vanished_under_that(crawled, playing, vestnik):
    stated = article(1, BODY).replace("<head>", '<head><link rel="canonical" href="https://vestnik.example/news/1001">')
    gone = {"/news/1": {"text": "", "status": 404}}
    history = History()
    for day, answers in ((1, {"/news/1": {"text": stated}}), (2, gone)):
        with playing({1: (1, BODY)}, answers) as site:
            told = history.take(day, crawled(site, day, vestnik)["vestnik"])
    assert urls(told.vanished) == ["https://vestnik.example/news/1001"]


def test_two_fetches_of_a_day_are_two_versions_and_the_stated_date_decides(crawled, playing, vestnik):
    late = article(1, BODY + "Вечер.").replace('"headline"', '"dateModified": "2031-05-05T20:00:00+03:00", "headline"')
    early = article(1, BODY + "Утро.").replace('"headline"', '"dateModified": "2031-05-05T09:00:00+03:00", "headline"')
    for page in (late, early):
        with playing({1: (1, BODY)}, {"/news/1": {"text": page}}) as site:
            table = crawled(site, 1, vestnik)["vestnik"]
    ledger = build_ledger(table, {})
    assert ledger.sort("fetch").select("fetch", "latest").rows() == [(0, True), (1, False)]
    (new,) = History().take(1, table).new
    assert new.versions == 2


def test_an_outlet_that_refuses_everything_has_a_day_of_failures(crawled, playing, vestnik):
    refusing = {path: {"text": "Доступ ограничен", "status": 403} for path in ("/", "/sitemap.xml", "/news/1")}
    with playing({1: (1, BODY)}, refusing) as site:
        (told,) = survey(crawled(site, 1, vestnik)["vestnik"], ["vestnik"]).to_dicts()
    assert (told["extracted"], told["listings_failed"], told["reasons"]) == (0, 2, '{"listing: http_403": 2}')
