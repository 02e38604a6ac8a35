"""`dragon doctor --outlets`: every configured outlet tried live."""

import asyncio
import os
from datetime import date, datetime, timedelta

from rich.console import Console

from dragon_pipeline.adapters.web.catalogue import outlets_of
from dragon_pipeline.adapters.web.examination import Trial, examine
from dragon_pipeline.commands.newsroom import newsroom_if_asked
from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.corpus.dates import MOSCOW
from dragon_pipeline.core.errors import BadInput, DragonError
from dragon_pipeline.defs.configuration import load_settings
from dragon_pipeline.defs.resources import home

COLUMNS = ("outlet", "tried", "answer", "seconds", "well", "address")


def try_outlets(day: date | None) -> None:
    """Prints what each entry and the newest article of each outlet gave. Dated entries are asked for `day`, or yesterday.

    Raises:
        BadInput: no outlet is configured, or `newsroom.ca_file` is none.
        DragonError: an outlet is ill; names all of them.
    """
    with newsroom_if_asked() as bundled:
        newsroom = load_settings(home(), os.environ).newsroom
        outlets = outlets_of(newsroom)
        if not outlets:
            raise BadInput("no outlet is configured: name some in newsroom.outlets or newsroom.sites")
        day = day or (_last_bundled_day() if bundled else datetime.now(MOSCOW).date() - timedelta(days=1))
        trials = asyncio.run(examine(list(outlets.values()), newsroom, day))
    print_table(Console(soft_wrap=True, highlight=False), COLUMNS, map(_row, trials))
    if ill := [name for name in outlets if not _is_well([trial for trial in trials if trial.outlet == name])]:
        raise DragonError(f"{', '.join(ill)}: see above")


def _is_well(trials: list[Trial]) -> bool:
    """Every entry lists articles, and an article could be read."""
    return all(trial.well for trial in trials) and any(trial.part == "article" for trial in trials)


def _row(trial: Trial) -> tuple[str, ...]:
    seconds = "" if trial.seconds is None else f"{trial.seconds:.2f}"
    return trial.outlet, trial.part, trial.answer, seconds, "yes" if trial.well else "NO", trial.url


def _last_bundled_day() -> date:
    from dragon_pipeline.demo.articles import read_stories

    return max(story.day for story in read_stories())
