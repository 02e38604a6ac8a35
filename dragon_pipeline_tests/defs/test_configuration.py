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
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, told: str):
    (tmp_path / "dragon.yaml").write_text(text)
    with pytest.raises(BadInput, match=told):
        load_settings(Home(tmp_path), {})


def test_a_misspelt_variable_is_named(tmp_path: Path):
    with pytest.raises(BadInput, match=r"release\.min_qestions"):
        load_settings(Home(tmp_path), {"DRAGON_RELEASE__MIN_QESTIONS": "3"})
