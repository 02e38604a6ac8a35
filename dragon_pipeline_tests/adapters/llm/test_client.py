import json

from dragon_pipeline_tests.adapters.llm.model_server import ask

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
