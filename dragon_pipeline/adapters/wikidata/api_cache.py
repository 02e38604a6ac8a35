"""What Wikidata's API answered, with the day on which it was asked."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from dragon_pipeline.adapters.database import opened, parts

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    server TEXT NOT NULL, language TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
    answer TEXT NOT NULL, asked TEXT NOT NULL,
    PRIMARY KEY (server, language, kind, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_age ON answers (server, language, asked);
"""
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
        with opened(self._path, _SCHEMA) as cache:
            for part, places in parts(keys):
                rows = cache.execute(_LOOK_UP.format(places), (*self._of, kind, since.isoformat(), *part))
                found.update((key, json.loads(answer)) for key, answer in rows)
        return found

    def keep(self, kind: str, answers: Mapping[str, Any], day: date, oldest: date) -> None:
        """Stores answers got on a day in the place of older ones, and forgets all from before the oldest day."""
        rows = [
            (*self._of, kind, key, json.dumps(answer, ensure_ascii=False, separators=(",", ":")), day.isoformat())
            for key, answer in answers.items()
        ]
        with opened(self._path, _SCHEMA) as cache, cache:
            cache.execute("BEGIN IMMEDIATE")
            cache.execute(_FORGET, (*self._of, oldest.isoformat()))
            cache.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", rows)

    def count(self) -> int:
        """Answers that are kept."""
        with opened(self._path, _SCHEMA) as cache:
            return cache.execute("SELECT count(*) FROM answers WHERE server = ? AND language = ?", self._of).fetchone()[0]
