from collections.abc import Callable

import polars as pl
import pytest

from dragon_pipeline.core.records import ACCEPTED, ARTICLES
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.table import DAY
from dragon_pipeline_tests.core.release import small_day
from dragon_pipeline_tests.core.release.small_day import PAGES, QUESTIONS, Day, article, verdicts_of


@pytest.fixture(scope="session")
def day() -> Day:
    accepted = ACCEPTED.frame(QUESTIONS)
    articles = pl.DataFrame([article(page) for page in range(len(PAGES))], schema={**ARTICLES.schema, DAY: pl.String()})
    return Day(accepted, articles, verdicts_of(accepted))


@pytest.fixture(scope="session")
def files(day: Day) -> FileStore:
    """Where the files of the releases lie that these fixtures build."""
    return day.files


@pytest.fixture(scope="session")
def release(day: Day) -> pl.DataFrame:
    return day.build()


@pytest.fixture(scope="session")
def other_release(day: Day) -> pl.DataFrame:
    """The same day with other content."""
    return day.vary(accepted=day.accepted.head(3)).build()


@pytest.fixture(scope="session")
def question() -> Callable[..., dict]:
    return small_day.question
