"""`dragon wikidata build`: an index from a dump of Wikidata."""

import sqlite3
import sys
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from dragon_pipeline.adapters.wikidata.building import Plan, Tally, build, report_path
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.adapters.wikidata.index import is_index
from dragon_pipeline.commands.failures import advice
from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput, DragonError

EVERY = 10.0
"""seconds between two lines of progress"""
PLAIN = {
    "no_label": "no label in the chosen languages",
    "redirect": "redirect to another entity",
    "missing": "deleted",
    "other_kind": "neither item nor property",
    "repeated": "stood there twice; the first was kept",
    "broken_json": "no JSON",
    "bad_utf8": "no UTF-8",
    "no_entity": "JSON, but no entity",
    "no_id": "without an id",
    "bad_id": "an id that is none",
    "bad_statement": "one statement left out, it is built in another way",
    "too_long": "an entity without an end",
    "cut_archive": "the archive is cut, the rest of the dump is missing",
    "array_not_closed": "the array is not closed: the dump is cut",
}


@dataclass(frozen=True)
class Wish:
    """What the user asked for."""

    dump: Path
    """`-` is standard input"""
    out: Path
    plan: Plan


def build_index(wish: Wish) -> None:
    """Builds, with progress on stderr, and prints what came of it.

    Raises:
        DragonError: there is no such dump, nothing of it can be used, or the index cannot be written.
    """
    _check_target(wish.out)
    dump = _open(wish.dump)
    try:
        with Reading(dump) as reading:
            tally = build(dump, wish.out, wish.plan, reading.tell)
    except BrokenProcessPool:
        raise DragonError(
            "a process that parsed the dump was killed, most likely for want of memory; add --processes 1"
        ) from None
    except (sqlite3.Error, OSError) as error:
        told = (isinstance(error, OSError) and error.strerror) or str(error)
        where = wish.out.absolute().parent
        raise DragonError(f"{where}: {told}{advice(told, where)}\nno index was written") from None
    except KeyboardInterrupt:
        raise DragonError("stopped; no index was written, it is built in one go") from None
    _print(tally, wish)


def _open(path: Path) -> Dump:
    if str(path) != "-":
        return Dump.open(path)
    if sys.stdin.isatty():
        raise BadInput("standard input is a terminal; pipe a dump into it: lbzip2 -dc DUMP | dragon wikidata build - …")
    return Dump(sys.stdin.buffer, "standard input")


def _check_target(out: Path) -> None:
    """An index may be replaced; nothing else is."""
    if out.is_dir():
        raise BadInput(f"--out {out} is a folder; name a file")
    if out.exists() and out.stat().st_size and not is_index(out):
        raise BadInput(f"--out {out} is there already and is no Wikidata index; name another file")


class Reading:
    """Shows how much of a dump is read: a bar on a terminal, a line now and then otherwise."""

    def __init__(self, dump: Dump) -> None:
        self._dump, self._console = dump, Console(stderr=True, soft_wrap=True, highlight=False)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=self._console) if self._console.is_terminal else None
        self._since = self._last = time.monotonic()

    def __enter__(self) -> "Reading":
        if self._bar:
            self._bar.add_task("", total=self._dump.total)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, entities: int) -> None:
        read, total, now = self._dump.read, self._dump.total, time.monotonic()
        if self._bar:
            sorting = total is not None and read >= total
            told = f"{entities:,} entities{', the rest of them and sorting' if sorting else ''}"
            self._bar.update(self._bar.task_ids[0], completed=read, description=told)
        elif now - self._last >= EVERY:
            self._last = now
            self._console.print(line(entities, read, total, now - self._since))


def line(entities: int, read: int, total: int | None, seconds: float) -> str:
    """Progress in words; time is left only where the end is known."""
    told = f"{entities:,} entities, {read / 1e6:,.0f} MB read"
    if total is None or not read:
        return f"{told} in {seconds:.0f} s"
    left = seconds * (total - read) / read
    return f"{told} of {total / 1e6:,.0f} ({read / total:.0%}), {_span(left)} left"


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _print(tally: Tally, wish: Wish) -> None:
    console = Console(soft_wrap=True, highlight=False)
    kept = ", ".join(f"{count:,} {name}" for name, count in tally.counts.items())
    console.print(f"{wish.out}: {kept} of {tally.entities:,} entities\nrevision {tally.revision}", markup=False)
    rows = [(f"{count:,}", _plain(reason), "") for reason, count in tally.skipped.most_common()]
    rows += [(f"{count:,}", _plain(reason), _lines(tally, reason)) for reason, count in tally.faults.most_common()]
    if rows:
        print_table(console, ("entities", "left out", "lines"), rows)
        console.print(f"details in {report_path(wish.out)}", markup=False)
    if not tally.whole:
        console.print(
            "warning: the dump is not whole; what it lost will be taken for new. Get it again, and compare its checksum"
        )


def _plain(reason: str) -> str:
    known, _, detail = reason.partition(":")
    return PLAIN.get(known, known.replace("_", " ")) + (f" ({detail.strip()})" if detail else "")


def _lines(tally: Tally, reason: str, most: int = 5) -> str:
    numbers: Sequence[int] = sorted({fault.line for fault in tally.shown[reason]})
    more = ", …" if tally.faults[reason] > len(numbers[:most]) else ""
    return ", ".join(map(str, numbers[:most])) + more
