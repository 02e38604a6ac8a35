import json

import polars as pl
import pytest

from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import DIRECTIONS, ENDS, bits, read_wordings


def read(wording: dict | None) -> dict:
    said = json.dumps(wording) if wording is not None else None
    (row,) = read_wordings(pl.Series([said, said], dtype=pl.String())).to_dicts()
    return row


def test_each_wording_is_one_row():
    found = read_wordings(pl.Series(['{"weight": 1}', None, '{"weight": 1}', '{"weight": 2}']))
    assert sorted(found["weight"]) == [1, 2, 3]


def test_what_may_be_asked_alone_is_what_may_be_asked_unless_it_is_said():
    assert read({"asks": ["head"]})["alone"] == bits(["head"], ENDS)
    assert read({"asks": ["head", "tail"], "alone": ["tail"]})["alone"] == bits(["tail"], ENDS)


def test_a_shape_that_is_not_known_is_none():
    assert read({"shapes": ["set", "riddle"]})["shapes"] == bits(["set"], TYPES)


@pytest.mark.parametrize(
    ("wording", "directions"),
    [
        (None, DIRECTIONS),
        ({"asks": ["head"]}, ()),
        ({"shapes": ["comparison"]}, DIRECTIONS),
        ({"compare": {"key": "урожай"}}, DIRECTIONS),
        ({"compare": {"key": "урожай", "more": "Кто собрал больше"}}, ("more",)),
        ({"compare": {"key": "основание", "later": "Что позже", "earlier": "Что раньше"}}, DIRECTIONS),
    ],
)
def test_a_comparison_goes_the_ways_for_which_there_are_words(wording, directions):
    assert read(wording)["directions"] == bits(directions, DIRECTIONS)
