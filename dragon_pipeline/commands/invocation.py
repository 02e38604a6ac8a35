"""What all `dragon` commands share: their common flags, and how a failure is said. Light, as `dragon --help` imports it."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from dragon_pipeline.commands import failures
from dragon_pipeline.core.errors import DragonError, NothingToPublish

HomeFlag = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="Everything that a run writes. [default: DRAGON_HOME, or .dragon]")
]
Day = Annotated[datetime, typer.Option("--day", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="Day, in Moscow.")]
Version = Annotated[str | None, typer.Argument(metavar="VERSION", help="1.N.0; the newest when not given.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


@contextmanager
def command(home: Path | None) -> Iterator[None]:
    """Names the home for everything that is loaded from here on, and says failures without a traceback."""
    if home:
        os.environ["DRAGON_HOME"] = str(home.absolute())
    warnings.simplefilter("ignore")
    failures.stop_on_sigterm()
    where = Path(os.environ.get("DRAGON_HOME", ".dragon")).absolute()
    try:
        yield
    except NothingToPublish as error:
        _say(f"nothing to publish: {error}")
        raise typer.Exit(3) from None
    except DragonError as error:
        _say(f"error: {error}")
        raise typer.Exit(1) from None
    except BrokenPipeError:  # whoever read our output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(1) from None
    except OSError as error:
        _say(f"error: {failures.of_system(error, where)}")
        raise typer.Exit(1) from None
    except failures.database_errors() as error:
        _say(f"error: {failures.of_database(error, where)}")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        _say("stopped; run it again to go on from there")
        raise typer.Exit(1) from None


@contextmanager
def newsroom() -> Iterator[None]:
    from dragon_pipeline.commands.newsroom import newsroom_if_asked

    with newsroom_if_asked():
        yield


def _say(text: str) -> None:
    typer.echo(text, err=True)
