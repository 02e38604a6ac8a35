"""Tables between assets: one Parquet file per asset and day, in a folder or on S3."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import dagster as dg
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.errors import MissingDay, SchemaMismatch
from dragon_pipeline.core.records import TABLES
from dragon_pipeline.core.table import DAY, Table

BATCH, MOST_IN_BATCH = 1_000, 100_000
"""rows at least and at most"""
BATCH_BYTES = 4 << 20
"""of the columns asked for; what decides between the two"""
BUFFER = 1 << 20
"""bytes read at once of a column"""
Answer = TypeVar("Answer")


def table_of(key: dg.AssetKey) -> Table:
    """The declared table of an asset; `crawl/lenta` is a `crawl`, `answers/bm25` are `answers`."""
    return TABLES[key.path[0]]


def to_bytes(table: Table, frame: pl.DataFrame) -> bytes:
    """The checked frame without `day` as Parquet; equal content gives equal bytes."""
    buffer = io.BytesIO()
    table.check(frame.drop(DAY, strict=False)).write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def content_hash(table: Table, frame: pl.DataFrame) -> str:
    return sha256(to_bytes(table, frame)).hexdigest()[:16]


class ParquetTables(dg.UPathIOManager):
    """Stores a table without `day`, and loads one or many days as one frame with it.

    An input that is annotated as `Batches` is not loaded, but can be read a batch at a time.

    A window under the hole rule: a missing day is fine only when no earlier table of that asset exists. Nothing at all
    before the first day arrives as None.
    """

    extension = ".parquet"

    def dump_to_path(self, context: dg.OutputContext, obj: Any, path: UPath) -> None:
        write(path, to_bytes(table_of(context.asset_key), obj))

    def load_from_path(self, context: dg.InputContext, path: UPath) -> pl.DataFrame:
        return read(table_of(context.asset_key), path)

    def load_partitions(self, context: dg.InputContext) -> pl.DataFrame | Batches | None:
        if context.dagster_type.typing_type is Batches:
            return self._load_batches(context)
        days, missing = [], []
        for day, path in sorted(self._get_paths_for_partitions(context).items()):
            try:
                days.append(self.load_from_path(context, path).with_columns(pl.lit(day).alias(DAY)))
            except FileNotFoundError:
                missing.append((day, path))
        for day, path in missing:
            self._excuse(context, day, path)
        return pl.concat(days) if days else None

    def _load_batches(self, context: dg.InputContext) -> Batches:
        days = {}
        for day, path in sorted(self._get_paths_for_partitions(context).items()):
            if path.exists():
                days[day] = path
            else:
                self._excuse(context, day, path)
        return batches(table_of(context.asset_key), days)

    def _excuse(self, context: dg.InputContext, day: str, path: UPath) -> None:
        today = context.partition_key if context.has_partition_key else None
        earlier = path.parent.exists() and any(other.stem < day for other in path.parent.glob("[!.]*.parquet"))
        if earlier or day == today:
            name = context.asset_key.to_user_string()
            raise MissingDay(
                f"{name} of {day} is missing ({path}): materialise {day} first, or skip it (`dragon skip --day {day}`)"
            )

    def get_metadata(self, context: dg.OutputContext, obj: Any) -> dict[str, dg.MetadataValue]:
        columns = [
            dg.TableColumn(name, str(column.dtype), column.meaning, dg.TableColumnConstraints(nullable=column.null))
            for name, column in table_of(context.asset_key).columns.items()
        ]
        return {
            "dagster/row_count": dg.MetadataValue.int(obj.height),
            "dagster/column_schema": dg.MetadataValue.table_schema(dg.TableSchema(columns)),
        }


def read(table: Table, path: UPath) -> pl.DataFrame:
    """A stored table, without `day`.

    Raises:
        FileNotFoundError: there is none.
        SchemaMismatch: other code wrote it, or it is no table any more; the message names the file.
    """
    stored = path.read_bytes()
    return _told(path, lambda: table.check(pl.read_parquet(io.BytesIO(stored))))


def batches(table: Table, days: Mapping[str, UPath]) -> Batches:
    """Stored tables of several days, with `day`, without holding one whole.

    Raises:
        SchemaMismatch: as `read`; what is broken further on is found when it is read.
    """
    for path in days.values():
        with _opened(path) as stored:
            _told(
                path, lambda stored=stored: table.check(cast("pl.DataFrame", pl.from_arrow(stored.schema_arrow.empty_table())))
            )

    def rows(columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        for day, path in days.items():
            with _opened(path) as stored:
                wanted = [name for name in columns if name != DAY]
                found = stored.iter_batches(_batch_rows(stored, wanted), columns=wanted)
                while (batch := _told(path, lambda found=found: next(found, None))) is not None:
                    yield cast("pl.DataFrame", pl.from_arrow(batch)).with_columns(pl.lit(day).alias(DAY)).select(columns)

    return Batches(table, rows)


def _batch_rows(stored: pq.ParquetFile, columns: Sequence[str]) -> int:
    """So many that these columns have some megabytes, going by what they have uncompressed in the first rows."""
    if not stored.metadata.num_row_groups:
        return BATCH
    group = stored.metadata.row_group(0)
    parts = [group.column(number) for number in range(group.num_columns)]
    size = sum(part.total_uncompressed_size for part in parts if part.path_in_schema.split(".")[0] in columns)
    return max(BATCH, min(MOST_IN_BATCH, BATCH_BYTES * group.num_rows // max(size, 1)))


@contextmanager
def _opened(path: UPath) -> Iterator[pq.ParquetFile]:
    with path.open("rb") as file:
        yield _told(path, lambda: pq.ParquetFile(file, buffer_size=BUFFER))


def _told(path: UPath, ask: Callable[[], Answer]) -> Answer:
    """What `ask` gives; what is wrong with the file is said with its name."""
    try:
        return ask()
    except SchemaMismatch as error:
        raise SchemaMismatch(f"{path}: {error}; it was written by other code: materialise that day again") from None
    except (pl.exceptions.PolarsError, pa.ArrowException, OSError) as error:
        raise SchemaMismatch(f"{path} is broken ({error}): materialise that day again") from None


def write(path: UPath, data: bytes) -> None:
    """All or nothing: a folder gets a temporary name and a rename; an object store's put is atomic by itself.

    Raises:
        OSError: with the path in it, as a full disk does not name one.
    """
    if path.protocol not in ("", "file"):
        path.write_bytes(data)
        return
    local = Path(path.path)
    temporary = local.with_name("." + local.name)
    try:
        temporary.write_bytes(data)
        temporary.replace(local)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(local)) from error
