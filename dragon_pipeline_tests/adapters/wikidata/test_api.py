"""The live API: what is found and stated, against a local /w/api.php."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.wikidata.api import _terms
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline_tests.adapters.wikidata.wikibase import CONTACT, Reply, WikibaseServer, entity, ids, open_api, statement

Serve = Callable[..., WikibaseServer]


@pytest.mark.parametrize("name", ["Ока", "ОКА", "«Ока»", " ока "])
def test_only_what_equals_the_name_is_found_though_the_server_finds_beginnings(serve: Serve, tmp_path, name):
    server = serve(entity("Q1", "Окаяма"), entity("Q2", "Окава", "Ока"), entity("Q3", "Ока"), entity("Q4", "Ока (приток)"))
    found = open_api(server.url, tmp_path).search([name], "item")
    assert [(one.wikidata_id, one.match) for one in found[0]] == [("Q3", "label"), ("Q2", "alias")]


def test_the_best_known_of_namesakes_comes_first(serve: Serve, tmp_path):
    namesakes = [entity("Q11", "Волга", sitelinks=2), entity("Q12", "Волга", sitelinks=90), entity("Q9", "Волга", sitelinks=2)]
    server = serve(*namesakes, entity("Q3", "Итиль", "Волга", sitelinks=2))
    assert ids(open_api(server.url, tmp_path).search(["Волга"], "item")) == [["Q12", "Q9", "Q11", "Q3"]]


def test_an_alias_that_equals_counts_when_the_server_shows_a_longer_one(serve: Serve, tmp_path):
    server = serve(entity("Q76", "Барак Обама", "Обама Барак", "Обама"))
    assert ids(open_api(server.url, tmp_path).search(["Обама"], "item")) == [["Q76"]]


def test_a_found_entity_carries_what_linking_looks_at(serve: Serve, tmp_path):
    types = (statement("Q649", "P31", "Q515"), statement("Q649", "P31", "Q5119", rank="deprecated"))
    server = serve(entity("Q649", "Москва", "Первопрестольная", statements=types, sitelinks=7, description="столица России"))
    ((found,),) = open_api(server.url, tmp_path).search(["Первопрестольная"], "item")
    told = (found.wikidata_id, found.label, found.description, found.match, found.sitelinks, found.types)
    assert told == ("Q649", "Москва", "столица России", "alias", 7, ("Q515",))


def test_a_name_for_all_languages_is_a_name(serve: Serve, tmp_path):
    server = serve(entity("Q5", "Сименс", mul="Siemens"), entity("Q6", "Siemens", language="en"))
    assert ids(open_api(server.url, tmp_path).search(["Siemens"], "item")) == [["Q5"]]


def test_names_of_other_languages_are_none_of_ours(serve: Serve, tmp_path):
    server = serve(entity("Q6", "Oka", language="en"))
    server.script.append(Reply({"search": [{"id": "Q6", "match": {"type": "label", "language": "en", "text": "Oka"}}]}))
    assert ids(open_api(server.url, tmp_path).search(["Oka"], "item")) == [[]]


def test_properties_are_found_and_state_their_inverse(serve: Serve, tmp_path):
    claims = (statement("P36", "P1696", "P1376"), statement("P36", "P31", "Q18608871"), statement("P36", "P1647", "P276"))
    server = serve(entity("P36", "столица", "столичный город", statements=claims), entity("Q5", "столица"))
    kb = open_api(server.url, tmp_path)
    assert ids(kb.search(["Столичный город", "столица"], "property")) == [["P36"], ["P36"]]
    assert [(one.property, one.object) for one in kb.stated(["P36"])["P36"].statements] == [
        ("P1696", "P1376"),
        ("P31", "Q18608871"),
    ]


def test_statements_are_those_that_hold_and_name_an_item(serve: Serve, tmp_path):
    claims = (
        statement("Q1", "P39", "Q2", rank="preferred"),
        statement("Q1", "P39", "Q3"),
        statement("Q1", "P39", "Q4", rank="deprecated"),
        statement("Q1", "P40", None, snaktype="novalue"),
        statement("Q1", "P22", None, snaktype="somevalue"),
        statement("Q1", "P18", "image.jpg"),
        statement("Q1", "P1963", "P39"),
    )
    server = serve(entity("Q1", "Он", statements=claims, lastrevid=77))
    told = open_api(server.url, tmp_path).stated(["Q1"])["Q1"]
    assert told.revision == "77"
    assert [(one.statement_id, one.subject, one.property, one.object) for one in told.statements] == [
        ("Q1$P39-Q2-preferred", "Q1", "P39", "Q2"),
        ("Q1$P39-Q3-normal", "Q1", "P39", "Q3"),
    ]


@pytest.mark.parametrize("unknown", ["Q999", "Q99999999999", "Q0", "local:0", "", "Q1|Q2", "L7"])
def test_what_does_not_exist_states_nothing_and_fails_nobody_else(serve: Serve, tmp_path, unknown):
    server = serve(entity("Q1", "А", statements=(statement("Q1", "P1", "Q2"),)), entity("P1", "б"))
    told = open_api(server.url, tmp_path).stated(["Q1", unknown, "P1"])
    assert (told[unknown].revision, told[unknown].statements) == ("missing", ())
    assert (len(told["Q1"].statements), told["P1"].revision) == (1, "1001")


def test_the_server_may_find_an_id_impossible_that_looks_right(serve: Serve, tmp_path):
    server = serve(*(entity(f"Q{number}", "А") for number in range(1, 6)))
    refused = {"error": {"code": "no-such-entity", "info": "Could not find such an entity (Invalid id: Q3)"}}
    server.script.extend([Reply(refused), Reply(refused)])  # all five, then the first two of them
    told = open_api(server.url, tmp_path).stated([f"Q{number}" for number in range(1, 6)])
    assert {one.revision for one in told.values()} == {"1001", "1002", "1003", "1004", "1005"}


def test_a_redirect_is_followed_and_said(serve: Serve, tmp_path):
    server = serve(entity("Q2", "Цель", statements=(statement("Q2", "P1", "Q3"),), lastrevid=5))
    server.redirects["Q1"] = "Q2"
    told = open_api(server.url, tmp_path).stated(["Q1", "Q2"])
    assert (told["Q1"].revision, told["Q2"].revision) == ("Q2@5", "5")
    assert told["Q1"].statements == told["Q2"].statements
    assert told["Q1"].statements[0].subject == "Q2"


def test_an_item_without_a_russian_name_has_its_statements(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Name", language="en", statements=(statement("Q1", "P1", "Q3"),)))
    assert len(open_api(server.url, tmp_path).stated(["Q1"])["Q1"].statements) == 1


def test_more_than_fifty_are_asked_for_fifty_at_a_time(serve: Serve, tmp_path):
    server = serve(*(entity(f"Q{number}", f"Имя {number}") for number in range(1, 121)))
    kb = open_api(server.url, tmp_path)
    told = kb.stated([f"Q{number}" for number in range(1, 121)])
    assert [told[f"Q{number}"].revision for number in (1, 120)] == ["1001", "1120"]
    assert [len(asked["ids"].split("|")) for asked in server.asked] == [50, 50, 20]
    names = [f"Имя {number}" for number in range(1, 61)]
    assert ids(kb.search(names, "item")) == [[f"Q{number}"] for number in range(1, 61)]
    assert max(len(asked["ids"].split("|")) for asked in server.asked if "ids" in asked) == 50


def test_a_long_name_is_posted_and_one_too_long_for_wikidata_not_asked_for(serve: Serve, tmp_path):
    long, longer = "Щ" * 250, "Щ" * 251
    server = serve(entity("Q1", long))
    assert ids(open_api(server.url, tmp_path).search([long, longer, ""], "item")) == [["Q1"], [], []]
    searches = [asked for asked in server.asked if asked["action"] == "wbsearchentities"]
    assert [(asked["method"], asked["search"]) for asked in searches] == [("POST", long.lower())]


@pytest.mark.parametrize("name", ["a|b", "A&B=C", "100 % «да»", "Q1", "𝔸🦊", "a\u0000b"])
def test_a_name_of_odd_signs_reaches_the_server_as_it_is(serve: Serve, tmp_path, name):
    server = serve(entity("Q1", name))
    assert ids(open_api(server.url, tmp_path).search([name], "item")) == [["Q1"]]


@given(st.text(max_size=40))
def test_whatever_is_searched_for_a_name_folds_to_what_the_name_folds_to(name):
    assert {fold(term) for term in _terms(name)} <= {fold(name)}


def test_every_request_says_who_asks_and_gives_way_to_lag(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока"))
    kb = open_api(server.url, tmp_path, maxlag=7)
    kb.search(["Ока"], "item")
    kb.stated(["Q7"])
    assert {asked["action"] for asked in server.asked} == {"wbsearchentities", "wbgetentities"}
    assert {(asked["maxlag"], asked["path"]) for asked in server.asked} == {("7", "/w/api.php")}
    (agent,) = {asked["user-agent"] for asked in server.asked}
    assert agent.startswith("DragonPipeline/")
    assert f"({CONTACT})" in agent


def test_the_doctor_hears_of_server_cache_and_user_agent(serve: Serve, tmp_path):
    server = serve(entity("Q42", "Дуглас Адамс", lastrevid=196))
    kb = open_api(server.url, tmp_path)
    assert "revision 196" in kb.examine()
    kb.stated(["Q42", "Q5"])
    told = kb.examine()
    assert "2 answers" in told
    assert CONTACT in told
    server.close()
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1"):
        kb.examine()


def test_real_answers_are_read(serve: Serve, tmp_path, shared_data):
    real = {path.name: Reply(path.read_bytes()) for path in (shared_data / "wikidata").glob("api-*.json")}
    server = serve()
    kb = open_api(server.url, tmp_path)
    server.script.append(real["api-wbsearchentities-empty.json"])
    assert ids(kb.search(["нет такого"], "item")) == [[]]
    server.script.append(real["api-wbsearchentities-abc.json"])
    assert ids(kb.search(["abc"], "item")) == [[]]
    assert "Q169889" in server.asked[-1]["ids"].split("|")
    server.script.append(real["api-wbgetentities-Q6-Q42-P31.json"])
    told = kb.stated(["Q42", "Q6"])
    assert (told["Q6"].revision, told["Q42"].revision) == ("missing", "196015688")
    assert [(one.property, one.object) for one in told["Q42"].statements if one.property == "P31"] == [("P31", "Q5")]
    server.script.append(real["api-error.json"])
    assert kb.stated(["Q7"])["Q7"].revision == "missing"
    server.script.append(real["api-error-maxlag-full.json"])
    with pytest.raises(Unreachable, match=r"3\.45 seconds lagged"):
        kb.stated(["Q8"])
    server.script.append(real["api-wbgetentities-1234567890-missing.json"])
    with pytest.raises(Unreachable, match="Q9"):
        kb.stated(["Q9"])
