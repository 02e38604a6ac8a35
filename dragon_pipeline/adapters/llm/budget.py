"""Tokens and money of one run, over all its models, processes and threads."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dragon_pipeline.adapters.database import Database

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spent (run TEXT PRIMARY KEY, tokens INTEGER NOT NULL, money REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reserved (id INTEGER PRIMARY KEY, run TEXT NOT NULL, tokens INTEGER NOT NULL, money REAL NOT NULL);
"""


@dataclass(frozen=True)
class Cost:
    tokens: int = 0
    """of prompt and reply"""
    money: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.tokens + other.tokens, self.money + other.money)


class Budget:
    """Counts what a run has spent in a SQLite file. What a request may cost is reserved before it is sent and settled
    afterwards. A reservation of a process that was killed stays: its request may have been paid."""

    def __init__(self, path: Path, run: str, tokens: int | None = None, money: float | None = None):
        """No limit: it only counts."""
        self._database = Database(path, _SCHEMA)
        self.run = run
        self.tokens = tokens
        self.money = money

    def reserve(self, cost: Cost) -> int | Literal["not_now", "never"]:
        """A reservation; or `not_now`, when it would fit if those in flight cost nothing; or `never`."""
        with self._database.writing() as connection:
            spent = self._sum(connection, "spent")
            if not self._holds(spent + cost):
                return "never"
            if not self._holds(spent + self._sum(connection, "reserved") + cost):
                return "not_now"
            row = (self.run, cost.tokens, cost.money)
            return connection.execute("INSERT INTO reserved (run, tokens, money) VALUES (?, ?, ?)", row).lastrowid or 0

    def settle(self, reservation: int, cost: Cost) -> None:
        """Puts what was really spent in the place of a reservation."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM reserved WHERE id = ?", (reservation,))
            connection.execute(
                "INSERT INTO spent VALUES (?, ?, ?) ON CONFLICT (run) DO UPDATE"
                " SET tokens = tokens + excluded.tokens, money = money + excluded.money",
                (self.run, cost.tokens, cost.money),
            )

    def spent(self) -> Cost:
        """By this run so far, without what is in flight."""
        with self._database.reading() as connection:
            return self._sum(connection, "spent")

    def close(self) -> None:
        self._database.close()

    def __str__(self) -> str:
        """What was spent of what, for messages."""
        spent = self.spent()
        tokens = f"{spent.tokens:,} of {self.tokens:,} tokens" if self.tokens is not None else ""
        money = f"{spent.money:.4g} of {self.money:.4g} money" if self.money is not None else ""
        return " and ".join(filter(None, (tokens, money))) or f"{spent.tokens:,} tokens"

    def _holds(self, cost: Cost) -> bool:
        return (self.tokens is None or cost.tokens <= self.tokens) and (self.money is None or cost.money <= self.money)

    def _sum(self, connection, table: Literal["spent", "reserved"]) -> Cost:
        query = f"SELECT COALESCE(SUM(tokens), 0), COALESCE(SUM(money), 0.0) FROM {table} WHERE run = ?"
        return Cost(*connection.execute(query, (self.run,)).fetchone())
