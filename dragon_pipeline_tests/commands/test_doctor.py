"""What `dragon doctor` says of the grammar check and the hub."""

import importlib.util
from pathlib import Path

import pytest

from dragon_pipeline.languages.ru.grammar import measured
from dragon_pipeline_tests.local_hub.answers import READ
from dragon_pipeline_tests.test_cli import dragon


def test_it_says_how_good_the_embedded_grammar_check_is(tmp_path: Path):
    told = dragon("doctor", home=tmp_path)
    assert told.returncode == 0, told.stderr
    reached = measured()["rucola_dev_mcc"]
    (line,) = [line for line in told.stdout.splitlines() if "RuCoLA dev" in line]
    assert "grammar" in line and "embedded" in line
    assert f"MCC {reached['in_domain']:.2f} in domain, {reached['out_of_domain']:.2f} out of domain (RuCoLA dev)" in line


def test_it_says_what_a_grammar_classifier_lacks_and_that_its_screen_will_not_run(tmp_path: Path):
    if importlib.util.find_spec("transformers"):
        pytest.skip("transformers is installed here")
    (tmp_path / "dragon.yaml").write_text("screens: {grammar: {engine: transformers, model: a/b, revision: c1}}")
    told = dragon("doctor", home=tmp_path)
    assert told.returncode == 1
    assert "transformers a/b c1" in told.stdout and "transformers is not installed" in told.stdout
    assert "no: see above" in told.stdout
    assert "grammar: see above" in told.stderr


def test_an_outlet_that_is_declared_nowhere_is_ill(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text("newsroom: {outlets: [lenta, lentaa]}")
    told = dragon("doctor", home=tmp_path)
    assert told.returncode == 1
    assert "no outlet `lentaa`" in told.stdout
    assert "articles in: see above" in told.stderr


@pytest.mark.slow
def test_it_says_where_releases_go_and_whether_the_token_may_write(tmp_path: Path, local_hub):
    chosen = {"DRAGON_RELEASE__HUB": "huggingface", "DRAGON_RELEASE__NAMESPACE": "bench", **local_hub.env}
    told = dragon("doctor", home=tmp_path, **chosen, DRAGON_RELEASE__ENDPOINT=local_hub.url)
    assert told.returncode == 0, told.stderr
    assert f"{local_hub.url}/bench, written to as maker; 0 versions" in told.stdout
    reading = {**chosen, "DRAGON_RELEASE__TOKEN_VARIABLE": "DRAGON_HUB_TOKEN", "DRAGON_HUB_TOKEN": READ}
    told = dragon("doctor", home=tmp_path, **reading, DRAGON_RELEASE__ENDPOINT=local_hub.url)
    assert told.returncode == 1
    assert "the token in DRAGON_HUB_TOKEN may not do this with bench: give it write access to bench" in told.stdout
    assert READ not in told.stdout + told.stderr
    assert "hub: see above" in told.stderr
