"""What a table is: named, typed columns with a meaning, checked where a stage ends."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.errors import SchemaMismatch

DAY = "day"
TEXT, INT, FLOAT, FLAG, LIST = pl.String(), pl.Int64(), pl.Float64(), pl.Boolean(), pl.List(pl.String())


@dataclass(frozen=True)
class Column:
    dtype: pl.DataType
    meaning: str
    null: bool = False


@dataclass(frozen=True)
class Table:
    """A declared table. `key` names the columns that tell its rows apart and give their order."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: Mapping[str, Column]

    @property
    def schema(self) -> pl.Schema:
        return pl.Schema({name: column.dtype for name, column in self.columns.items()})

    def empty(self) -> pl.DataFrame:
        return pl.DataFrame(schema=self.schema)

    def frame(self, rows: list[dict]) -> pl.DataFrame:
        """Rows as a checked frame in key order, so that equal content is equal bytes."""
        return self.check(pl.DataFrame(rows, schema=self.schema, orient="row").sort(self.key, maintain_order=True))

    def check(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame in the declared column order.

        Raises:
            SchemaMismatch: a column is missing, unknown, of another type, or null where it must not be.
        """
        found = {name: dtype for name, dtype in frame.schema.items() if name != DAY}
        wrong = [f"{name} is missing" for name in self.columns if name not in found]
        wrong += [f"{name} is not declared" for name in found if name not in self.columns]
        wrong += [
            f"{name} is {found[name]}, declared {column.dtype}"
            for name, column in self.columns.items()
            if name in found and found[name] != column.dtype
        ]
        wrong += [
            f"{name} has nulls"
            for name, column in self.columns.items()
            if not column.null and name in found and frame[name].null_count()
        ]
        if wrong:
            raise SchemaMismatch(f"table {self.name}: " + "; ".join(wrong))
        return frame.select([*self.columns, *([DAY] if DAY in frame.columns else [])])
