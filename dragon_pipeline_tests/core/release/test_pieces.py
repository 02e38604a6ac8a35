from pathlib import Path

import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.release.pieces import in_order, plan

SCHEMA = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("text", pa.string())])


@given(st.lists(st.integers(0, 30)), st.integers(1, 5), st.integers(1, 40))
def test_pieces_are_consecutive_and_bounded_and_no_two_neighbours_would_fit_into_one(sizes, rows, size):
    pieces = plan(sizes, rows, size)
    assert [place for piece in pieces for place in piece] == list(range(len(sizes)))
    heavy = [sum(sizes[place] for place in piece) for piece in pieces]
    for piece, bytes in zip(pieces, heavy, strict=True):
        assert len(piece) <= rows
        assert bytes <= size or len(piece) == 1
    for before, after in zip(range(len(pieces)), pieces[1:], strict=False):
        assert len(pieces[before]) == rows or heavy[before] + sizes[after.start] > size


def test_no_texts_are_one_empty_piece():
    assert plan([]) == [range(0)]


@given(st.permutations(list(range(12))), st.integers(1, 5), st.integers(1, 5))
def test_rows_in_any_order_and_batches_come_out_sorted_and_whole(tmp_path_factory, order, rows, batch):
    folder: Path = tmp_path_factory.mktemp("scratch")
    frame = pl.DataFrame({"text": [f"текст {id}" for id in order], "id": order}).with_columns(
        text=pl.when(pl.col("id") == 3).then(None).otherwise("text")
    )
    tables = list(in_order(frame.iter_slices(batch), plan([1] * 12, rows), SCHEMA, folder))
    assert [table.num_rows for table in tables] == [len(piece) for piece in plan([1] * 12, rows)]
    assert all(table.schema.equals(SCHEMA) for table in tables)
    assert pa.concat_tables(tables)["id"].to_pylist() == list(range(12))
    assert pa.concat_tables(tables)["text"].to_pylist() == [None if id == 3 else f"текст {id}" for id in range(12)]
    assert list(folder.iterdir()) == [], "nothing is left"


def test_an_empty_piece_is_an_empty_table(tmp_path):
    (table,) = in_order([], plan([]), SCHEMA, tmp_path)
    assert table.num_rows == 0
    assert table.schema.equals(SCHEMA)
