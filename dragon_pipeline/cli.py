"""`dragon`, the command. Exit codes: 0 done, 1 failed, 2 wrong use, 3 finished with nothing to publish."""

import os
import re
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from dragon_pipeline.commands.invocation import Day, HomeFlag, Json, command, newsroom
from dragon_pipeline.commands.release_cli import releases

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A new, uncontaminated RAG benchmark out of each day's news.",
)
app.add_typer(releases, name="release")
wikidata = typer.Typer(no_args_is_help=True, help="The index of Wikidata that facts are held against.")
app.add_typer(wikidata, name="wikidata")
annotate = typer.Typer(no_args_is_help=True, help="Questions for people to judge; `dragon agreement` reads what they said.")
app.add_typer(annotate, name="annotate")


@app.command()
def demo(
    home: HomeFlag = None, days: Annotated[int, typer.Option("--days", min=1, help="Days of the bundled newsroom.")] = 6
) -> None:
    """Serves the bundled newsroom, runs its days through Dagster, publishes to a folder hub and scores the baselines."""
    with command(home):
        from dragon_pipeline.commands import demo as commands

        commands.prepare()
        with newsroom():
            commands.demo(days)


@app.command()
def run(
    day: Day,
    until: Annotated[
        datetime | None, typer.Option("--until", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="Last day. [default: DAY]")
    ] = None,
    home: HomeFlag = None,
    articles: Annotated[
        Path | None, typer.Option("--articles", metavar="FILE", help="JSONL (plain or .gz), Parquet or CSV of articles.")
    ] = None,
) -> None:
    """Materialises days, in order, without the UI."""
    if until and until < day:
        raise typer.BadParameter("is before --day", param_hint="--until")
    with command(home), newsroom():
        from dragon_pipeline.commands.days import run as run_days

        run_days(day.date(), (until or day).date(), articles)


@app.command()
def skip(
    day: Day,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="Why; stored with the day.")],
    home: HomeFlag = None,
) -> None:
    """Gives a day up: writes empty tables, so that later days can go on without it."""
    with command(home):
        from dragon_pipeline.commands.skip import skip as skip_day

        skip_day(day.date(), because)


@app.command()
def forget(
    what: Annotated[str, typer.Argument(metavar="URL|NAME", help="Address of a page, or a person's given name and surname.")],
    because: Annotated[
        str | None, typer.Option("--because", metavar="TEXT", help="Why; stands in the log, so name nobody.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only what would go is said.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and do nothing.")] = False,
    home: HomeFlag = None,
) -> None:
    """Takes a page, or every article that names a person, out of the home for good, and keeps it from coming back."""
    with command(home):
        from dragon_pipeline.commands import forget as commands

        commands.forget(commands.Wish(what, because, yes, dry_run))


@app.command()
def up(
    home: HomeFlag = None,
    host: Annotated[str, typer.Option(help="Address to serve on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to serve on.")] = 3000,
) -> None:
    """Dagster's UI and daemon on a home."""
    with command(home), newsroom():
        from dragon_pipeline.commands.up import up as serve

        serve(host, port)


@app.command()
def diff(
    day: Day,
    outlet: Annotated[str | None, typer.Option("--outlet", metavar="NAME", help="Only this one. [default: all]")] = None,
    as_json: Json = False,
    home: HomeFlag = None,
) -> None:
    """What a day changed: pages that are new, changed (title, numbers, names, text), unchanged or gone."""
    with command(home):
        from dragon_pipeline.commands.diff import show_diff

        show_diff(day.date(), outlet, as_json)


@app.command()
def explain(qa_id: Annotated[str, typer.Argument(metavar="QA_ID")], as_json: Json = False, home: HomeFlag = None) -> None:
    """The whole lineage of one accepted or rejected question."""
    with command(home):
        from dragon_pipeline.commands.explain import explain as explain_question

        explain_question(qa_id, as_json)


