"""What was answered once is never paid for again, over runs and processes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from dragon_pipeline.adapters.database import Database, parts

Kind = Literal["reply", "count", "server"]
"""Replies by the key of their call, token counts by model and text, and what was found out about servers."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS kept (
    kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID
"""


class ReplyCache(Protocol):
    """Texts under content-addressed keys; what is stored is there for every process from then on."""

    def find(self, kind: Kind, keys: Sequence[str]) -> Mapping[str, str]:
        """Those that are there."""
        ...

    def store(self, kind: Kind, values: Mapping[str, str], replace: bool = False) -> None:
        """All or none. What is there already stays, so that all processes see one reply, unless it is to be replaced."""
        ...


class SqliteReplyCache:
    """A SQLite file. Several processes and threads may share it."""

    def __init__(self, path: Path):
        self._database = Database(path, _SCHEMA)

    def find(self, kind: Kind, keys: Sequence[str]) -> dict[str, str]:
        """Raises OSError, which names the file, when it cannot be read."""
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            for part, places in parts(keys):
                query = f"SELECT key, value FROM kept WHERE kind = ? AND key IN ({places})"
                found.update(connection.execute(query, (kind, *part)))
        return found

    def store(self, kind: Kind, values: Mapping[str, str], replace: bool = False) -> None:
        """Raises OSError, which names the file, when it cannot be written."""
        # SQLite's text is UTF-8; half a surrogate pair, which JSON can hold, is not.
        rows = [(kind, key, value.encode("utf-8", "replace").decode()) for key, value in values.items()]
        with self._database.writing() as connection:
            connection.executemany(f"INSERT OR {'REPLACE' if replace else 'IGNORE'} INTO kept VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        self._database.close()
