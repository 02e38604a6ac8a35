"""Shingles: what is compared of a text.

A shingle is WIDTH consecutive stems; a stem is a word in lower case, ё as е, cut to STEM letters, so that an ending or a comma
does not break it.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
import polars as pl

WIDTH = 3
STEM = 6
BOILERPLATE = 6
"""Pages of one outlet that share a shingle from which it is the outlet's footer or background, not the story."""
TEXTS_AT_ONCE = 4000

_SHUFFLE = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def shingle(texts: Sequence[str]) -> list[np.ndarray]:
    """Each text as the sorted array of its distinct shingles' hashes; a text of fewer than WIDTH words is one shingle."""
    hashes: dict[str, int] = {}
    sets: list[np.ndarray] = []
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        sets += _shingle(pl.Series(texts[start : start + TEXTS_AT_ONCE], dtype=pl.String), hashes)
    return sets


def _shingle(texts: pl.Series, hashes: dict[str, int]) -> list[np.ndarray]:
    words = texts.str.to_lowercase().str.replace_all("ё", "е", literal=True).str.extract_all(r"\w+")
    counts = words.list.len().to_list()
    stems = words.explode(empty_as_null=False).str.head(STEM)
    known = stems.unique().sort()
    hashes.update((stem, _hash(stem)) for stem in known if stem not in hashes)
    table = np.array([hashes[stem] for stem in known], np.uint64)
    values = table[stems.cast(pl.Enum(known)).to_physical().to_numpy()] if len(stems) else table
    joined = _joined(values)
    sets, start = [], 0
    for count in counts:
        if count >= WIDTH:
            sets.append(distinct(joined[start : start + count - WIDTH + 1]))
        else:
            sets.append(np.array([hash_of(values[start : start + count])] if count else [], np.uint64))
        start += count
    return sets


def distinct(values: np.ndarray) -> np.ndarray:
    """Sorted, each once; several times as fast as np.unique, which hashes."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def _joined(values: np.ndarray) -> np.ndarray:
    """The hash of WIDTH values from each position on."""
    count = max(len(values) - WIDTH + 1, 0)
    shingles = np.zeros(count, np.uint64)
    for offset in range(WIDTH):
        shingles = mix(shingles + values[offset : offset + count])
    return shingles


def hash_of(values: np.ndarray) -> np.uint64:
    shingle = np.zeros(1, np.uint64)
    for value in values:
        shingle = mix(shingle + value)
    return shingle[0]


def _hash(stem: str) -> int:
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8"), digest_size=8).digest(), "little")


def mix(values: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64, a bijection of 64-bit integers that spreads every bit."""
    values = (values ^ (values >> np.uint64(30))) * _SHUFFLE[0]
    values = (values ^ (values >> np.uint64(27))) * _SHUFFLE[1]
    return values ^ (values >> np.uint64(31))


def without_boilerplate(sets: list[np.ndarray], outlets: Sequence[str], urls: Sequence[str]) -> list[np.ndarray]:
    """The sets, in order of time, each without the shingles that it is the BOILERPLATEth page of its outlet or a later one to
    have; versions of a page count once. What comes later changes nothing."""
    kept = list(sets)
    of_outlet: dict[str, list[int]] = {}
    for index, outlet in enumerate(outlets):
        of_outlet.setdefault(outlet, []).append(index)
    for indices in of_outlet.values():
        values, counts = np.unique(np.concatenate([sets[index] for index in indices]), return_counts=True)
        common = values[counts >= BOILERPLATE]
        if len(common):
            _strip(kept, indices, urls, common)
    return kept


def _strip(kept: list[np.ndarray], indices: list[int], urls: Sequence[str], common: np.ndarray) -> None:
    """Strips the sets of one outlet's pages; only `common` shingles can become boilerplate."""
    pages = np.zeros(len(common), np.int32)
    had: dict[str, np.ndarray] = {}
    for index in indices:
        places = np.searchsorted(common, kept[index])
        places[places == len(common)] = 0
        shared = common[places] == kept[index]
        mine = places[shared]
        before = had.get(urls[index], mine[:0])
        pages[np.setdiff1d(mine, before, assume_unique=True) if len(before) else mine] += 1
        had[urls[index]] = distinct(np.concatenate([before, mine])) if len(before) else mine
        shared[shared] = pages[mine] >= BOILERPLATE
        kept[index] = kept[index][~shared]
