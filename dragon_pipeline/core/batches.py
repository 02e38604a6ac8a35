"""A table that need not fit into memory."""

from collections.abc import Callable, Iterator, Sequence
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
        schema = pl.Schema({**self.table.schema, DAY: pl.String()})
        return pl.concat([pl.DataFrame(schema=[(name, schema[name]) for name in columns]), *self.read(columns)])
