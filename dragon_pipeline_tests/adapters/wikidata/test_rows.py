import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.wikidata.entries import LARGEST, Entry, read_entry
from dragon_pipeline.adapters.wikidata.rows import SAMPLE, code_of, id_of, parse, row_of, sample
from dragon_pipeline.core.knowledge.names import fold

LANGUAGES = st.sampled_from(["ru", "en", "mul", "de", "en-gb"])
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
ENTITIES = st.builds(
    lambda number, labels, descriptions: {
        "type": "item",
        "id": f"Q{number}",
        "labels": {code: {"language": code, "value": name} for code, name in labels.items()},
        "descriptions": {code: {"language": code, "value": name} for code, name in descriptions.items()},
    },
    st.integers(1, LARGEST),
    st.dictionaries(LANGUAGES, NAMES, max_size=3),
    st.dictionaries(LANGUAGES, NAMES, max_size=3),
)


@given(
    st.lists(ENTITIES, max_size=5),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    st.booleans(),
    st.lists(st.sampled_from(["ru", "en", "en-gb"]), min_size=1, max_size=3),
)
def test_looking_for_the_key_first_loses_no_entity_with_a_name(entities, separators, ascii_only, languages):
    lines = [json.dumps(one, separators=separators, ensure_ascii=ascii_only).encode() for one in entities]
    parsed = parse(enumerate(lines, start=1), languages)
    expected = [read_entry(one, languages, []) for one in entities]
    assert [(row.code, row.label) for row in parsed.rows] == [(code_of(e.wikidata_id), e.label) for e in expected if e]
    assert parsed.skipped["no_label"] == expected.count(None)
    assert not parsed.faults


@given(st.integers(1, LARGEST), st.sampled_from("QP"))
def test_ids_and_codes_are_one_to_one_and_keep_the_order_of_numbers(number, initial):
    code = code_of(f"{initial}{number}")
    assert id_of(code) == f"{initial}{number}"
    assert code < code_of(f"{initial}{number + 1}") if number < LARGEST else code_of(f"{initial}{number + 1}") is None


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_a_name_stands_once_as_folded_and_as_a_label_when_it_is_one(names):
    row = row_of(Entry("Q1", names[0], "", ((names[0], "label"), *((name, "alias") for name in names[1:]))))
    folded = dict(row.names)
    assert set(folded) == {fold(name) for name in names} - {""}
    assert not folded.get(fold(names[0]))


@pytest.mark.parametrize("part", ["label", "description", "names", "sitelinks", "statements"])
def test_every_part_that_is_kept_changes_the_digest(part):
    entry = {"wikidata_id": "Q1", "label": "Ока", "description": "река", "names": (("Ока", "label"),)}
    other = {
        "label": "Кама",
        "description": "",
        "names": (("Ока", "alias"),),
        "sitelinks": 1,
        "statements": (("Q1$x", "P31", "Q4022"),),
    }
    assert row_of(Entry(**entry)).digest == row_of(Entry(**entry)).digest
    assert row_of(Entry(**entry)).digest != row_of(Entry(**{**entry, part: other[part]})).digest


def test_the_latest_edit_counts_whether_the_entity_is_kept_or_not():
    lines = [
        '{"id":"Q1","labels":{"ru":{"value":"Ока"}},"modified":"2026-10-01T23:59:59Z"}',
        '{"id":"Q2","labels":{},"modified" : "2026-10-03T00:00:00Z"}',
        '{"id":"Q3","labels":{"ru":{"value":"modified"}},"modified":"soon"}',
    ]
    assert parse(enumerate(map(str.encode, lines)), ("ru",)).newest == "2026-10-03"


def test_of_a_long_line_its_beginning_and_its_end_are_shown():
    assert sample(b"a" * 2 * SAMPLE) == "a" * 2 * SAMPLE
    shown = sample(b"a" * SAMPLE + b"b" * 9999 + b"c" * SAMPLE)
    assert shown == "a" * SAMPLE + " … " + "c" * SAMPLE
