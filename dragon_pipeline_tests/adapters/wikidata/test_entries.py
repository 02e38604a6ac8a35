import gzip
import json

import pytest

from dragon_pipeline.adapters.wikidata.entries import LARGEST, Entry, Faulty, kind_of, number_of, read_entry


def label(language: str, value: str) -> dict:
    return {language: {"language": language, "value": value}}


def claim(value: object = "Q2", rank: object = "normal", name: str = "P1", **snak: object) -> dict:
    kind = "property" if str(value).startswith("P") else "item"
    held = {"type": "wikibase-entityid", "value": {"entity-type": kind, "id": value}}
    return {
        "id": f"Q1${value}-{rank}",
        "rank": rank,
        "mainsnak": {"snaktype": "value", "property": name, "datavalue": held, **snak},
    }


def read(entity: dict, *languages: str) -> Entry | None:
    faults: list[str] = []
    found = read_entry({"id": "Q1", "labels": label("ru", "Ока"), **entity}, languages or ("ru",), faults)
    assert not faults
    return found


def test_the_first_language_is_shown_and_the_others_stand_in_in_their_order():
    labels = label("en", "Oka") | label("ru", "Ока") | label("de", "Die Oka")
    assert read({"labels": labels}, "ru", "en").label == "Ока"
    assert read({"labels": labels}, "fr", "en", "ru").label == "Oka"
    assert read({"labels": labels}, "fr", "be") is None


def test_every_chosen_language_gives_names_and_no_other():
    entity = {
        "labels": label("en", "Oka") | label("ru", "Ока") | label("de", "Die Oka"),
        "aliases": {"ru": [{"language": "ru", "value": "река Ока"}], "de": [{"language": "de", "value": "Okafluss"}]},
    }
    assert read(entity, "ru", "en").names == (("Ока", "label"), ("Oka", "label"), ("река Ока", "alias"))


def test_names_for_all_languages_count_behind_the_chosen_ones():
    entity = {"labels": label("mul", "Oka"), "aliases": {"mul": [{"language": "mul", "value": "Oka R."}]}}
    assert read(entity).names == (("Oka", "label"), ("Oka R.", "alias"))
    assert read({"labels": label("mul", "Oka") | label("ru", "Ока")}).label == "Ока"


def test_people_are_also_named_as_news_name_them_and_nothing_else_is():
    """P31 (instance of) Q5 (human)."""
    named = {"labels": label("ru", "Громов, Пётр Ильич")}
    person = read({**named, "claims": {"P31": [claim("Q5", name="P31")]}})
    assert person.names == (
        ("Громов, Пётр Ильич", "label"),
        ("Пётр Ильич Громов", "alias"),
        ("Пётр Громов", "alias"),
    )
    assert read({**named, "claims": {"P31": [claim("Q515", name="P31")]}}).names == (("Громов, Пётр Ильич", "label"),)
    assert read({**named, "claims": {"P279": [claim("Q5", name="P279")]}}).names == (("Громов, Пётр Ильич", "label"),)


def test_descriptions_fall_back_alike_and_may_be_absent():
    assert read({"descriptions": label("en", "river") | label("ru", "река")}).description == "река"
    assert read({"descriptions": label("en", "river")}, "ru", "en").description == "river"
    assert read({"descriptions": label("de", "Fluss")}).description == ""


def test_blanks_in_names_are_one_space_and_an_empty_label_is_none():
    assert read({"labels": label("ru", " Ока \n река\t")}).label == "Ока река"
    assert read({"labels": label("ru", " ") | label("en", "Oka")}, "ru", "en").label == "Oka"
    assert read({"labels": label("ru", "")}) is None


def test_pages_about_it_are_counted():
    assert read({"sitelinks": {"ruwiki": {}, "enwiki": {}}}).sitelinks == 2
    assert read({}).sitelinks == 0


@pytest.mark.parametrize("part", ["aliases", "descriptions", "sitelinks", "claims"])
def test_an_empty_map_may_be_written_as_an_empty_list(part):
    assert read({part: []}) == read({})


def test_normal_and_preferred_statements_with_an_item_are_kept():
    claims = {"P1": [claim("Q2"), claim("Q3", "preferred")], "P31": [claim("Q5", name="P31")]}
    found = read({"claims": claims})
    assert [one[1:] for one in found.statements] == [("P1", "Q2"), ("P1", "Q3"), ("P31", "Q5")]
    assert found.statements[0][0] == "Q1$Q2-normal"
    assert found.types == ("Q5",)


