import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

import pytest

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.language_model import ModelReply
from dragon_pipeline_tests.adapters.llm.model_server import Written, ask

WORD = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"], "additionalProperties": False}


def test_a_second_run_with_the_server_down_answers_everything_from_the_cache(world):
    server = world.serve(answer=lambda body: json.dumps({"word": body["messages"][-1]["content"]}))
    requests = [ask(f"слово {number}", WORD) for number in range(20)]
    first = world.model(server)
    replies = first.complete(requests)
    assert [reply.value for reply in replies] == [{"word": f"слово {number}"} for number in range(20)]
    assert (first.window, first.count(["раз два три"])) == (4096, [3])
    world.stop(server)
    second = world.model(server)
    assert second.complete(requests) == replies
    assert (second.usage.requests, second.usage.cached, second.usage.prompt_tokens) == (20, 20, 0)
    assert (second.window, second.count(["раз два три"])) == (4096, [3])


def test_duplicates_are_paid_once(world):
    server = world.serve(answer=lambda body: "да")
    model = world.model(server)
    replies = model.complete([ask("раз"), ask("два"), ask("раз"), ask("раз")])
    assert [reply.text for reply in replies] == ["да"] * 4
    assert sorted(server.prompts) == ["два", "раз"]
    assert (model.usage.requests, model.usage.cached, model.usage.prompt_tokens) == (4, 2, 4)


def test_as_many_requests_are_in_flight_as_set_and_no_more(world):
    server = world.serve(answer=lambda body: Written("да", delay=0.05))
    world.model(server, concurrency=5).complete([ask(f"слово {number}") for number in range(40)])
    assert server.most_at_once == 5


def test_it_can_be_called_from_inside_a_running_loop(world):
    server = world.serve(answer=lambda body: "да")
    model = world.model(server)

    async def step():
        return model.complete([ask("раз")]), model.window, model.count(["раз два"])

    assert asyncio.run(step()) == ([ModelReply("да")], 4096, [2])


def test_threads_may_share_a_model(world):
    server = world.serve(answer=lambda body: body["messages"][-1]["content"])
    model = world.model(server)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda part: model.complete([ask(f"{part} {n}") for n in range(10)]), range(4)))
    assert [[reply.text for reply in replies] for replies in told] == [[f"{part} {n}" for n in range(10)] for part in range(4)]
    assert (model.usage.requests, len(server.asked)) == (40, 40)


def test_usage_tells_tokens_of_the_prefix_cache_and_seconds(world):
    server = world.serve(answer=lambda body: Written("да и нет", delay=0.1))
    model = world.model(server)
    model.complete([ask("раз два"), ask("три")])
    used = model.usage
    assert (used.prompt_tokens, used.prefix_tokens, used.reply_tokens, used.requests) == (5, 2, 6, 2)
    assert 0.1 <= used.seconds < 5


def test_a_request_may_ask_for_less_than_the_settings_allow(world):
    server = world.serve(answer=lambda body: "да")
    world.model(server).complete([ask("раз", max_tokens=7), ask("раз")])
    assert sorted(body["max_tokens"] for body in server.asked) == [7, 64]


def test_half_a_character_in_an_article_does_not_stop_the_batch(world):
    server = world.serve(answer=lambda body: "да")
    assert world.model(server).complete([ask("кусок \ud83d")])[0].text == "да"


def test_a_mapping_of_any_kind_is_a_schema(world):
    server = world.serve(answer=lambda body: None)
    assert world.model(server).complete([ask("раз", MappingProxyType(WORD))])[0].value == {"word": "х"}


def test_an_address_without_a_scheme_is_refused_when_it_is_made(world):
    with pytest.raises(BadInput, match=r"models\.extractor\.url is '127\.0\.0\.1:8000/v1': write it with http://"):
        world.model(None, url="127.0.0.1:8000/v1")


def test_a_key_with_a_line_end_is_sent_without_it(world):
    server = world.serve(answer=lambda body: "да")
    assert world.model(server, key="sk-1\n").complete([ask("раз")])[0].text == "да"
    assert server.keys == {"Bearer sk-1"}
