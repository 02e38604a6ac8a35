"""`dragon release …` as it is called; `release` and `publishing` do what it says."""

from datetime import datetime
from typing import Annotated

import typer

from dragon_pipeline.commands.invocation import HomeFlag, Json, Version, command

releases = typer.Typer(no_args_is_help=True, help="What the home's hub holds.")

OfSandbox = Annotated[bool, typer.Option("--sandbox", help="Of the sandbox's versions, not the releases'.")]
Named = Annotated[str, typer.Argument(metavar="VERSION", help="1.N.0")]


@releases.command("list")
def list_releases(sandbox: OfSandbox = False, as_json: Json = False, home: HomeFlag = None) -> None:
    """Published versions, oldest first, and which are withdrawn or open."""
    with command(home):
        from dragon_pipeline.commands.release import show_list

        show_list(sandbox, as_json)


@releases.command("show")
def show_release(version: Version = None, sandbox: OfSandbox = False, home: HomeFlag = None) -> None:
    """The public manifest of a version."""
    with command(home):
        from dragon_pipeline.commands.release import show

        show(version, sandbox)


@releases.command("verify")
def verify_release(version: Version = None, sandbox: OfSandbox = False, home: HomeFlag = None) -> None:
    """Reads a version back, or every one, and looks for leaks."""
    with command(home):
        from dragon_pipeline.commands.release import verify

        verify(version, sandbox)


@releases.command("diff")
def diff_releases(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="1.N.0")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="1.N.0")],
    as_json: Json = False,
    home: HomeFlag = None,
) -> None:
    """What one version has that another has not: texts, questions by type, screens, engines, prompts, licence."""
    with command(home):
        from dragon_pipeline.commands.release import diff

        diff(before, after, as_json)


@releases.command("yank")
def yank_release(
    version: Named,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="Why; it stands on the cards, for everybody.")],
    home: HomeFlag = None,
) -> None:
    """Marks a version as withdrawn. Nothing is deleted; it is no longer given out as the newest."""
    with command(home):
        from dragon_pipeline.commands.publishing import yank

        yank(version, because)


@releases.command("open")
def open_releases(
    versions: Annotated[list[str], typer.Argument(metavar="VERSION...", help="1.N.0; all of one day, as they share a key.")],
    even_newest: Annotated[
        bool, typer.Option("--even-newest", help="Also the version in use: whoever takes part has its answers from then on.")
    ] = False,
    home: HomeFlag = None,
) -> None:
    """Publishes the private half of closed versions for everybody, into opened_texts and opened_qa. It cannot be undone."""
    with command(home):
        from dragon_pipeline.commands.publishing import open_up

        open_up(versions, even_newest)


@releases.command("sandbox")
def publish_sandbox(
    day: Annotated[
        datetime | None,
        typer.Option("--day", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="The newest that may be one when not given."),
    ] = None,
    home: HomeFlag = None,
) -> None:
    """Publishes a day's accepted questions as the four sandbox datasets, gold included, all of them public."""
    with command(home):
        from dragon_pipeline.commands.publishing import sandbox

        sandbox(day.date().isoformat() if day else None)
