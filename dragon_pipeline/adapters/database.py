"""SQLite files that several processes and threads share."""

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

SECONDS_TO_WAIT = 120
"""for another process that writes"""
LOOKED_UP = 500
"""keys in one query"""
Key = TypeVar("Key")


def parts(keys: Sequence[Key]) -> Iterator[tuple[Sequence[Key], str]]:
    """The keys in lots that one query takes, each with the question marks for it."""
    for start in range(0, len(keys), LOOKED_UP):
        part = keys[start : start + LOOKED_UP]
        yield part, ",".join("?" * len(part))


@contextmanager
def opened(path: Path, schema: str) -> Iterator[sqlite3.Connection]:
    """A connection for one use: nothing is shared between threads, or kept over a fork.

    Raises:
        OSError: the file cannot be read or written; it names it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(path, timeout=SECONDS_TO_WAIT)) as connection:
            connection.executescript(schema)
            yield connection
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(path)) from error


@contextmanager
def clean_slate(path: Path) -> Iterator[sqlite3.Connection]:
    """One transaction in which what is deleted is overwritten; afterwards no free page or log holds it.

    Raises:
        OSError: it cannot be written; names the file.
    """
    try:
        with closing(sqlite3.connect(path, timeout=SECONDS_TO_WAIT, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            before = connection.total_changes
            yield connection
            connection.execute("COMMIT")
            if connection.total_changes > before:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(path)) from error


class Database:
    """A file in use all the time: opened when first used, and again after a fork. Every commit survives a killed process."""

    def __init__(self, path: Path, schema: str):
        self.path = Path(path)
        self._schema = schema
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._inherited: sqlite3.Connection | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Raises OSError, which names the file, when it cannot be read."""
        with self._lock:
            try:
                yield self._open()
            except sqlite3.Error as error:
                raise OSError(errno.EIO, str(error), str(self.path)) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, alone: all of it or nothing is written. Raises OSError, which names the file."""
        with self.reading() as connection:
            if connection.in_transaction:  # a signal's exception came just after it began
                connection.execute("ROLLBACK")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def close(self) -> None:
        """It opens again when used."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or self._process != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._inherited = self._connection  # from before a fork: SQLite forbids to use it, and to close it
            connection = sqlite3.connect(self.path, timeout=SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False)
            _set_up(connection, self._schema)
            self._connection, self._process = connection, os.getpid()
        return self._connection


def _set_up(connection: sqlite3.Connection, schema: str) -> None:
    """Turning the write-ahead log on does not wait for others by itself."""
    until = time.monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(schema)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                connection.close()
                raise
            time.sleep(0.05)
