"""`dragon forget`: takes a page, or all that names a person, out of the home, and keeps it from coming back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import dagster as dg
import polars as pl
from rich.console import Console

from dragon_pipeline.commands import holders, remains
from dragon_pipeline.commands.days import working
from dragon_pipeline.commands.progress import ERRORS
from dragon_pipeline.core.corpus.forgetting import Doomed
from dragon_pipeline.core.corpus.forgotten import Forgotten, Name, words_of
from dragon_pipeline.core.corpus.traces import Traces
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.defs import engines, forgetting
from dragon_pipeline.defs.corpus import url_rules
from dragon_pipeline.defs.forgetting import OF_RELEASES, ORDER, Found
from dragon_pipeline.defs.io_manager import content_hash, table_of
from dragon_pipeline.defs.resources import home, settings, tables
from dragon_pipeline.defs.tables import Tables

OUT = Console(soft_wrap=True, highlight=False)
DATA_VERSION = "dagster/data_version"
"""the tag by which Dagster knows a table's content"""
LONGEST = 2_000
"""characters of what is to be forgotten"""


@dataclass(frozen=True)
class Wish:
    what: str
    """a URL or a full name"""
    because: str | None
    yes: bool
    dry_run: bool


@dataclass(frozen=True)
class Target:
    """What is to be forgotten, in hashes, and what recognises it while it is being forgotten."""

    kind: str
    """`url` or `name`"""
    urls: frozenset[str] = frozenset()
    names: tuple[Name, ...] = ()
    traces: Traces = field(default_factory=Traces)
    word: str = ""
    """keyed hash of the whole, for the log"""


def forget(wish: Wish) -> None:
    """Says what there is of it, and with `yes` takes it out.

    Raises:
        BadInput: neither a URL nor a full name, or `yes` was not said.
    """
    target = _target(wish.what, engines.forgotten())
    if wish.because and any(target.traces.hits([wish.because])):
        raise BadInput("--because names what is to be forgotten, and would stand in the log")
    with working() as instance:
        listed = engines.forgotten()
        found = _survey(target, listed)
        published = holders.published(found)
        _tell(target, found, published)
        if wish.dry_run:
            return
        if not wish.yes:
            raise BadInput("nothing was done; say --yes to do it")
        home().forgotten().add(listed, target.urls, target.names)
        note = {"when": _now(), "kind": target.kind, "hash": target.word, "because": wish.because}
        home().forgotten().note(**note, state="begun")
        counts = _take_out(found, instance)
        left = remains.search(found.traces)
        published_to = [one.version for one in published]
        home().forgotten().note(**note, state="done", counts=counts, published=published_to, left=sum(left.values()))
    _tell_done(counts, left, published)


def _target(what: str, listed: Forgotten) -> Target:
    what = what.strip()
    if len(what) > LONGEST or not what:
        raise BadInput(f"give a URL or a full name, of at most {LONGEST} characters")
    if re.match(r"(?i)https?:|[\w-]+(\.[\w-]+)+/", what):
        return _target_url(what if re.match(r"(?i)https?:", what) else f"https://{what}", listed)
    words = words_of(what)
    name = listed.name(words)
    known = Forgotten(listed.key, listed.forms, names=(name,))
    word = listed.hash(" ".join(sorted(words)).casefold())
    return Target("name", names=(name,), traces=Traces(known.has_name, words), word=word)


def _target_url(url: str, listed: Forgotten) -> Target:
    """Under every outlet's rules: whatever name its file is imported under, the page is this one."""
    forms = {canonical_url(url, rules) for rules in url_rules(settings()).values()} | {canonical_url(url)}
    traces = Traces()
    for form in (url, *forms):
        traces.add_address(form)
    if not traces.addresses:
        raise BadInput(f"{url[:100]!a} is a whole site: give the address of a page")
    return Target("url", frozenset(map(listed.hash, forms)), traces=traces, word=listed.hash(canonical_url(url)))


def _survey(target: Target, listed: Forgotten) -> Found:
    known = Forgotten(listed.key, listed.forms, target.urls, target.names)
    doomed, evaluation = Doomed(known, url_rules(settings())), settings().evaluation
    chunk = evaluation.chunk_size, evaluation.chunk_overlap
    return forgetting.survey(Tables(tables()), home(), doomed, target.traces, chunk)


def _take_out(found: Found, instance: dg.DagsterInstance) -> dict[str, int]:
    """Copies first, then the tables from the last made to the first, then the pages: what is left of a killed process still
    tells what has to go."""
    store, counts = Tables(tables()), {}
    counts |= holders.caches(found) | holders.records(found) | holders.release_files(found)
    releases = forgetting.touched(store, found.days, settings().window_days)

    def rewritten(names: Sequence[str], only: Sequence[str] | None = None) -> None:
        for asset, day, left, gone in forgetting.rewrite(store, found, names, only):
            _report(instance, asset, day, left, gone)
            counts[asset.split("/")[0]] = counts.get(asset.split("/")[0], 0) + gone

    rewritten(OF_RELEASES, releases)
    rewritten(ORDER)
    counts |= holders.pages(found)
    rewritten(("crawl",))
    return {name: number for name, number in counts.items() if number}


def _report(instance: dg.DagsterInstance, asset: str, day: str, left: pl.DataFrame, gone: int) -> None:
    """Tells Dagster of the table's new content, so that what was made of the old one shows as stale."""
    key = dg.AssetKey(asset.split("/"))
    tags = {DATA_VERSION: content_hash(table_of(key), left)}
    metadata = {"forgotten rows": gone, "dagster/row_count": left.height}
    instance.report_runless_asset_event(dg.AssetMaterialization(key, partition=day, metadata=metadata, tags=tags))


def _tell(target: Target, found: Found, published: Sequence[holders.Holder]) -> None:
    doomed = found.doomed
    if not doomed.pages and not found.days:
        OUT.print(f"nothing in this home is of that {_kind(target)}; --yes keeps it out all the same", markup=False)
    else:
        OUT.print(
            f"{len(doomed.pages)} pages in {len(doomed.articles)} versions, of {len(found.days)} days; "
            f"{len(doomed.questions)} questions rest on them",
            markup=False,
        )
        for table, number in forgetting.counted(Tables(tables()), found).items():
            OUT.print(f"  {table}: {number} rows", markup=False)
    for one in published:
        OUT.print(f"  published in {one}", markup=False)


def _tell_done(counts: dict[str, int], left: dict[str, int], published: Sequence[holders.Holder]) -> None:
    OUT.print(
        "forgotten: " + (", ".join(f"{name} {number}" for name, number in counts.items()) or "nothing was here"), markup=False
    )
    for where, number in left.items():
        ERRORS.print(f"left: {where}: {number}", markup=False)
    for one in published:
        ERRORS.print(f"left: {one}: {one.advice}", markup=False)
    if counts.get("release"):
        ERRORS.print("the releases of those days are empty until `dragon run` makes them again", markup=False)


def _kind(target: Target) -> str:
    return "page" if target.kind == "url" else "name"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
