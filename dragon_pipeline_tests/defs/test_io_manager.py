import errno
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from upath import UPath

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.errors import MissingDay, SchemaMismatch
from dragon_pipeline.core.records import LEDGER
from dragon_pipeline.defs.io_manager import ParquetTables, batches, to_bytes, write

DAYS = dg.DailyPartitionsDefinition("2025-09-01")


def ledger_of(day: str) -> pl.DataFrame:
    row = {"url": f"http://a.example/{day}", "content_hash": "c", "article_id": day, "outlet": "a", "published_at": None}
    return LEDGER.frame([{**row, "modified_at": None, "fetch": 0, "latest": True}])


@dg.asset(partitions_def=DAYS)
def ledger(context: dg.AssetExecutionContext) -> pl.DataFrame:
    return ledger_of(context.partition_key)


def run(folder: Path, asset: dg.AssetsDefinition, day: str) -> dg.ExecuteInProcessResult:
    resources = {"io_manager": ParquetTables(UPath(folder))}
    return dg.materialize([ledger, asset], resources=resources, partition_key=day, selection=[asset])


def batches_seen_by(folder: Path, first: int, last: int, day: str) -> Batches:
    """What an asset gets that asks for batches of this window of `ledger`."""
    got: list[Batches] = []
    mapping = dg.TimeWindowPartitionMapping(start_offset=first, end_offset=last)

    @dg.asset(partitions_def=DAYS, ins={"rows": dg.AssetIn(key="ledger", partition_mapping=mapping)})
    def reader(rows: Batches) -> None:
        got.append(rows)

    run(folder, reader, day)
    return got[0]


