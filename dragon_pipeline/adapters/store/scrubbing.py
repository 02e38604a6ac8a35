"""Taking what must be forgotten out of SQLite files, their free pages included."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dragon_pipeline.adapters.database import clean_slate
from dragon_pipeline.adapters.store.scanning import BATCH, Hits, tables_of

GONE = "[forgotten]"
"""What stands in the place of a text."""


def delete_rows(path: Path, hits: Hits) -> int:
    """Deletes the rows that hit, of every table; returns how many.

    Raises:
        OSError: it cannot be written; names the file.
    """
    return _scrub(path, hits, lambda connection, table, keys, row: _delete(connection, table, keys))


def replace_texts(path: Path, hits: Hits) -> int:
    """Puts GONE in the place of the texts that hit: of a JSON value its strings, else the whole. Keys and the rest stay.

    Raises:
        OSError: it cannot be written; names the file.
    """

    def replace(connection: sqlite3.Connection, table: str, keys: dict[str, Any], row: dict[str, Any]) -> None:
        fresh = {name: _without(value, hits) for name, value in row.items() if isinstance(value, str) and name not in keys}
        changed = {name: value for name, value in fresh.items() if value != row[name]}
        if changed:
            put, where = (" , ".join(f'"{name}" = ?' for name in changed), " AND ".join(f'"{name}" IS ?' for name in keys))
            connection.execute(f'UPDATE "{table}" SET {put} WHERE {where}', (*changed.values(), *keys.values()))

    return _scrub(path, hits, replace)


def _scrub(path: Path, hits: Hits, act: Callable[[sqlite3.Connection, str, dict[str, Any], dict[str, Any]], object]) -> int:
    changed = 0
    with clean_slate(path) as connection:
        for table in tables_of(connection):
            keys = _keys(connection, table)
            for row in [row for rows in _rows(connection, table, keys) for row in _that_hit(rows, hits)]:
                act(connection, table, {name: row[name] for name in keys}, row)
                changed += 1
    return changed


def _keys(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns that tell rows apart: `rowid`, or of a table without one its primary key."""
    (declared,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if "WITHOUT ROWID" not in declared.upper():
        return ["rowid"]
    return [name for _, name, _, _, _, place in connection.execute(f'PRAGMA table_info("{table}")') if place]


def _rows(connection: sqlite3.Connection, table: str, keys: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    cursor = connection.execute(f'SELECT {"rowid, " if keys == ["rowid"] else ""}* FROM "{table}"')
    names = [column[0] for column in cursor.description]
    names = ["rowid", *names[1:]] if keys == ["rowid"] else names
    while rows := cursor.fetchmany(BATCH):
        yield [dict(zip(names, row, strict=True)) for row in rows]


def _that_hit(rows: list[dict[str, Any]], hits: Hits) -> list[dict[str, Any]]:
    told = hits([" ".join(value for value in row.values() if isinstance(value, str)) for row in rows])
    return [row for row, hit in zip(rows, told, strict=True) if hit]


def _delete(connection: sqlite3.Connection, table: str, keys: dict[str, Any]) -> None:
    where = " AND ".join(f'"{name}" IS ?' for name in keys)
    connection.execute(f'DELETE FROM "{table}" WHERE {where}', tuple(keys.values()))


def _without(text: str, hits: Hits) -> str:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return GONE if hits([text])[0] else text
    if not isinstance(told, dict | list):
        return GONE if hits([text])[0] else text
    strings = list(dict.fromkeys(_strings(told)))
    gone = {string for string, hit in zip(strings, hits(strings), strict=True) if hit}
    return json.dumps(_replaced(told, gone)) if gone else text


def _strings(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for value in told.values():
            yield from _strings(value)
    elif isinstance(told, list):
        for value in told:
            yield from _strings(value)


def _replaced(told: object, gone: set[str]) -> object:
    if isinstance(told, str):
        return GONE if told in gone else told
    if isinstance(told, dict):
        return {name: _replaced(value, gone) for name, value in told.items()}
    return [_replaced(value, gone) for value in told] if isinstance(told, list) else told
