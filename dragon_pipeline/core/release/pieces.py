"""Texts in their public order, though they need not fit into memory: split by piece in a local folder, each then sorted."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

ROWS = 5_000
BYTES = 32_000_000
"""A piece ends before it has more of either; a text that is longer alone is a piece of its own."""


def plan(sizes: Iterable[int], rows: int = ROWS, size: int = BYTES) -> list[range]:
    """Places 0, 1, … in consecutive pieces, by the bytes of the text at each place; one empty piece when there are none."""
    starts, bytes_left, rows_left, place = [0], size, rows, -1
    for place, length in enumerate(sizes):
        if place > starts[-1] and (length > bytes_left or not rows_left):
            starts.append(place)
            bytes_left, rows_left = size, rows
        bytes_left, rows_left = bytes_left - length, rows_left - 1
    return [range(start, stop) for start, stop in pairwise([*starts, place + 1])]


def in_order(rows: Iterable[pl.DataFrame], pieces: Sequence[range], schema: pa.Schema, folder: Path) -> Iterator[pa.Table]:
    """One table for each piece, sorted by `id`.

    Args:
        rows: frames with the schema's columns; every `id` of the pieces once, in any order.
        folder: local and empty; it will hold all rows once.
    """
    starts = [piece.start for piece in pieces]
    paths = [folder / str(number) for number in range(len(pieces))]
    with ExitStack() as opened:
        compressed = pa.ipc.IpcWriteOptions(compression="lz4")
        writers = [opened.enter_context(pa.ipc.new_stream(path, schema, options=compressed)) for path in paths]
        for frame in rows:
            piece = np.searchsorted(starts, frame["id"].to_numpy(), side="right") - 1
            for (number,), part in frame.with_columns(piece=piece).partition_by("piece", as_dict=True).items():
                writers[int(number)].write_table(part.select(schema.names).to_arrow().cast(schema))
    for path in paths:
        with pa.ipc.open_stream(path) as stored:
            found = stored.read_all()
        path.unlink()
        yield found.sort_by("id")
