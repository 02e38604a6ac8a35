"""What our client finds out about a real vLLM, and why it does not take a schema's holding for granted."""

import json
import urllib.request

import pytest

from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.errors import Unreachable

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}},
    "required": ["city"],
    "additionalProperties": False,
}


def content(server, **more: object) -> str:
    """Of a reply to a request that our client has no part in."""
    messages = [{"role": "user", "content": "Tell me of a city."}]
    body = {"model": server.model, "messages": messages, "max_tokens": 40, "temperature": 0} | more
    request = urllib.request.Request(
        f"{server.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as reply:
        return json.load(reply)["choices"][0]["message"]["content"]


def test_it_is_known_for_what_it_is(server, tmp_path):
    found = open_model("judge", server.settings(), tmp_path / "replies.sqlite").probe()
    assert (found.kind, found.window, found.tokenizer, found.form) == ("vllm", 8192, True, "response_format")
    assert found.version and found.version[0].isdigit()
    assert found.models == (server.model,)


def test_a_model_that_it_does_not_offer_is_named_with_what_it_offers(server, tmp_path):
    model = open_model("judge", server.settings(model="another-model"), tmp_path / "replies.sqlite")
    with pytest.raises(Unreachable, match=f"other_model.*{server.model}"):
        model.probe()


def test_tokens_are_counted_as_it_counts_them(server, tmp_path):
    model = open_model("judge", server.settings(), tmp_path / "replies.sqlite")
    assert model.count(["", "city", "city city"]) == [0, 1, 2]
    assert model.count(["Завод в Казани"])[0] <= len("Завод в Казани".encode())


def test_the_old_way_to_tell_a_schema_is_ignored_without_a_word(server):
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(content(server, guided_json=SCHEMA))


@pytest.mark.parametrize(
    "told",
    [
        {"response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}},
        {"structured_outputs": {"json": SCHEMA}},
    ],
)
def test_the_ways_that_our_client_tries_hold(server, told):
    assert list(json.loads(content(server, **told))) == ["city"]