@pytest.mark.parametrize(
    "one",
    [
        claim(rank="deprecated"),
        claim(snaktype="novalue", datavalue=None),
        claim(snaktype="somevalue"),
        claim(datavalue={"type": "string", "value": "Q2"}),
        claim(datavalue={"type": "wikibase-entityid", "value": {"entity-type": "lexeme", "id": "L2"}}),
        claim("P2"),
    ],
)
def test_statements_that_state_no_item_are_left_out_without_fault(one):
    assert read({"claims": {"P1": [one]}}).statements == ()


def test_a_property_states_its_inverse_and_an_item_does_not():
    claims = {"P1696": [claim("P2", name="P1696")], "P8": [claim("P2", name="P8")]}
    assert [one[1:] for one in read({"id": "P1", "claims": claims}).statements] == [("P1696", "P2")]
    assert read({"id": "Q1", "claims": claims}).statements == ()


def test_the_number_alone_names_an_item_in_older_dumps():
    older = {"type": "wikibase-entityid", "value": {"entity-type": "item", "numeric-id": 42}}
    assert [value for *_, value in read({"claims": {"P1": [claim(datavalue=older)]}}).statements] == ["Q42"]


@pytest.mark.parametrize(
    "one",
    [
        None,
        "Q2",
        {},
        claim() | {"rank": "best"},
        claim() | {"id": None},
        claim() | {"id": ["Q1$x"]},
        claim() | {"mainsnak": None},
        claim("Q0"),
        claim("Q-2"),
        claim(f"Q{LARGEST + 1}"),
        claim(None),
        claim(["Q2"]),
        claim(datavalue={"type": "wikibase-entityid", "value": "Q2"}),
        claim(datavalue={"type": "wikibase-entityid", "value": {"entity-type": [], "id": "Q2"}}),
    ],
)
def test_a_faulty_statement_is_left_out_and_told_while_the_others_stay(one):
    faults: list[str] = []
    entity = {"id": "Q1", "labels": label("ru", "Ока"), "claims": {"P1": [one, claim("Q3")], "P2": one}}
    found = read_entry(entity, ("ru",), faults)
    assert [value for *_, value in found.statements] == ["Q3"]
    assert faults == ["bad_statement"] * 2


@pytest.mark.parametrize("part", ["labels", "aliases", "descriptions", "sitelinks", "claims"])
@pytest.mark.parametrize("value", ["text", 7, ["x"], True])
def test_an_entity_with_a_part_of_another_type_is_faulty(part, value):
    with pytest.raises(Faulty, match=f"wrong_type: {part}"):
        read({part: value})


@pytest.mark.parametrize("part", ["labels", "aliases", "descriptions"])
@pytest.mark.parametrize("value", ["Ока", 7, {"value": 7}, {}, [7]])
def test_an_entity_with_a_text_of_another_type_is_faulty(part, value):
    with pytest.raises(Faulty, match=f"wrong_type: {part}"):
        read({part: {"ru": value}})


@pytest.mark.parametrize(
    ("entity", "kind"),
    [
        ({"id": "Q1", "type": "item"}, "item"),
        ({"id": "P1", "type": "property"}, "property"),
        ({"id": "Q1"}, "item"),
        ({"entity": "Q1", "redirect": "Q2"}, "redirect"),
        ({"id": "Q1", "missing": ""}, "missing"),
        ({"id": "L1", "type": "lexeme"}, "other_kind"),
        ({"id": "M1", "type": "mediainfo"}, "other_kind"),
    ],
)
def test_what_an_entity_is(entity, kind):
    assert kind_of(entity) == kind


@pytest.mark.parametrize(
    "entity",
    [{}, {"type": "item"}, {"id": 7}, {"id": ""}, {"id": "Q1", "type": "property"}, {"id": "Q01"}, {"id": "Qx"}, {"id": "Q1²"}],
)
def test_an_entity_without_a_proper_id_is_faulty(entity):
    with pytest.raises(Faulty):
        kind_of(entity)


@pytest.mark.parametrize(
    "wrong", ["", "Q", "P1", "q1", "Q1 ", "Q٣", "Q1.0", f"Q{LARGEST + 1}", "Q" + "9" * 5000, None, 1, b"Q1"]
)
def test_only_a_letter_and_a_number_is_an_id(wrong):
    assert number_of(wrong, "Q") is None
    assert number_of(f"Q{LARGEST}", "Q") == LARGEST


def test_the_real_excerpt_is_read_without_fault(shared_data):
    lines = gzip.decompress((shared_data / "wikidata/dump-excerpt-49-items.ndjson.gz").read_bytes()).splitlines()[1:]
    faults: list[str] = []
    entries = [read_entry(json.loads(line.rstrip(b",")), ("ru",), faults) for line in lines]
    assert not faults
    assert len(entries) == 49
    assert (
        sum(len(entry.statements) for entry in entries) == 1909 + 49
    )  # of normal and of preferred rank, by a count of its own
