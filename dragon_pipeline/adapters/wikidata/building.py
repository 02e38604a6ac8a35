"""Builds an index from a dump: parses in several processes, writes beside the index, renames at the end."""

import fcntl
import json
import multiprocessing
import os
import signal
import sqlite3
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from dragon_pipeline.adapters.wikidata.dump import Dump, Numbered
from dragon_pipeline.adapters.wikidata.rows import Fault, Parsed, id_of, parse
from dragon_pipeline.adapters.wikidata.writing import IndexWriter
from dragon_pipeline.core.errors import BadInput

SHOWN = 20
"""faulty lines that the report shows for each reason"""
ALONE = 8
"""batches that are parsed before other processes are started for the rest"""
AHEAD = 3
"""batches on their way for each process: what is held in memory"""
STREAM = ("cut_archive", "damaged_archive", "array_not_closed")
"""faults after which the rest of the dump is missing"""


@dataclass(frozen=True)
class Plan:
    languages: tuple[str, ...]
    """the first is the one shown, the others stand in in their order"""
    revision: str | None = None
    """named instead of the date of the latest edit"""
    processes: int = 1


@dataclass
class Tally:
    """What was read and what came of it."""

    entities: int = 0
    """everything that was one, kept or not"""
    counts: dict[str, int] = field(default_factory=dict)
    """what is kept: items, properties, names, statements"""
    skipped: Counter[str] = field(default_factory=Counter)
    """without fault: no_label, redirect, missing, other_kind"""
    faults: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[Fault]] = field(default_factory=dict)
    newest: str = ""
    revision: str = ""

    @property
    def whole(self) -> bool:
        """The dump had its end."""
        return not any(reason.split(":")[0] in STREAM for reason in self.faults)

    def add(self, parsed: Parsed) -> None:
        self.entities += len(parsed.rows) + parsed.skipped.total()
        self.skipped += parsed.skipped
        self.newest = max(self.newest, parsed.newest)
        self.fault(parsed.faults)

    def fault(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.faults[fault.reason] += 1
            shown = self.shown.setdefault(fault.reason, [])
            if len(shown) < SHOWN:
                shown.append(fault)

    def report(self) -> str:
        """JSON: counts, and of each kind of fault the first lines."""
        faults = {
            reason: {"count": count, "first": [{"line": f.line, "text": f.sample} for f in self.shown[reason]]}
            for reason, count in self.faults.most_common()
        }
        told = {"revision": self.revision, "whole": self.whole, "entities": self.entities, "kept": self.counts}
        return json.dumps({**told, "skipped": dict(self.skipped), "faults": faults}, ensure_ascii=False, indent=1) + "\n"


def report_path(out: Path) -> Path:
    return out.with_name(out.name + ".report.json")


def build(dump: Dump, out: Path, plan: Plan, told: Callable[[int], None] = lambda entities: None) -> Tally:
    """Writes the index and, beside it, the report; `told` hears now and then how many entities were read.

    Equal entities give an equal file (with the same SQLite), whatever their order, packing and the number of processes.

    Raises:
        BadInput: nothing of the dump can be used.
        sqlite3.Error, OSError: the folder cannot be written, as on a full disk.
    """
    tally = Tally()
    with _file_beside(out) as unfinished:
        connection = sqlite3.connect(unfinished)
        try:
            writer = IndexWriter(connection)
            for parsed in _parsed(dump.batches(), plan):
                repeated = writer.add(parsed.rows)
                tally.add(parsed)
                tally.fault(Fault("repeated", row.line, f"{id_of(row.code)} {row.label}") for row in repeated)
                told(tally.entities)
            tally.fault(dump.faults)
            tally.counts = dict(writer.counts)
            _check(tally, dump, plan)
            tally.revision = f"dump-{plan.revision or tally.newest or 'undated'}-{writer.digest}"
            about = {"revision": tally.revision, "languages": " ".join(plan.languages), "whole": str(tally.whole).lower()}
            writer.finish(about)
        finally:
            connection.close()
        _sync(unfinished)
        report_path(out).write_text(tally.report(), encoding="utf-8")
        unfinished.replace(out)
    return tally


def _check(tally: Tally, dump: Dump, plan: Plan) -> None:
    if tally.counts["items"] or tally.counts["properties"]:
        return
    languages = ", ".join(plan.languages)
    reasons = [f"{reason} ({count})" for reason, count in (tally.faults + tally.skipped).most_common(3)]
    first = next((fault for faults in tally.shown.values() for fault in faults), None)
    where = f"; line {first.line}: {first.sample}" if first else ""
    raise BadInput(
        f"{dump.name} holds no item or property with a label in {languages}: {', '.join(reasons) or 'nothing'}{where}"
    )


def _parsed(batches: Iterator[Sequence[Numbered]], plan: Plan) -> Iterator[Parsed]:
    """In order. A small dump is read in this process alone."""
    few = batches if plan.processes <= 1 else islice(batches, ALONE)
    yield from (parse(batch, plan.languages) for batch in few)
    rest = next(batches, None)
    if rest is None:
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(plan.processes, mp_context=context, initializer=_end_with_parent) as pool:
        waiting: deque[Future[Parsed]] = deque([pool.submit(parse, rest, plan.languages)])
        try:
            for batch in batches:
                waiting.append(pool.submit(parse, batch, plan.languages))
                if len(waiting) >= AHEAD * plan.processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """A worker leaves Ctrl-C to its parent, and does not outlive one that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def _file_beside(out: Path) -> Iterator[Path]:
    """A file in the same folder that is gone afterwards unless it was renamed; those that killed builds left go first.

    SQLite keeps its own temporary files there too: they are as large as the index, and /tmp is often memory.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    for left in out.parent.glob(f".{out.name}.*.building"):
        with left.open("rb") as file, suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink(missing_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".building", dir=out.parent)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.fchmod(descriptor, 0o644)
    _keep_temporary_files_in(str(out.parent.absolute()))
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
        os.close(descriptor)
        _keep_temporary_files_in("")


def _keep_temporary_files_in(folder: str) -> None:
    """Of every connection of this process; empty: where SQLite keeps them by itself."""
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA temp_store_directory = '{}'".format(folder.replace("'", "''")))
    connection.close()


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