def seen_by(folder: Path, first: int, last: int, day: str) -> pl.DataFrame | None:
    """What an asset with this window of `ledger` gets."""
    got: list[pl.DataFrame | None] = []
    mapping = dg.TimeWindowPartitionMapping(start_offset=first, end_offset=last)

    @dg.asset(partitions_def=DAYS, ins={"rows": dg.AssetIn(key="ledger", partition_mapping=mapping)})
    def reader(rows: pl.DataFrame | None) -> None:
        got.append(rows)

    run(folder, reader, day)
    return got[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for day in ("2025-09-02", "2025-09-03"):
        run(tmp_path, ledger, day)
    return tmp_path


def test_a_table_is_stored_without_day_and_loaded_with_it(folder: Path):
    assert "day" not in pl.read_parquet(folder / "ledger" / "2025-09-02.parquet").columns
    rows = seen_by(folder, 0, 0, "2025-09-02")
    assert rows is not None and rows["day"].to_list() == ["2025-09-02"]


def test_a_window_is_one_frame_even_over_days_before_the_first_table(folder: Path):
    rows = seen_by(folder, -29, 0, "2025-09-03")
    assert rows is not None and rows["day"].to_list() == ["2025-09-02", "2025-09-03"]


def test_before_the_first_table_there_is_nothing(folder: Path):
    assert seen_by(folder, -30, -1, "2025-09-02") is None
    assert seen_by(folder, -1, -1, "2025-09-01") is None


def test_a_hole_stops_the_step_and_says_which_day_to_make(folder: Path):
    with pytest.raises(MissingDay, match=r"ledger of 2025-09-04 is missing .* materialise 2025-09-04 first, or skip it"):
        seen_by(folder, -30, -1, "2025-09-05")


def test_the_day_itself_must_be_there(tmp_path: Path):
    with pytest.raises(MissingDay, match="2025-09-02"):
        seen_by(tmp_path, -29, 0, "2025-09-02")


def test_a_table_of_other_code_is_refused(folder: Path):
    pl.DataFrame({"url": ["x"]}).write_parquet(folder / "ledger" / "2025-09-03.parquet")
    with pytest.raises(SchemaMismatch, match="materialise that day again"):
        seen_by(folder, 0, 0, "2025-09-03")


def test_a_torn_table_is_named(folder: Path):
    path = folder / "ledger" / "2025-09-03.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(SchemaMismatch, match=r"2025-09-03\.parquet is broken .*: materialise that day again"):
        seen_by(folder, 0, 0, "2025-09-03")


def test_an_undeclared_column_is_not_stored(tmp_path: Path):
    @dg.asset(partitions_def=DAYS, key="articles")
    def wrong() -> pl.DataFrame:
        return ledger_of("x")

    with pytest.raises(SchemaMismatch):
        run(tmp_path, wrong, "2025-09-01")
    assert not list((tmp_path / "articles").glob("*.parquet"))


def test_equal_content_is_equal_bytes():
    rows = pl.concat([ledger_of(f"{number:03}") for number in range(500)])
    assert to_bytes(LEDGER, rows) == to_bytes(LEDGER, pl.concat([rows.head(3), rows.tail(-3)], rechunk=False))


def test_a_full_disk_names_the_path_and_leaves_the_old_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = UPath(tmp_path / "2025-09-01.parquet")
    write(path, b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"No space left on device.*2025-09-01\.parquet"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


def test_a_column_says_what_it_means_on_the_assets_page(folder: Path):
    result = run(folder, ledger, "2025-09-04")
    (made,) = result.asset_materializations_for_node("ledger")
    schema = made.metadata["dagster/column_schema"].value
    assert isinstance(schema, dg.TableSchema)
    assert made.metadata["dagster/row_count"].value == 1
    assert {column.name: column.description for column in schema.columns}["url"] == "canonical URL"


def test_batches_hold_what_a_frame_holds_and_only_the_columns_asked_for(folder: Path):
    rows, frame = batches_seen_by(folder, -29, 0, "2025-09-03"), seen_by(folder, -29, 0, "2025-09-03")
    assert frame is not None and rows.frame(frame.columns).equals(frame)
    assert [batch.to_dicts() for batch in rows.read(["day", "article_id"])] == [
        [{"day": day, "article_id": day}] for day in ("2025-09-02", "2025-09-03")
    ]
    assert rows.frame(["latest"]).equals(frame.select("latest")), "as often as one likes"


@pytest.mark.parametrize(("letters", "heights"), [(20, [2500]), (3000, [1398, 1102]), (9000, [1000, 1000, 500])])
def test_a_large_table_comes_in_batches_of_some_megabytes(tmp_path: Path, letters: int, heights: list[int]):
    many = pl.concat([ledger_of("2025-09-02")] * 2500).with_columns(url=pl.int_range(2500).cast(pl.String).str.zfill(letters))
    path = UPath(f"memory://large{tmp_path}/2025-09-02.parquet")
    write(path, to_bytes(LEDGER, many))
    rows = batches(LEDGER, {"2025-09-02": path})
    found = list(rows.read(["url"]))
    assert [batch.height for batch in found] == pytest.approx(heights, abs=20)
    assert pl.concat(found)["url"].to_list() == many["url"].to_list()
    assert [batch.height for batch in rows.read(["article_id"])] == [2500]


def test_rows_of_a_few_values_are_found_in_the_order_of_the_table(folder: Path):
    rows = batches_seen_by(folder, -29, 0, "2025-09-03")
    urls = [f"http://a.example/2025-09-0{day}" for day in (3, 9, 2, 2)]
    assert rows.among(["url", "day"], "url", urls)["day"].to_list() == ["2025-09-02", "2025-09-03"]
    assert rows.among(["url", "latest"], "url", []).equals(rows.frame(["url", "latest"]).clear())


def test_batches_follow_the_hole_rule(folder: Path):
    with pytest.raises(MissingDay, match=r"ledger of 2025-09-04 is missing"):
        batches_seen_by(folder, -30, -1, "2025-09-05")


def test_batches_of_a_table_of_other_code_or_a_broken_one_are_refused_by_name(folder: Path):
    path = folder / "ledger" / "2025-09-03.parquet"
    whole = path.read_bytes()
    for wrong in (b"PAR1 torn", whole[: len(whole) // 2]):
        path.write_bytes(wrong)
        with pytest.raises(SchemaMismatch, match=r"2025-09-03\.parquet is broken .* materialise that day again"):
            batches_seen_by(folder, -29, 0, "2025-09-03")
    pl.DataFrame({"url": ["x"]}).write_parquet(path)
    with pytest.raises(SchemaMismatch, match=r"2025-09-03\.parquet: .*other code: materialise that day again"):
        batches_seen_by(folder, -29, 0, "2025-09-03")


def test_batches_of_a_table_that_breaks_further_on_say_so_when_they_are_read(tmp_path: Path):
    path = UPath(tmp_path / "2025-09-02.parquet")
    stored = to_bytes(LEDGER, ledger_of("2025-09-02"))
    write(path, stored[:4] + bytes(60) + stored[64:])
    with pytest.raises(SchemaMismatch, match=r"2025-09-02\.parquet is broken"):
        batches(LEDGER, {"2025-09-02": path}).frame(["url"])
