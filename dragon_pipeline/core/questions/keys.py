"""Order keys: 64 bits of what a thing is, so that a seeded draw never depends on where its row stood."""

from hashlib import blake2b

import numpy as np
import polars as pl

Keys = np.ndarray
"""of uint64"""

_STEP, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def key(text: str) -> np.uint64:
    """Of one text, the same on every machine."""
    return np.uint64(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little"))


def keys(texts: pl.Series) -> Keys:
    return np.array([key(text) for text in texts], dtype=np.uint64)


def mixed(*parts: Keys | np.uint64 | int) -> Keys:
    """One key out of several, row by row; their order counts (SplitMix64's finaliser, Steele et al. 2014)."""
    total = np.zeros(1, np.uint64)
    for part in parts:
        column = np.asarray(part % 2**64 if isinstance(part, int) else part, np.uint64)
        total = (total ^ column) + _STEP
        total = (total ^ (total >> np.uint64(30))) * _FIRST
        total = (total ^ (total >> np.uint64(27))) * _SECOND
        total = total ^ (total >> np.uint64(31))
    return total


def ordered(*codes: np.ndarray, by: Keys) -> np.ndarray:
    """The order of rows by these small numbers, the first of which weighs most, and among equals by the first bits of a key.

    It is one sort of one number (three columns take `lexsort` ten times as long), so that all codes together may have 40 bits.
    """
    packed, left = np.zeros(len(by), np.uint64), 63
    for column in codes:
        bits = int(column.max(initial=0)).bit_length()
        left -= bits
        packed = (packed << np.uint64(bits)) | column.astype(np.uint64)
    if left < 24:
        raise ValueError(f"codes of {63 - left} bits leave too few of the key")
    return np.argsort((packed << np.uint64(left)) | (by >> np.uint64(64 - left)), kind="stable")


def places(*codes: np.ndarray) -> np.ndarray:
    """Of sorted columns: the place of each row, from 0, among the rows that are equal in all of them."""
    size = len(codes[0])
    first = np.ones(size, bool)
    for column in codes:
        first[1:] &= column[1:] == column[:-1]
    first[1:] = ~first[1:]
    starts = np.flatnonzero(first)
    return np.arange(size) - np.repeat(starts, np.diff(np.append(starts, size)))
