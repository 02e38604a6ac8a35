"""The rows of a table, as dicts that are made when they are asked for."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import pyarrow as pa

BATCH = 1_000


class Rows(Sequence[dict[str, Any]]):
    """Rows of a Parquet table: `rows[0]["text"]`, `for row in rows`, `rows["text"]` for a column, `len(rows)`.

    What scripts use of a `datasets.Dataset` is there too: `select`, `column_names`, `num_rows`, `to_pandas`.
    """

    def __init__(self, table: pa.Table):
        self.table = table
        """the same as a pyarrow table"""

    def __len__(self) -> int:
        return self.table.num_rows

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> "Rows": ...
    @overload
    def __getitem__(self, place: str) -> list[Any]: ...
    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, str):
            return self.table.column(place).to_pylist()
        if isinstance(place, slice):
            return self.select(range(len(self))[place])
        return self.table.slice(range(len(self))[place], 1).to_pylist()[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.table.to_batches(max_chunksize=BATCH):
            yield from batch.to_pylist()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self.table.equals(other.table)

    def __repr__(self) -> str:
        return f"Rows({len(self):,} of {', '.join(self.column_names)})"

    @property
    def column_names(self) -> list[str]:
        return self.table.column_names

    @property
    def num_rows(self) -> int:
        return self.table.num_rows

    def select(self, places: Iterable[int]) -> "Rows":
        """The rows at these places, in this order."""
        if (
            isinstance(places, range) and places.step == 1 and 0 <= places.start <= places.stop <= len(self)
        ):  # no copy; `take` copies whole columns of text
            return Rows(self.table.slice(places.start, len(places)))
        return Rows(self.table.take(pa.array(places, pa.int64())))

    def to_pylist(self) -> list[dict[str, Any]]:
        return self.table.to_pylist()

    def to_pandas(self) -> Any:
        """A pandas frame; needs pandas."""
        return self.table.to_pandas()
