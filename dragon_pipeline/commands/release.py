"""`dragon release list/show/verify/diff`: what the home's hub holds."""

import json

import typer
from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release.difference import Difference, compare
from dragon_pipeline.core.release.opening import opened
from dragon_pipeline.core.release.sandbox import SandboxHub
from dragon_pipeline.core.release.verification import verify as find_faults
from dragon_pipeline.core.release.versions import latest, read_manifest, releases
from dragon_pipeline.defs.engines import hub
from dragon_pipeline.defs.resources import home, settings

SHOWN = 20
"""URLs shown of each kind; --json has all"""


def show_list(of_sandbox: bool, as_json: bool) -> None:
    found, is_open = releases(of(of_sandbox)), set() if of_sandbox else opened(hub())
    if as_json:
        told = [
            {"version": one.version, "day": one.day, "questions": one.questions, "texts": one.texts, "ranking": one.ranking}
            | {"withdrawn": one.withdrawn, "open": of_sandbox or one.version in is_open}
            for one in found
        ]
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    if not found:
        typer.echo(str(_none_yet(of_sandbox)), err=True)
        return
    rows = []
    for one in found:
        marks = _yes(one.ranking), _yes(of_sandbox or one.version in is_open), one.withdrawn or ""
        rows.append((one.version, one.day, one.questions, one.texts, *marks))
    print_table(Console(), ("version", "day", "questions", "texts", "for ranking", "open", "withdrawn"), rows)


def show(version: str | None, of_sandbox: bool) -> None:
    """The public manifest of a version, the newest by default."""
    typer.echo(json.dumps(read_manifest(of(of_sandbox), known(version, of_sandbox)), ensure_ascii=False, indent=2))


def verify(version: str | None, of_sandbox: bool) -> None:
    """Reads a version back, or every one.

    Raises:
        PublicationFailed: with the faults.
    """
    where = of(of_sandbox)
    versions = [known(version, of_sandbox)] if version else [one.version for one in releases(where)]
    if not versions:
        raise _none_yet(of_sandbox)
    faults = [f"{one}: {fault}" for one in versions for fault in find_faults(where, one)]
    if faults:
        raise PublicationFailed("\n".join(faults))
    typer.echo(f"{', '.join(versions)}: whole, and nothing private in public")


def diff(before: str, after: str, as_json: bool) -> None:
    found = compare(hub(), known(before), known(after))
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    if found.is_none:
        typer.echo(f"{before} and {after}: the same texts and questions, made by the same")
        return
    _print(found)


def of(sandbox: bool) -> Hub:
    return SandboxHub(hub()) if sandbox else hub()


def known(version: str | None, of_sandbox: bool = False) -> str:
    """The version, or the newest.

    Raises:
        BadInput: the hub does not hold it.
    """
    held = [one.version for one in releases(of(of_sandbox))]
    if not held:
        raise _none_yet(of_sandbox)
    if version and version not in held:
        raise BadInput(f"version {version} is not on the hub; there are {', '.join(held)}")
    return version or latest(of(of_sandbox)) or held[-1]


def _none_yet(of_sandbox: bool) -> BadInput:
    how = "`dragon release sandbox`" if of_sandbox else "`dragon run` or `dragon demo`"
    chosen = settings().release
    where = home().hub if chosen.hub == "folder" else f"{chosen.namespace} on {chosen.hub}"
    return BadInput(f"{where}: no version {'of a sandbox ' if of_sandbox else ''}is published yet; run {how}")


def _print(found: Difference) -> None:
    for what, urls in (("added", found.texts_added), ("removed", found.texts_removed), ("changed", found.texts_changed)):
        typer.echo(f"texts {what}: {len(urls)}")
        for url in urls[:SHOWN]:
            typer.echo(f"  {url}")
        if len(urls) > SHOWN:
            typer.echo(f"  … and {len(urls) - SHOWN} more; --json has them")
    console = Console()
    counts = [(type, was, now, f"{now - was:+}") for type, (was, now) in found.questions.items()]
    print_table(console, ("questions", found.before, found.after, "difference"), counts)
    typer.echo(f"asked in the same words in both: {found.questions_kept}")
    told = [(name, _said(was), _said(now)) for name, (was, now) in found.told.items()]
    if told:
        print_table(console, ("told", found.before, found.after), told)


def _said(value: object) -> str:
    return "–" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
