"""What is said of failures that are not ours: a full disk, a database that cannot be written, a signal."""

import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

FULL = ("No space left on device", "disk is full", "disk I/O error", "Disk quota exceeded", "File too large")
"""ENOSPC, EDQUOT and EFBIG in words, and what SQLite makes of them"""
MIB = 1024 * 1024
DUMP = "Exception while writing logger call to event log"


def advice(told: str, home: Path) -> str:
    """What to do about a failure, as far as its words tell; empty when they do not."""
    if not any(words in told for words in FULL):
        return ""
    there = next(place for place in (home, *home.parents) if place.exists())
    folders = [there, *(entry for entry in there.iterdir() if entry.is_dir())] if there == home else [there]
    free, _, fullest = min((shutil.disk_usage(folder).free, number, folder) for number, folder in enumerate(folders))
    return f"\nmake room at {fullest} ({free / MIB:.1f} MiB are free there, unless a quota says less), then run it again"


def database_errors() -> tuple[type[Exception], ...]:
    """What a database of the home, or Dagster's own, raises when it cannot be read or written."""
    from sqlalchemy.exc import DBAPIError

    return (sqlite3.Error, DBAPIError)


def of_system(error: OSError, home: Path) -> str:
    told = error.strerror or str(error)
    return f"{error.filename or home}: {told}{advice(told, home)}"


def of_database(error: Exception, home: Path) -> str:
    told = str(getattr(error, "orig", None) or error)
    return f"{home / 'dagster'}: the records of runs: {told}{advice(told, home)}"


def stop_on_sigterm() -> None:
    """SIGTERM ends a command as Ctrl-C does: what holds locks and servers lets go of them."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)


@contextmanager
def without_dumps() -> Iterator[None]:
    """Keeps Dagster from printing every record, SQL and all, that it could not write; it raises the failure besides."""
    stderr = sys.stderr

    class Filtered:
        def write(self, text: str) -> int:
            return len(text) if text.startswith(DUMP) else stderr.write(text)

        def __getattr__(self, name: str) -> Any:
            return getattr(stderr, name)

    with redirect_stderr(Filtered()):  # pyright: ignore[reportArgumentType]
        yield
