"""Reading a home's tables, outside of a run."""

from dataclasses import dataclass

import dagster as dg
import polars as pl
from upath import UPath

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.records import TABLES
from dragon_pipeline.core.table import DAY, Table
from dragon_pipeline.defs.io_manager import batches, read, table_of, to_bytes, write


@dataclass(frozen=True)
class Tables:
    root: UPath

    def days(self, asset: str) -> list[str]:
        """Days for which the asset's table exists, in order."""
        folder = self.root / asset
        return sorted(path.stem for path in folder.glob("[!.]*.parquet")) if folder.exists() else []

    def parts(self, table: str) -> list[str]:
        """The assets of which each has such a table: `crawl/import`, `crawl/lenta`, …"""
        folder = self.root / table
        return sorted(f"{table}/{path.name}" for path in folder.iterdir() if path.is_dir()) if folder.exists() else []

    def batches(self, asset: str, days: list[str]) -> Batches:
        """As `read`, without holding it whole."""
        found = {day: self.path(asset, day) for day in days}
        return batches(TABLES[asset.split("/")[0]], {day: path for day, path in found.items() if path.exists()})

    def read(self, asset: str, days: list[str]) -> pl.DataFrame:
        """The asset's rows of these days, with `day`; days without a table give none."""
        table = TABLES[asset.split("/")[0]]
        frames = [self._day(table, asset, day) for day in days if self.path(asset, day).exists()]
        return pl.concat(frames) if frames else table.empty().with_columns(pl.lit("").alias(DAY))

    def write(self, key: dg.AssetKey, day: str, frame: pl.DataFrame) -> None:
        path = self.path("/".join(key.path), day)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, to_bytes(table_of(key), frame))

    def path(self, asset: str, day: str) -> UPath:
        return self.root / asset / f"{day}.parquet"

    def _day(self, table: Table, asset: str, day: str) -> pl.DataFrame:
        return read(table, self.path(asset, day)).with_columns(pl.lit(day).alias(DAY))
