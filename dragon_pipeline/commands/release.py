"""`dragon release list/show/verify`: what the home's hub holds."""

import json

import typer
from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.release.verification import verify as find_faults
from dragon_pipeline.core.release.versions import latest, read_manifest, releases
from dragon_pipeline.defs.engines import hub
from dragon_pipeline.defs.resources import home, settings


def show_list(as_json: bool) -> None:
    found = releases(hub())
    if as_json:
        told = [{"version": one.version, "day": one.day, "questions": one.questions, "texts": one.texts} for one in found]
        typer.echo(json.dumps(told, indent=2))
        return
    rows = [(one.version, one.day, one.questions, one.texts, "yes" if one.ranking else "no") for one in found]
    print_table(Console(), ("version", "day", "questions", "texts", "for ranking"), rows)


def show(version: str | None) -> None:
    """The public manifest of a version, the newest by default."""
    typer.echo(json.dumps(read_manifest(hub(), known(version)), ensure_ascii=False, indent=2))


def verify(version: str | None) -> None:
    """Reads a version back, or every one.

    Raises:
        PublicationFailed: with the faults.
    """
    versions = [known(version)] if version else [one.version for one in releases(hub())]
    if not versions:
        raise _nothing_yet()
    faults = [f"{one}: {fault}" for one in versions for fault in find_faults(hub(), one)]
    if faults:
        raise PublicationFailed("\n".join(faults))
    Console().print(f"{', '.join(versions)}: whole, and nothing private in public")


def known(version: str | None) -> str:
    """The version, or the newest.

    Raises:
        BadInput: the hub does not hold it.
    """
    held = [one.version for one in releases(hub())]
    if not held:
        raise _nothing_yet()
    if version and version not in held:
        raise BadInput(f"version {version} is not on the hub; there are {', '.join(held)}")
    return version or latest(hub()) or held[-1]


def _nothing_yet() -> BadInput:
    chosen = settings().release
    where = home().hub if chosen.hub == "folder" else f"{chosen.namespace} on {chosen.endpoint or 'huggingface.co'}"
    return BadInput(f"{where}: no version is published yet; run `dragon run` or `dragon demo`")
