import pytest

from dragon_pipeline.adapters.grammar.labels import acceptable_label
from dragon_pipeline.core.errors import BadInput

UNNAMED = {0: "LABEL_0", 1: "LABEL_1"}


@pytest.mark.parametrize(
    ("labels", "index"),
    [
        ({0: "unacceptable", 1: "acceptable"}, 1),
        ({0: "acceptable", 1: "unacceptable"}, 0),
        ({0: "Acceptable", 1: "not acceptable"}, 0),
        ({0: "UNGRAMMATICAL", 1: "GRAMMATICAL"}, 1),
        ({0: "correct", 1: "incorrect"}, 0),
    ],
)
def test_names_tell(labels, index):
    assert acceptable_label("some/model", labels) == index


@pytest.mark.parametrize("model", ["RussianNLP/ruRoBERTa-large-rucola", "/models/s-nlp/ruRoberta-large-RuCoLa-v1"])
def test_known_checkpoints_need_no_setting(model):
    assert acceptable_label(model, UNNAMED) == 1


@pytest.mark.parametrize("labels", [UNNAMED, {0: "0", 1: "1"}, {0: "acceptable", 1: "toxic"}, {0: "correct", 1: "acceptable"}])
def test_what_names_do_not_tell_is_asked_for_and_not_guessed(labels):
    with pytest.raises(BadInput, match=r"screens\.grammar\.acceptable: say which label of some/model means acceptable"):
        acceptable_label("some/model", labels)


def test_a_known_checkpoint_with_other_labels_is_not_taken_for_itself():
    with pytest.raises(BadInput, match="say which label"):
        acceptable_label("RussianNLP/ruRoBERTa-large-rucola", {0: "a", 1: "b"})


@pytest.mark.parametrize(("chosen", "index"), [("LABEL_0", 0), ("LABEL_1", 1), ("0", 0), ("1", 1)])
def test_the_setting_goes_before_everything(chosen, index):
    assert acceptable_label("RussianNLP/ruRoBERTa-large-rucola", UNNAMED, chosen) == index


def test_a_label_s_name_goes_before_its_index():
    assert acceptable_label("some/model", {0: "1", 1: "0"}, "1") == 0


def test_a_label_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(BadInput, match="good is no label of some/model; it has LABEL_0 and LABEL_1"):
        acceptable_label("some/model", UNNAMED, "good")


@pytest.mark.parametrize("labels", [{0: "LABEL_0"}, {0: "acceptable", 1: "unacceptable", 2: "other"}])
def test_only_two_labels_will_do(labels):
    with pytest.raises(BadInput, match=f"tells {len(labels)} labels apart"):
        acceptable_label("some/model", labels, "0")
