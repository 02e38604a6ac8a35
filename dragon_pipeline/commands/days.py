"""`dragon run`: days, in order, through Dagster without its UI."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path

import dagster as dg
import polars as pl
from rich.console import Console

from dragon_pipeline.adapters.web.article_files import NothingUsable, read_articles
from dragon_pipeline.commands.progress import ERRORS, Steps
from dragon_pipeline.commands.runs import fail_orphans, instance_of, materialise, start_of
from dragon_pipeline.commands.summary import print_summary, summarise
from dragon_pipeline.core.errors import BadInput, NothingToPublish
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.corpus import url_rules
from dragon_pipeline.defs.engines import forgotten
from dragon_pipeline.defs.partitions import DAYS
from dragon_pipeline.defs.resources import home, settings, tables
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import write_table


def run(day: date, until: date, articles: Path | None = None) -> None:
    """Materialises the days in order, writes summary.json and prints it.

    Raises:
        NothingToPublish: done, but no day of these has a version.
    """
    days = days_between(day, until)
    with working() as instance:
        if articles:
            take_articles(articles, days)
        run_days(instance, days)
        summary = summarise(Tables(tables()), instance, days)
    home().write_summary(summary)
    print_summary(summary, Console())
    Console(soft_wrap=True, highlight=False).print(f"what became of each day: {home().report(days[-1]).parent}", markup=False)
    told = [f"{day}: {reason}" for day, reason in reasons(days).items()]
    if not summary["versions"]:
        raise NothingToPublish("; ".join(told))
    for line in told:  # a version that was lost or withdrawn, a day that is past
        ERRORS.print(line, markup=False)


@contextmanager
def working() -> Iterator[dg.DagsterInstance]:
    """The home's Dagster instance, with the home held and what a killed process left behind put right."""
    with ExitStack() as stack:
        stack.enter_context(home().working())
        instance = stack.enter_context(instance_of(home()))
        for run_id in fail_orphans(instance, home()):
            ERRORS.print(f"run {run_id} was killed; going on from what it finished")
        if home().forgotten().unfinished():
            ERRORS.print(
                "a `dragon forget` was cut short: what it was told to forget is kept out, and not all gone; say it again"
            )
        yield instance


def days_between(day: date, until: date) -> list[str]:
    """Partition keys from one day to the other.

    Raises:
        BadInput: a day before the home's first, or one that is not over yet.
    """
    first, last = DAYS.get_first_partition_key(), DAYS.get_last_partition_key()
    if first is None or last is None or day.isoformat() < first:
        raise BadInput(f"{day}: the first day of this home is {settings().first_day}; set first_day in {home().settings_file}")
    if until.isoformat() > last:
        raise BadInput(f"{until}: that day is not over yet in Moscow; the last full day is {last}")
    return [(day + timedelta(days=number)).isoformat() for number in range((until - day).days + 1)]


def run_days(instance: dg.DagsterInstance, days: Sequence[str]) -> None:
    """Every day in order. The first that fails ends it; the next call goes on from there, done days are not run again."""
    batch = home().begin_batch()
    starts = {day: start_of(instance, day, batch) for day in days}
    with Steps(sum(start.total for start in starts.values())) as steps:
        for day, start in starts.items():
            with steps.of(day, start.done):
                if start.done < start.total:
                    fail_orphans(instance, home())
                    materialise(instance, day, start, batch)
    home().end_batch()


def take_articles(path: Path, days: Sequence[str]) -> None:
    """Puts a file's rows into the home, what cannot be used into a table of its own. Rows without a day go to the first.

    Raises:
        BadInput: nothing of the file can be used.
    """
    try:
        found = read_articles(path)
    except NothingUsable as error:
        write_table(home().bad_imports, error.bad)
        raise BadInput(f"{error}\nEach row with its reason: {home().bad_imports}") from None
    rows = found.rows.with_columns(pl.col(DAY).fill_null(days[0]))
    rows = _without_forgotten(rows, path)
    home().put_imports(rows)
    asked = rows.filter(pl.col(DAY).is_in(list(days))).height
    ERRORS.print(f"{path}: {_many(rows.height, 'article')}, {asked} of the days asked for", markup=False)
    known = forgotten()
    write_table(
        home().bad_imports,
        found.bad.filter(~pl.Series([known.is_in(sample) for sample in found.bad["sample"]], dtype=pl.Boolean)),
    )
    if found.bad.height:
        lost = found.bad.filter(~pl.col("kept")).height
        first = found.bad.row(0, named=True)
        ERRORS.print(
            f"{path}: {_many(lost, 'row')} left out, {_many(found.bad.height - lost, 'date')} unreadable; the first is line "
            f"{first['line']}: {first['reason']}, {first['sample']}\n{path}: all of them are in {home().bad_imports}",
            markup=False,
        )


def _without_forgotten(rows: pl.DataFrame, path: Path) -> pl.DataFrame:
    if not (known := forgotten()):
        return rows
    going = known.going(rows, url_rules(settings()))
    if going.any():
        ERRORS.print(f"{path}: {_many(int(going.sum()), 'article')} left out, which are to stay forgotten", markup=False)
    return rows.filter(~going)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def reasons(days: Sequence[str]) -> dict[str, str]:
    """Day → why it was not published, or what is to be said of a version that it has."""
    told = Tables(tables()).read("revision", list(days)).unique(DAY, keep="first", maintain_order=True)
    rows = told.select(DAY, "version", "outcome", "reason").iter_rows()
    return {day: reason or outcome for day, version, outcome, reason in rows if reason or version is None}
