"""A table that need not fit into memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.table import DAY, Table


@dataclass(frozen=True)
class Batches:
    """The rows of a table over a window of days, a batch at a time, as often as asked for.

    An asset that says that an input is `Batches` gets them instead of one frame.
    """

    table: Table
    read: Callable[[Sequence[str]], Iterator[pl.DataFrame]]
    """Names of columns, `day` among them or not → frames of these columns, at most some megabytes each; equal in every reading.
    Raises SchemaMismatch: a day's table is broken."""

    def frame(self, columns: Sequence[str]) -> pl.DataFrame:
        """These columns of all rows."""
        return pl.concat([self._none(columns), *self.read(columns)])

    def among(self, columns: Sequence[str], name: str, values: Iterable[str]) -> pl.DataFrame:
        """These columns of the rows whose column `name`, one of them, has one of the values: a small part of them, in order."""
        wanted = pl.DataFrame({name: list(values)}, schema={name: pl.String()})
        none = self._none(columns)
        found = (rows.join(wanted, on=name, how="semi").rows() for rows in self.read(columns))
        # Copied row by row: a filtered frame holds on to the strings of its whole batch.
        return pl.concat([none, *(pl.DataFrame(rows, schema=none.schema, orient="row") for rows in found)])

    def _none(self, columns: Sequence[str]) -> pl.DataFrame:
        schema = pl.Schema({**self.table.schema, DAY: pl.String()})
        return pl.DataFrame(schema=[(name, schema[name]) for name in columns])
