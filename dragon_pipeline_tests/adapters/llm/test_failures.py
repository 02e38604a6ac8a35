"""A server that misbehaves: rows fail with reasons, the others go on, and a re-run asks for the failed ones only."""

import json
import socket
import threading
import time

import pytest

from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline_tests.adapters.llm.model_server import Raw, Written, ask, failing, last, only_for

WORD = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"], "additionalProperties": False}
HTML = Raw(200, b"<html><body><h1>Sign in</h1></body></html>", {"Content-Type": "text/html"})


def failing_at_first(times, bad, good="да"):
    """As seen by each request."""
    seen = {}

    def answer(body):
        seen[last(body)] = seen.get(last(body), 0) + 1
        return bad if seen[last(body)] <= times else good

    return answer


@pytest.fixture
def nobody():
    """An address where nothing listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{unused.getsockname()[1]}/v1"


def test_a_server_that_is_down_costs_patience_once_and_loses_every_row(world, nobody):
    model = world.model(None, url=nobody, patience=1)
    began = time.monotonic()
    replies = model.complete([ask(f"слово {number}") for number in range(50)])
    assert 1 <= time.monotonic() - began < 5
    assert replies[0].reason.startswith("no_connection: ")
    assert {reply.reason.split(":")[0] for reply in replies[1:]} == {"given_up"}
    assert all(reply.lost and reply.text is None for reply in replies)
    assert (model.usage.requests, model.usage.lost, model.usage.unreadable) == (50, 50, 0)
    began = time.monotonic()
    assert model.complete([ask("ещё")])[0].lost
    assert time.monotonic() - began < 0.9, "who was given up is not waited for again"


def test_a_server_that_is_down_and_never_told_its_window_is_unreachable(world, nobody):
    model = world.model(None, url=nobody, patience=0.2)
    with pytest.raises(Unreachable, match=r"extractor: m at http://127.0.0.1:\d+/v1 does not answer \(no_connection"):
        _ = model.window
    assert model.count(["слово"]) == [10], "without a tokenizer bytes are the bound"
    assert world.model(None, url=nobody, window=512).window == 512


def test_a_server_that_dies_in_mid_batch_loses_the_rest_at_once(world):
    server = world.serve(answer=lambda body: "да")
    model = world.model(server, patience=1, concurrency=2)
    assert model.complete([ask("раз")])[0].text == "да"
    world.stop(server)
    began = time.monotonic()
    replies = model.complete([ask("раз"), *(ask(f"слово {number}") for number in range(200))])
    assert time.monotonic() - began < 5
    assert replies[0].text == "да"
    assert {reply.reason.split(":")[0] for reply in replies[1:]} == {"no_connection", "given_up"}


def test_a_server_that_comes_back_within_patience_loses_nothing(world):
    server = world.serve(answer=lambda body: "да")
    port = server.server_port
    model = world.model(server, patience=20, attempts=1)
    model.complete([ask("раз")])
    world.stop(server)
    threading.Timer(1.2, lambda: world.serve(answer=lambda body: "снова", port=port)).start()
    assert [reply.text for reply in model.complete([ask("раз"), ask("два")])] == ["да", "снова"]


def test_a_row_lost_at_the_end_of_one_batch_does_not_cost_the_next_its_patience(world):
    server = world.serve(answer=failing_at_first(1, Raw(500, b"")))
    model = world.model(server, patience=0.4, attempts=1)
    assert model.complete([ask("раз")])[0].lost
    time.sleep(0.5)
    server.answer = failing_at_first(1, Raw(500, b""), good="два")
    replies = model.complete([ask(f"слово {number}") for number in range(30)])
    assert {reply.reason for reply in replies} == {"http_error: 500"}, "each was tried, none was given up"


def test_a_slow_answer_is_a_timeout_and_the_others_go_on(world):
    server = world.serve(answer=only_for("слово 3", Written("поздно", delay=4)))
    model = world.model(server, timeout=1.5, attempts=2, patience=30)
    replies = model.complete([ask(f"слово {number}") for number in range(8)])
    assert replies[3].reason == "timeout: no answer within 1.5 s" and replies[3].lost
    assert [reply.text for reply in replies if not reply.reason] == ["да"] * 7
    assert server.prompts.count("слово 3") == 2
    assert model.usage.retries == 1


def test_html_with_status_200_is_not_json_and_not_asked_again(world):
    server = world.serve(answer=only_for("слово 3", HTML))
    replies = world.model(server).complete([ask(f"слово {number}") for number in range(5)])
    assert replies[3].reason == "not_json: Sign in" and replies[3].lost
    assert server.prompts.count("слово 3") == 1
    assert sum(reply.text == "да" for reply in replies) == 4


def test_a_proxy_that_answers_everything_with_html_loses_every_row_without_patience(world):
    server = world.serve("openai", answer=lambda body: HTML)
    began = time.monotonic()
    replies = world.model(server, patience=60).complete([ask("раз"), ask("два")])
    assert {reply.reason for reply in replies} == {"not_json: Sign in"}
    assert time.monotonic() - began < 5


def test_a_connection_cut_in_the_body_is_tried_again(world):
    cut = Raw(200, b'{"choices": [{"mess', {"Content-Type": "application/json"}, cut=True)
    server = world.serve(answer=failing_at_first(1, cut))
    model = world.model(server, patience=30)
    assert [reply.text for reply in model.complete([ask("раз"), ask("два")])] == ["да", "да"]
    assert model.usage.retries == 2
    lost = world.serve(answer=only_for("слово", cut))
    assert world.model(lost, attempts=2, patience=30).complete([ask("слово")])[0].reason.startswith("no_connection: ")


def test_truncated_json_of_full_length_is_not_json(world):
    server = world.serve(answer=only_for("раз", Raw(200, b'{"choices": [{"mess')))
    assert world.model(server).complete([ask("раз")])[0].reason == 'not_json: {"choices": [{"mess'


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b'{"choices": []}', b'{"choices": [{"message": null}]}', b'{"choices": 7}', b"\xff"]
)
def test_json_without_a_message_is_not_json(world, body):
    server = world.serve(answer=only_for("раз", Raw(200, body)))
    replies = world.model(server).complete([ask("раз"), ask("два")])
    assert replies[0].reason.startswith("not_json: ")
    assert replies[1].text == "да"


def test_a_loop_on_white_space_is_told_from_a_reply_that_is_cut_off(world):
    said = {"раз": Written('{"word": ' + "\n" * 60, "length"), "два": Written('{"word": "и так далее', "length"),
            "три": Written('{"word": "целое"}' + " " * 50, "length"), "пять": Written("и так далее", "length")}  # fmt: skip
    server = world.serve(answer=lambda body: said[last(body)])
    model = world.model(server)
    replies = model.complete([ask("раз", WORD), ask("два", WORD), ask("три", WORD), ask("пять")])
    assert [reply.reason for reply in replies] == ["endless_whitespace", "cut_off", None, "cut_off"]
    assert replies[1].text == '{"word": "и так далее' and not replies[1].lost
    assert replies[2].value == {"word": "целое"}
    assert model.usage.unreadable == 3


def test_another_models_name_in_the_reply_is_told(world):
    server = world.serve(answer=only_for("раз", Written("да", model="tiny-other")))
    replies = world.model(server).complete([ask("раз"), ask("два")])
    assert replies[0].reason == "other_model: tiny-other" and replies[0].lost
    assert replies[1].text == "да"


def test_a_model_that_the_server_does_not_offer_is_not_asked_for(world):
    server = world.serve(model="other")
    assert world.model(server).complete([ask("раз")])[0].reason == "other_model: the server offers other"
    assert server.asked == [] and server.probes == []


@pytest.mark.parametrize(
    "status, message",
    [
        (400, {"object": "error", "message": "This model's maximum context length is 64 tokens. However, you requested 99."}),
        (400, {"error": {"type": "exceed_context_size_error", "message": "the request exceeds the available context size"}}),
        (400, {"error": "prompt is too long: the input length exceeds the context length"}),
    ],
)
def test_a_request_that_does_not_fit_the_window_is_told_and_not_asked_again(world, status, message):
    server = world.serve(answer=only_for("раз", Raw(status, json.dumps(message).encode())))
    replies = world.model(server).complete([ask("раз"), ask("два")])
    assert replies[0].reason.startswith("window_exceeded: ") and not replies[0].lost
    assert replies[1].text == "да"
    assert server.prompts.count("раз") == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_request_that_the_server_does_not_like_is_unreadable_not_asked_again_and_says_why(world, status):
    server = world.serve(answer=only_for("раз", failing(status, {"detail": "lone surrogates are not allowed"})))
    model = world.model(server)
    replies = model.complete([ask("раз"), ask("два")])
    assert [reply.reason for reply in replies] == [f"bad_request: {status} lone surrogates are not allowed", None]
    assert server.prompts.count("раз") == 1
    assert (model.usage.unreadable, model.usage.lost) == (1, 0), "it must not stop the day for ever"


AZURE = {
    "error": {
        "message": "The prompt triggered a management policy.",
        "param": "prompt",
        "code": "content_filter",
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
}


@pytest.mark.parametrize(
    "status, body, told",
    [
        (400, AZURE, "The prompt triggered a management policy."),
        (400, {"error": {"code": "data_inspection_failed", "message": "Not this input."}}, "Not this input."),
        (403, {"code": "No permission", "error": "Content violates usage guidelines."}, "Content violates usage guidelines."),
        (422, {"error": {"type": "content_policy_violation", "message": "Rejected"}}, "Rejected"),
        (200, {"error": {"code": 403, "message": "This requires moderation"}}, "This requires moderation"),
    ],
)  # fmt: skip
def test_a_request_against_the_servers_content_policy_is_refused_and_does_not_count_as_an_outage(world, status, body, told):
    server = world.serve(answer=only_for("раз", failing(status, body)))
    replies = world.model(server).complete([ask("раз"), ask("два")])
    assert [reply.reason for reply in replies] == [f"refused: {told}", None]
    assert not replies[0].lost and server.prompts.count("раз") == 1


@pytest.mark.parametrize(
    "status, message",
    [(401, "no such key"), (402, "no money left"), (403, "this key may not use m"), (404, "Not Found"), (405, "use GET")],
)
def test_what_is_wrong_with_the_settings_is_an_outage(world, status, message):
    server = world.serve(answer=only_for("раз", failing(status, {"error": {"message": message}})))
    reply = world.model(server).complete([ask("раз")])[0]
    assert reply.reason == f"http_error: {status} {message}" and reply.lost
    assert server.prompts.count("раз") == 1


def test_a_setting_that_the_server_does_not_take_is_an_outage_not_the_requests_fault(world):
    fault = {"error": {"message": "max_tokens is too large: 64", "param": "max_tokens", "code": "invalid_value"}}
    server = world.serve(answer=lambda body: failing(400, fault))
    assert world.model(server).complete([ask("раз")])[0].reason == "http_error: 400 max_tokens is too large: 64"


@pytest.mark.parametrize("said", [failing(400, {"error": "temperature must be 1"}), failing(403, AZURE), failing(422, {})])
def test_a_server_that_refuses_the_plainest_request_is_taken_for_out_of_order(world, said):
    server = world.serve("openai", answer=lambda body: said)
    model = world.model(server, temperature=0.3)
    replies = model.complete([ask("раз"), ask("два")])
    assert {reply.reason[:15] for reply in replies} == {f"http_error: {said.status}"} and all(reply.lost for reply in replies)
    assert server.asked == []
    assert {body["temperature"] for body in server.probes} == {0.3}, "the probe says what the requests would"


@pytest.mark.parametrize(
    "status, error",
    [
        (404, {"object": "error", "message": "The model `m` does not exist.", "type": "NotFoundError", "code": 404}),
        (404, {"error": {"message": "You have no access to it", "code": "model_not_found"}}),
        (404, {"error": 'model "m" not found, try pulling it first'}),
        (400, {"error": {"message": "Model Not Exist"}}),
        (400, {"error": {"message": "m is not a valid model ID"}}),
    ],
)
def test_a_model_that_the_server_turns_out_not_to_have_is_told_plainly(world, status, error):
    server = world.serve("openai", answer=lambda body: failing(status, error))
    model = world.model(server)
    replies = model.complete([ask("раз"), ask("два")])
    assert {reply.reason.split(":")[0] for reply in replies} == {"other_model"} and all(reply.lost for reply in replies)
    with pytest.raises(
        Unreachable, match=r"extractor: http://[\d.:]+/v1 has no model m \(other_model: .*\): set url and model of"
    ):
        model.probe()


def test_500_then_fine_is_fine(world):
    server = world.serve(answer=failing_at_first(1, Raw(500, b"Internal Server Error")))
    model = world.model(server, patience=30)
    replies = model.complete([ask(f"слово {number}") for number in range(4)])
    assert [reply.text for reply in replies] == ["да"] * 4
    assert model.usage.retries == 4


def test_500_for_ever_is_lost_after_as_many_attempts_as_set(world):
    server = world.serve(answer=only_for("раз", Raw(500, b"<h1>Internal Server Error</h1>")))
    replies = world.model(server, attempts=3, patience=30).complete([ask("раз"), ask("два")])
    assert [reply.reason for reply in replies] == ["http_error: 500 Internal Server Error", None]
    assert server.prompts.count("раз") == 3


def test_garbage_is_repaired_once_and_the_repair_is_kept(world):
    said = {}

    def answer(body):
        first = len(body["messages"]) == 2
        said.setdefault(first, []).append(body["messages"])
        return "Вот слово: дом" if first else '{"word": "дом"}'

    server = world.serve(answer=answer)
    model = world.model(server)
    assert model.complete([ask("назови", WORD)])[0].value == {"word": "дом"}
    told = said[False][0]
    assert told[:2] == said[True][0], "the conversation goes on"
    assert (told[2]["role"], told[2]["content"]) == ("assistant", "Вот слово: дом")
    assert "Expecting value" in told[3]["content"] and json.dumps(WORD) in told[3]["content"]
    assert (model.usage.repaired, model.usage.requests) == (1, 1)
    world.stop(server)
    assert world.model(server).complete([ask("назови", WORD)])[0].value == {"word": "дом"}


def test_garbage_twice_is_unreadable_with_the_raw_text_and_asked_for_again_by_the_next_run(world):
    server = world.serve(answer=only_for("раз", "мусор", '{"word": 7}'))
    model = world.model(server)
    requests = [ask("раз", WORD), ask("два", WORD)]
    replies = model.complete(requests)
    assert [reply.reason for reply in replies] == [
        "against_schema: $.word 7 is not of type 'string'", "against_schema: $.word 7 is not of type 'string'"]  # fmt: skip
    assert [reply.text for reply in replies] == ['{"word": 7}', '{"word": 7}']
    assert (model.usage.unreadable, model.usage.lost, len(server.asked)) == (2, 0, 4)
    server.answer = lambda body: '{"word": "дом"}'
    assert [reply.value for reply in world.model(server).complete(requests)] == [{"word": "дом"}] * 2


def test_a_rerun_does_only_the_failed_ones(world):
    server = world.serve(answer=only_for("слово 3", Raw(500, b"")))
    requests = [ask(f"слово {number}") for number in range(6)]
    assert [reply.lost for reply in world.model(server, attempts=1).complete(requests)] == [False] * 3 + [True] + [False] * 2
    server.answer, server.asked = lambda body: "да", []
    assert [reply.text for reply in world.model(server).complete(requests)] == ["да"] * 6
    assert server.prompts == ["слово 3"]


def test_a_redirect_is_not_followed_and_no_key_leaves_the_host(world):
    thief = world.serve("openai")
    moved = Raw(307, b"", {"Location": thief.url + "/chat/completions"})
    server = world.serve("openai", answer=only_for("раз", moved))
    model = world.model(server, key="sk-very-secret")
    assert [reply.reason for reply in model.complete([ask("раз"), ask("два")])] == ["http_error: 307", None]
    assert server.keys == {"Bearer sk-very-secret"} and thief.paths == []


def test_the_key_is_nowhere_but_in_the_header(world, caplog):
    caplog.set_level("DEBUG")
    said = Raw(401, b'{"error": {"message": "Incorrect API key provided: sk-very-secret"}}')
    server = world.serve("openai", answer=lambda body: said)
    model = world.model(server, key="sk-very-secret")
    replies = model.complete([ask("раз")])
    assert replies[0].reason == "http_error: 401 Incorrect API key provided: ***"
    with pytest.raises(Unreachable) as away:
        model.probe()
    told = f"{model!r} {away.value} {caplog.text} {replies}"
    assert "very-secret" not in told
    assert all(b"very-secret" not in path.read_bytes() for path in world.folder.iterdir())