@app.command()
def evaluate(
    results: Annotated[Path, typer.Argument(metavar="RESULTS.json", help="{public_id: {found_ids, model_answer}}")],
    release: Annotated[str | None, typer.Option("--release", metavar="V", help="Version. [default: the newest]")] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="standard, paper, card or peer.")] = "standard",
    home: HomeFlag = None,
) -> None:
    """Measures of a run."""
    with command(home):
        from dragon_pipeline.commands.evaluation import evaluate as evaluate_run

        evaluate_run(results, release, profile)


@app.command()
def agreement(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="What annotators filled in: CSV, JSONL, or JSON from Label Studio.")
    ],
    rule: Annotated[
        Literal["half", "majority"],
        typer.Option("--rule", help="When a question is good: half or more of its annotators said so, or more than half."),
    ] = "half",
    as_json: Json = False,
    home: Annotated[
        Path | None,
        typer.Option("--home", metavar="DIR", help="Its verdicts are the judge; else judge_… columns are."),
    ] = None,
) -> None:
    """How far the judge agrees with people (precision and recall by criterion), and people with each other (alpha)."""
    with command(home):
        from dragon_pipeline.commands import agreement as commands

        commands.agreement(commands.Wish(files, rule, as_json, from_home=home is not None))


@annotate.command("export")
def export_annotation(  # noqa: PLR0913 (each is an option)
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write a Label Studio project and a CSV.")],
    number: Annotated[int, typer.Option("--number", min=1, help="Questions, as many of each type as there are.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw.")] = 0,
    day: Annotated[
        datetime | None,
        typer.Option("--day", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="First day; all days when not given."),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option("--until", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="Last day; DAY when not given."),
    ] = None,
    rejected: Annotated[
        float, typer.Option("--include-rejected", min=0, max=1, metavar="SHARE", help="Questions that the judge rejected.")
    ] = 0.5,
    home: HomeFlag = None,
) -> None:
    """Draws questions at random for people to judge, balanced by type and by the judge's verdict, which is not shown."""
    if day and until and until < day:
        raise typer.BadParameter("is before --day", param_hint="--until")
    with command(home):
        from dragon_pipeline.commands import annotation as commands

        first, last = (f"{one:%Y-%m-%d}" if one else None for one in (day, until or day))
        commands.export(commands.Wish(out, commands.Wanted(number, seed, rejected), first, last))


@app.command()
def doctor(
    home: HomeFlag = None,
    outlets: Annotated[
        bool, typer.Option("--outlets", help="Try each outlet live instead: robots.txt, entries, an article.")
    ] = False,
    day: Annotated[
        datetime | None,
        typer.Option("--day", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="For dated entries; yesterday when not given."),
    ] = None,
) -> None:
    """Each port: what is configured, whether it answers, and which screens will run."""
    with command(home):
        if outlets:
            from dragon_pipeline.commands.outlets import try_outlets

            try_outlets(day.date() if day else None)
            return
        from dragon_pipeline.commands.doctor import doctor as examine

        examine()


@wikidata.command("build")
def build_index(
    dump: Annotated[Path, typer.Argument(metavar="DUMP", help="JSON dump: plain, .gz or .bz2; - for standard input.")],
    language: Annotated[list[str], typer.Option(metavar="CODE", help="The first is shown; more stand in, in their order.")],
    out: Annotated[Path, typer.Option(metavar="INDEX", help="File to write.")],
    revision: Annotated[str | None, typer.Option(metavar="NAME", help="Instead of the date of the latest edit.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="That parse; one for each core when not given.")] = None,
) -> None:
    """An index of names, aliases and statements from a dump of Wikidata."""
    if wrong := [code for code in language if not re.fullmatch(r"[a-z]{2,12}(-[a-z0-9]{1,12})*", code)]:
        raise typer.BadParameter(f"{wrong[0]!r} is no code of a language, as ru is", param_hint="--language")
    if revision and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", revision):
        raise typer.BadParameter("takes up to 40 letters, digits, dots and hyphens", param_hint="--revision")
    with command(None):
        from dragon_pipeline.commands import wikidata as commands

        plan = commands.Plan(tuple(dict.fromkeys(language)), revision, processes or len(os.sched_getaffinity(0)))
        commands.build_index(commands.Wish(dump, out, plan))


def main() -> None:
    app()
