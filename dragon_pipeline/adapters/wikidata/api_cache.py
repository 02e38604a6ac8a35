"""What Wikidata's API answered, with the day on which it was asked."""

import errno
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

SECONDS_TO_WAIT = 120
"""for another process that writes"""
LOOKED_UP = 500
"""keys in one query"""

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    server TEXT NOT NULL, language TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
    answer TEXT NOT NULL, asked TEXT NOT NULL,
    PRIMARY KEY (server, language, kind, key)
) WITHOUT ROWID
"""
_INDEX = "CREATE INDEX IF NOT EXISTS by_age ON answers (server, language, asked)"
_FORGET = "DELETE FROM answers WHERE server = ? AND language = ? AND asked < ?"
_LOOK_UP = "SELECT key, answer FROM answers WHERE server = ? AND language = ? AND kind = ? AND asked >= ? AND key IN ({})"


class ApiCache:
    """Answers of one server in one language, in a SQLite file that several processes and threads may share."""

    def __init__(self, path: Path, server: str, language: str) -> None:
        self._path = path
        self._of = (server, language)

    def look_up(self, kind: str, keys: Sequence[str], since: date) -> dict[str, Any]:
        """The answers that were got on that day or later."""
        found: dict[str, Any] = {}
        with self._open() as cache:
            for start in range(0, len(keys), LOOKED_UP):
                part = keys[start : start + LOOKED_UP]
                query = _LOOK_UP.format(",".join("?" * len(part)))
                rows = cache.execute(query, (*self._of, kind, since.isoformat(), *part))
                found.update((key, json.loads(answer)) for key, answer in rows)
        return found

    def keep(self, kind: str, answers: Mapping[str, Any], day: date, oldest: date) -> None:
        """Stores answers got on a day in the place of older ones, and forgets all from before the oldest day."""
        rows = [
            (*self._of, kind, key, json.dumps(answer, ensure_ascii=False, separators=(",", ":")), day.isoformat())
            for key, answer in answers.items()
        ]
        with self._open() as cache, cache:
            cache.execute("BEGIN IMMEDIATE")
            cache.execute(_FORGET, (*self._of, oldest.isoformat()))
            cache.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", rows)

    def count(self) -> int:
        """Answers that are kept."""
        with self._open() as cache:
            return cache.execute("SELECT count(*) FROM answers WHERE server = ? AND language = ?", self._of).fetchone()[0]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for each use: nothing is shared between threads, or kept over a fork.

        Raises:
            OSError: the file cannot be read or written; it names it.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self._path, timeout=SECONDS_TO_WAIT)) as cache:
                cache.execute(_TABLE)
                cache.execute(_INDEX)
                yield cache
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(self._path)) from error
