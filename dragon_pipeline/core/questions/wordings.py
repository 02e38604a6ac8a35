"""What the rules' wording of a fact says about where it may stand, as columns; each distinct wording is read once."""

from collections.abc import Iterable

import orjson
import polars as pl

from dragon_pipeline.core.questions.types import TYPES

ENDS = ("head", "tail")
MORE, LESS = "more", "less"
DIRECTIONS = (MORE, LESS)
OPENINGS = {MORE: (MORE, "later"), LESS: (LESS, "earlier")}
"""Of a comparison: what the rule writer must have to ask for a direction; of a date, `later` and `earlier`."""

USUAL_WEIGHT = 3
_FLAGS = pl.UInt8()
SCHEMA = pl.Schema(
    {
        "wording": pl.String(), "asks": _FLAGS, "alone": _FLAGS, "many": _FLAGS, "bridges": _FLAGS, "describes": _FLAGS,
        "shapes": _FLAGS,
        "directions": _FLAGS, "weight": pl.Int32(), "named": pl.Boolean(), "apposition": pl.Boolean(), "compare": pl.String(),
    }
)  # fmt: skip


def read_wordings(wordings: pl.Series) -> pl.DataFrame:
    """One row per distinct wording, the null one included, with the columns of SCHEMA.

    `asks`: ends that it can ask for; `alone`: those that this fact alone, without another, may ask for; `many`: ends of which
    several can be asked at once; `bridges`: ends at which it may be joined with another fact; `describes`: those of them that
    it tells enough of to stand for their name; `shapes`: question types in which it may stand; `directions`: of a comparison.
    `weight`: how much it tells; `named`: a question that describes it names somebody or something; `apposition`: its tail
    stands right before or behind its head; `compare`: the relation under which it compares; null: its own. Sets are bits, see
    `bits`. A fact of a model has no wording and may stand anywhere.
    """
    distinct = wordings.unique()
    return pl.DataFrame([_read(wording) for wording in distinct], schema=SCHEMA, orient="row")


def bits(names: Iterable[str], of: tuple[str, ...]) -> int:
    """A set of names as bits: the first of `of` is 1, the second 2, …; names that are not among them are left out."""
    return sum(1 << of.index(name) for name in set(names) if name in of)


def _read(wording: str | None) -> tuple:
    said = orjson.loads(wording) if wording else {}
    asks = said.get("asks", ENDS)
    compare = said.get("compare") or {}
    return (
        wording,
        bits(asks, ENDS),
        bits(said.get("alone", asks), ENDS),
        bits(said.get("many", ENDS), ENDS),
        bits(said.get("bridges", ENDS), ENDS),
        bits(said.get("describes", said.get("bridges", ENDS)), ENDS),
        bits(said.get("shapes", TYPES), TYPES),
        _directions(bool(said), compare, "comparison" in said.get("shapes", ())),
        int(said.get("weight", USUAL_WEIGHT)),
        bool(said.get("named", True)),
        bool(said.get("apposition")),
        compare.get("key"),
    )


def _directions(worded: bool, compare: dict, explicit: bool) -> int:
    """Rules can ask only for what they have an opening for; a model has one for everything."""
    if worded and not compare and not explicit:
        return 0
    said = [way for way in DIRECTIONS if any(opening in compare for opening in OPENINGS[way])]
    return bits(said or DIRECTIONS, DIRECTIONS)
