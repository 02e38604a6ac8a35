"""Classifiers in this process, where transformers is installed: `make models`."""

import importlib.util
import shutil
import subprocess
import sys

import pytest

from dragon_pipeline.adapters.grammar.transformers import TransformersGrammar
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import GrammarSettings

QUESTIONS = ["Кто открыл завод в Туле?", "Какой город посетил министр?", "Сколько стоит хлеб?"]
SECOND = ("acceptable", "unacceptable")


def check(model: str, **settings) -> TransformersGrammar:
    return TransformersGrammar(GrammarSettings(engine="transformers", model=model, **settings))


def scores(model: str, questions=QUESTIONS, **settings) -> list[float]:
    return [one.acceptable for one in check(model, **settings).check(questions)]


def test_a_missing_package_says_what_to_install():
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        pytest.skip("it is installed here")
    with pytest.raises(BadInput, match=r"pip install torch.*dragon-pipeline\[models\].*embedded"):
        check("RussianNLP/ruRoBERTa-large-rucola").check(QUESTIONS)


def test_importing_the_adapter_imports_no_torch():
    module = "dragon_pipeline.adapters.grammar.transformers"
    code = f"import sys, {module}; sys.exit(bool({{'torch', 'transformers'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_that_is_nowhere_says_so(tiny, tmp_path):
    with pytest.raises(BadInput, match=r"screens\.grammar\.model: .*none could not be loaded as a sequence classifier"):
        check(str(tmp_path / "none")).check(QUESTIONS)


def test_a_model_without_a_trained_classifier_is_refused(tiny):
    with pytest.raises(BadInput, match=r"has no trained classifier: its weights lack classifier\."):
        check(tiny("body", head=False)).check(QUESTIONS)


def test_a_model_of_three_labels_is_refused(tiny):
    with pytest.raises(BadInput, match="tells 3 labels apart"):
        check(tiny("three", labels=("a", "b", "c"))).check(QUESTIONS)


def test_labels_without_names_want_the_setting_and_obey_it(tiny):
    model = tiny("unnamed", labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(BadInput, match="say which label"):
        check(model).check(QUESTIONS)
    one, other = scores(model, acceptable="LABEL_1"), scores(model, acceptable="0")
    assert [a + b for a, b in zip(one, other, strict=True)] == pytest.approx([1] * len(QUESTIONS), abs=1e-3)
    assert one != other


def test_the_label_s_name_decides_and_not_its_place(tiny):
    first, second = scores(tiny()), scores(tiny("turned", labels=SECOND))
    assert [a + b for a, b in zip(first, second, strict=True)] == pytest.approx([1] * len(QUESTIONS), abs=1e-3)


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_the_size_of_a_batch_changes_nothing(tiny, batch):
    assert scores(tiny(), batch=batch) == scores(tiny())


def test_the_same_weights_give_the_same_scores_when_loaded_again(tiny):
    assert scores(tiny()) == scores(tiny())


def test_what_is_longer_than_the_model_reads_is_cut_by_its_tokenizer(tiny):
    long = "завод " * 3000
    assert scores(tiny(), [long]) == scores(tiny(), [long + "министр?"])


def test_a_folder_goes_by_its_own_name_and_what_it_holds_not_by_its_path(tiny, tmp_path):
    copy = tmp_path / "elsewhere" / "tiny"
    shutil.copytree(tiny(), copy)
    assert check(str(copy)).name == check(tiny()).name
    assert check(tiny()).name.startswith("transformers tiny@")
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    assert check(str(copy)).name != check(tiny()).name


def test_the_name_tells_revision_and_chosen_label(tiny):
    name = check("RussianNLP/ruRoBERTa-large-rucola", revision="abc", acceptable="LABEL_1").name
    assert name == "transformers RussianNLP/ruRoBERTa-large-rucola@abc; LABEL_1 is acceptable"


def test_it_says_what_was_loaded_and_where(tiny):
    assert check(tiny(), device="cpu").examine() == "revision of a folder, on cpu, acceptable is acceptable"


def test_a_device_that_is_not_there_is_named(tiny):
    with pytest.raises(BadInput, match=r"screens\.grammar\.device: cuda:7 cannot be used"):
        check(tiny(), device="cuda:7").check(QUESTIONS)
