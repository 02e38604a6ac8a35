from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.llm.call import Call, Sampling
from dragon_pipeline.core.language_model import Message, ModelRequest
from dragon_pipeline.core.settings import ModelSettings

TEXTS = st.text(st.characters(), max_size=6)
MESSAGES = st.lists(st.builds(Message, st.sampled_from(["system", "user", "assistant"]), TEXTS), min_size=1, max_size=3)
SCHEMAS = st.none() | st.dictionaries(TEXTS, st.integers() | TEXTS, max_size=3)
SAMPLINGS = st.builds(
    Sampling, st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.5, 1.0]), st.integers(0, 3), st.integers(1, 3)
)
CALLS = st.builds(Call, TEXTS, MESSAGES.map(tuple), SCHEMAS, SAMPLINGS)


def told(call):
    """Everything that changes a reply; the order of a schema's keys does."""
    return call.model, call.messages, repr(call.schema), call.sampling


@given(CALLS, CALLS)
def test_two_calls_have_one_key_exactly_when_they_are_the_same(one, other):
    assert (one.key == other.key) == (told(one) == told(other))


@given(CALLS, TEXTS)
def test_every_change_of_a_call_changes_its_key(call, text):
    more = [call.go_on(Message("user", text)), replace(call, model=call.model + "x"), replace(call, schema={"новое": [text]})]
    more += [replace(call, sampling=replace(call.sampling, **{name: 9})) for name in vars(call.sampling)]
    more += [replace(call, messages=(replace(call.messages[0], content=call.messages[0].content + "x"), *call.messages[1:]))]
    assert len({call.key, *(other.key for other in more)}) == len(more) + 1


def test_what_does_not_change_the_reply_does_not_change_the_key():
    request = ModelRequest((Message("user", "да?"),), {"type": "object"})
    one = ModelSettings(model="m")
    other = ModelSettings(
        model="m", url="http://127.0.0.1:1/v1", concurrency=2, timeout=1, attempts=1, price_prompt=3, window=512
    )
    assert Call.of(request, one).key == Call.of(request, other).key
    assert Call.of(replace(request, max_tokens=2048), one).key == Call.of(request, one).key
    assert Call.of(replace(request, max_tokens=2047), one).key != Call.of(request, one).key
