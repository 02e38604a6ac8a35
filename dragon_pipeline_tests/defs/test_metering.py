from typing import Any

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.language_model import Message, ModelReply, ModelRequest, losses
from dragon_pipeline.core.settings import ModelSettings, Settings
from dragon_pipeline.defs.metering import Meter, answered_result, recipe

ASKED = ModelRequest((Message("user", "Сколько?"),))


def test_only_what_is_asked_after_the_start_counts():
    model = FakeLanguageModel("judge", lambda request: "2")
    model.complete([ASKED])
    meter = Meter([model, model])
    assert Meter([model]).metadata()["model requests"] == 0
    model.complete([ASKED, ModelRequest((Message("user", "Где?"),))])
    assert meter.metadata()["model requests"] == 2
    assert "judge" in str(meter.metadata()["models"].value)


def test_rules_have_no_models_to_show():
    assert Meter([]).metadata() == {}
    assert answered_result("qa", Meter([]).losses(["no_wording"]), Settings()).description == "no model was asked"


def test_a_share_of_lost_calls_is_of_calls_however_many_rows_stand_behind_them():
    answers = iter(["да", ModelReply(reason="timeout: 5 s")])
    model: Any = FakeLanguageModel("extractor", lambda request: next(answers))
    meter = Meter([model])
    model.complete([ASKED, ModelRequest((Message("user", "Кто?"),))])
    lost = meter.losses(["timeout: 5 s", "timeout: 5 s", "timeout: 5 s", None])
    assert (lost.asked, lost.share) == (2, 0.5)
    told = answered_result("triplets", lost, Settings())
    assert not told.passed
    assert "timeout 3" in str(told.description)


def test_reasons_that_are_no_outage_do_not_count():
    lost = losses(["against_schema: a", "no_wording", None, "no_connection"], 4)
    assert (lost.reasons, lost.share) == ({"no_connection": 1}, 0.25)


def test_a_recipe_names_model_and_sampling_but_no_address_and_no_key():
    model = ModelSettings(model="m", url="http://bob:secret@card/v1", key_variable="KEY", temperature=0.2)
    told = str(recipe([], judge=model, writer=None))
    assert "'temperature': 0.2" in told and "'writer': 'rules'" in told
    assert "card" not in told and "KEY" not in told
