"""One suite over the fake and the real client: what core.language_model.LanguageModel promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.language_model import ModelReply, Usage
from dragon_pipeline_tests.adapters.llm.model_server import ask

WORD = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
SAID = {"дом": '{"word": "дом"}', "мусор": "мусор", "число": '{"word": 7}', "пусто": "", "текст": "просто текст"}


@pytest.fixture(params=["fake", "served"])
def model(request, world):
    if request.param == "fake":
        return FakeLanguageModel(
            "extractor", lambda asked: SAID[asked.messages[-1].content], name="m", window=4096, reply_tokens=64
        )

    def answer(body):
        return SAID.get(body["messages"][-1]["content"], "опять мусор")

    return world.model(world.serve(answer=answer))


def test_it_says_who_it_is_and_what_it_holds(model):
    assert (model.name, model.role, model.window, model.reply_tokens) == ("m", "extractor", 4096, 64)


def test_every_request_gets_its_reply_in_order(model):
    asked = [ask("дом", WORD), ask("текст"), ask("мусор", WORD), ask("пусто"), ask("дом", WORD)]
    replies = model.complete(asked)
    assert [reply.value for reply in replies] == [{"word": "дом"}, None, None, None, {"word": "дом"}]
    assert [reply.text for reply in replies[:2]] == ['{"word": "дом"}', "просто текст"]
    assert [(reply.reason or "").split(":")[0] for reply in replies] == ["", "", "invalid_json", "empty", ""]
    assert not any(reply.lost for reply in replies)
    assert model.complete([]) == []


def test_equal_requests_are_paid_once_and_counted(model):
    model.complete([ask("дом", WORD), ask("текст")])
    paid = model.usage
    assert (paid.requests, paid.cached) == (2, 0) and paid.prompt_tokens > 0 and paid.reply_tokens > 0
    again = model.complete([ask("дом", WORD), ask("дом", WORD)])
    assert [reply.value for reply in again] == [{"word": "дом"}] * 2
    assert model.usage - paid == Usage(requests=2, cached=2)


def test_what_could_not_be_read_is_asked_for_again(model):
    assert model.complete([ask("число", WORD)])[0].reason
    assert model.usage.unreadable == 1
    model.complete([ask("число", WORD)])
    assert (model.usage.unreadable, model.usage.cached) == (2, 0)


def test_tokens_are_counted_for_each_text(model):
    assert [number > 0 for number in model.count(["раз два", "три"])] == [True, True]
    assert list(model.count([])) == []


def test_the_fake_gives_the_replies_that_it_is_told():
    lost = ModelReply(reason="no_connection: refused")
    fake = FakeLanguageModel("judge", lambda asked: lost if asked.messages[-1].content == "раз" else {"word": "дом"})
    assert fake.complete([ask("раз"), ask("два", WORD)]) == [lost, ModelReply('{"word": "дом"}', {"word": "дом"})]
    assert (fake.usage.lost, fake.usage.requests) == (1, 2)
    assert fake.asked == [ask("раз"), ask("два", WORD)]


NUMBERS = st.integers(0, 10**6)
USAGES = st.builds(Usage, *[NUMBERS] * 9, NUMBERS.map(float), NUMBERS.map(float))


@given(USAGES, USAGES, USAGES)
def test_usage_adds_and_subtracts(one, two, three):
    assert one + two == two + one and (one + two) + three == one + (two + three)
    assert one + Usage() == one and (one + two) - two == one
