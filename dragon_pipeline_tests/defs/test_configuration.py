from pathlib import Path

import pytest

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.configuration import load_settings
from dragon_pipeline.home import Home


def test_a_home_without_a_file_has_the_defaults(tmp_path: Path):
    assert load_settings(Home(tmp_path), {}) == Settings()


def test_a_variable_goes_over_the_file(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text("release: {min_questions: 3, namespace: mine}\nseed: 5\n")
    found = load_settings(Home(tmp_path), {"DRAGON_RELEASE__MIN_QUESTIONS": "30", "DRAGON_HOME": "x", "PATH": "y"})
    assert (found.release.min_questions, found.release.namespace, found.seed) == (30, "mine", 5)


def test_a_list_can_be_given_by_a_variable(tmp_path: Path):
    assert load_settings(Home(tmp_path), {"DRAGON_EVALUATION__BASELINES": "[bm25]"}).evaluation.baselines == ("bm25",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("release: {min_qestions: 3}", "release.min_qestions"),
        ("seed: -1", "seed"),
        ("first_day: tomorrow", "first_day"),
        ("[1, 2]", "must hold settings"),
        ("a: [", "not YAML"),
        ("newsroom: {outlts: [lenta]}", r"newsroom\.outlts: there is no such setting"),
        ("newsroom: {gateway_shows_days: true}", "newsroom: `gateway_shows_days` is said of a `gateway`, and there is none"),
        ("newsroom: {outlets: lenta}", r"newsroom\.outlets: must be a list, such as \[a, b\]"),
        (
            "newsroom: {gateway: '127.0.0.1:80'}",
            r"newsroom\.gateway: '127\.0\.0\.1:80' is no address like http://proxy\.example:3128",
        ),
        (
            "newsroom: {sites: [{name: hill, feeds: ['file:///rss']}]}",
            r"newsroom\.sites\.0\.feeds: 'file:///rss' is no address",
        ),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, told: str):
    (tmp_path / "dragon.yaml").write_text(text)
    with pytest.raises(BadInput, match=told):
        load_settings(Home(tmp_path), {})


@pytest.mark.parametrize(("named", "found"), [("own.pem", "{home}/own.pem"), ("/etc/own.pem", "/etc/own.pem")])
def test_an_authority_is_looked_for_in_the_home(tmp_path: Path, named: str, found: str):
    (tmp_path / "dragon.yaml").write_text(f"newsroom: {{ca_file: {named}}}")
    assert load_settings(Home(tmp_path), {}).newsroom.ca_file == found.format(home=tmp_path)


def test_a_misspelt_variable_is_named(tmp_path: Path):
    with pytest.raises(BadInput, match=r"release\.min_qestions"):
        load_settings(Home(tmp_path), {"DRAGON_RELEASE__MIN_QESTIONS": "3"})


def test_a_profile_lies_under_the_file_and_its_lists_are_replaced_whole(tmp_path: Path):
    judge = "models: {judge: {url: http://card:9/v1}, closed_book: []}"
    (tmp_path / "dragon.yaml").write_text(f"profile: paper\nwikidata: {{contact: me@example.org}}\n{judge}\n")
    found = load_settings(Home(tmp_path), {})
    assert found.models.judge and found.models.judge.url == "http://card:9/v1"
    assert found.models.judge.model == "ai-forever/pollux-judge-7b"
    assert found.models.closed_book == ()
    assert found.models.extractor and "Llama-3.3-70B" in found.models.extractor.model
    assert found.wikidata.source == "api"
    assert found.screens.grammar.model == "RussianNLP/ruRoBERTa-large-rucola"


def test_an_unknown_profile_is_named(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text("profile: cluster")
    with pytest.raises(BadInput, match="profile: 'cluster' is none of embedded, paper"):
        load_settings(Home(tmp_path), {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models: {extractor: {model: m}}", "models.extractor needs models.writer"),
        ("embedder: {engine: server}", "say which model `server` is to use"),
        ("screens: {grammar: {engine: transformers}}", "screens.grammar.model: say which model"),
        ("wikidata: {source: index}", "say which file"),
        ("wikidata: {source: api}", "Wikidata asks who calls"),
    ],
)
def test_a_setting_that_lacks_another_says_which(tmp_path: Path, text: str, told: str):
    (tmp_path / "dragon.yaml").write_text(text)
    with pytest.raises(BadInput, match=told):
        load_settings(Home(tmp_path), {})


def test_a_variable_that_is_no_yaml_is_named(tmp_path: Path):
    with pytest.raises(BadInput, match="DRAGON_MODELS__JUDGE is not YAML"):
        load_settings(Home(tmp_path), {"DRAGON_MODELS__JUDGE": "{url: a"})


def test_a_variable_that_holds_a_key_is_no_setting(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text("models: {judge: {model: m, key_variable: DRAGON_KEY}}")
    found = load_settings(Home(tmp_path), {"DRAGON_KEY": "sk-1: secret"})
    assert found.models.judge and found.models.judge.key_variable == "DRAGON_KEY"
    assert "sk-1" not in found.model_dump_json()
