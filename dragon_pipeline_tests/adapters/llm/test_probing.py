"""What kind of server it is, and whether the schema that it is told holds."""

import json

import pytest

from dragon_pipeline.adapters.llm.dialects import same_model
from dragon_pipeline.adapters.llm.probing import ASSUMED_WINDOW, PROBE_SCHEMA, Findings
from dragon_pipeline.core.errors import BadInput, Unreachable
from dragon_pipeline_tests.adapters.llm.model_server import Raw, Written, ask

YES = {"type": "object", "properties": {"yes": {"enum": [True]}}, "required": ["yes"]}


@pytest.mark.parametrize(
    "kind, honours, found",
    [
        ("vllm", None, Findings("vllm", "1.2.3", ("m",), 4096, True, "response_format")),
        ("vllm", {"structured_outputs"}, Findings("vllm", "1.2.3", ("m",), 4096, True, "structured_outputs")),
        ("llama.cpp", None, Findings("llama.cpp", "1.2.3", ("m",), 4096, True, "json_object")),
        ("ollama", None, Findings("ollama", "1.2.3", ("m",), 2048, False, "format")),
        ("openai", {"response_format"}, Findings("openai", None, ("m",), None, False, "response_format")),
        ("openai", None, Findings("openai", None, ("m",), None, False, None)),
        ("vllm", set(), Findings("vllm", "1.2.3", ("m",), 4096, True, None)),
        ("ollama", set(), Findings("ollama", "1.2.3", ("m",), 2048, False, None)),
    ],
)
def test_a_server_is_found_out_and_asked_in_its_own_dialect(world, kind, honours, found):
    server = world.serve(kind, honours=honours, answer=lambda body: None if found.form else '{"yes": true}')
    model = world.model(server, temperature=0.5, top_p=0.9, seed=7)
    assert model.probe() == found
    assert model.complete([ask("да?", YES)])[0].value == {"yes": True}
    body = server.asked[0]
    sampled = body["options"] if kind == "ollama" else body
    assert (sampled["temperature"], sampled["top_p"], sampled["seed"]) == (0.5, 0.9, 7)
    assert sampled["num_predict" if kind == "ollama" else "max_tokens"] == 64
    assert model.count(["раз два", "три"]) == ([2, 1] if found.tokenizer else [13, 6])
    assert model.window == (found.window or ASSUMED_WINDOW)
    assert model.usage.prompt_tokens == 2 and model.usage.reply_tokens > 0


def test_ollama_is_given_the_window_because_it_cuts_prompts_in_silence(world):
    server = world.serve("ollama")
    world.model(server).complete([ask("да?")])
    world.model(server, window=1024).complete([ask("нет?")])
    assert [body["options"]["num_ctx"] for body in server.asked] == [2048, 1024]
    assert all(body["truncate"] is False for body in server.asked)


def test_constraints_that_are_ignored_are_said_and_replies_still_held_to_the_schema(world, caplog):
    server = world.serve("openai", answer=lambda body: '{"no": 1}')
    model = world.model(server)
    assert "replies are NOT constrained" in model.probe().describe("m", server.url)
    assert model.complete([ask("да?", YES)])[0].reason.startswith("against_schema")
    assert caplog.text.count("does not hold replies to a schema") == 1
    assert "response_format" not in server.asked[0] and "structured_outputs" not in server.asked[0]


@pytest.mark.parametrize("kind, told", [("vllm", "json_schema"), ("llama.cpp", "json_object")])
def test_a_server_out_of_order_is_not_taken_for_one_that_ignores_the_schema(world, kind, told):
    server = world.serve(kind, answer=lambda body: None)
    left = [5]
    chat = server.chat

    def broken_at_first(body):
        left[0] -= 1
        return Raw(500, b"starting") if left[0] >= 0 else chat(body)

    server.chat = broken_at_first
    model = world.model(server, patience=30)
    assert model.complete([ask("да?", YES)])[0].value == {"yes": True}
    assert server.asked[0]["response_format"]["type"] == told


def test_white_space_without_end_is_no_breach_of_the_schema(world):
    server = world.serve("openai", answer=lambda body: "да")
    chat = server.chat
    server.chat = lambda body: spaced(body) if "response_format" in body else chat(body)

    def spaced(body):
        text = '{"word":' + " " * 200
        payload = {"model": "m", "choices": [{"message": {"content": text}, "finish_reason": "length"}]}
        return Raw(200, json.dumps(payload).encode())

    assert world.model(server).probe().form == "response_format"


def test_a_model_that_thinks_for_long_is_given_time_to_answer_the_probe(world):
    server = world.serve()
    chat = server.chat
    server.chat = lambda body: Written("", "length") if body["max_tokens"] < 1000 else chat(body)
    assert world.model(server).probe().form == "response_format"


def test_whether_the_schema_holds_is_asked_once_by_every_process_that_asks_anything(world):
    server = world.serve(answer=lambda body: "да", honours={"structured_outputs"})
    model = world.model(server)
    assert [model.complete([ask(text)])[0].text for text in ("раз", "два")] == ["да", "да"]
    assert len(server.probes) == 2, "two forms, once"
    assert server.probes[0]["response_format"]["json_schema"]["schema"] == PROBE_SCHEMA
    world.model(server).complete([ask("три")])
    assert len(server.probes) == 3, "what held before is tried first"


def test_a_run_whose_replies_are_all_kept_asks_the_model_nothing(world):
    server = world.serve(answer=lambda body: "да")
    world.model(server).complete([ask("раз")])
    sent = server.probes + server.asked
    again = world.model(server)
    assert (again.window, again.count(["раз два"])) == (4096, [2])
    assert again.complete([ask("раз")])[0].text == "да"
    assert server.probes + server.asked == sent


@pytest.mark.parametrize("looked", [False, True])
def test_a_server_started_again_with_other_flags_is_noticed_though_it_looks_the_same(world, caplog, looked):
    server = world.serve(honours=set(), answer=lambda body: '{"yes": true}')
    world.model(server).complete([ask("раз", YES)])
    server.honours = {"response_format"}
    held = world.model(server)
    if looked:
        assert held.window == 4096
    held.complete([ask("два", YES)])
    server.honours = set()
    caplog.clear()
    ignored = world.model(server)
    if looked:
        assert ignored.window == 4096
    ignored.complete([ask("три", YES)])
    assert ["response_format" in body for body in server.asked] == [False, True, False]
    assert caplog.text.count("does not hold replies to a schema") == 1


def test_another_kind_of_server_at_the_same_address_is_noticed(world):
    server = world.serve(answer=lambda body: None)
    assert world.model(server).complete([ask("раз", YES)])[0].value == {"yes": True}
    server.kind, server.honours, server.window = "llama.cpp", {"json_object"}, 999
    model = world.model(server)
    assert model.complete([ask("два", YES)])[0].value == {"yes": True}
    assert server.asked[-1]["response_format"] == {"type": "json_object", "schema": YES}
    assert model.window == 999


def test_what_was_found_is_one_line(world):
    server = world.serve()
    model = world.model(server)
    assert model.probe().describe("m", server.url) == (
        f"vllm 1.2.3 at {server.url}: m is there; window 4096; replies are held to a schema (response_format); counts tokens"
    )
    assert "window 512 (set)" in model.probe().describe("m", server.url, 512)
    server.model = "another"
    with pytest.raises(Unreachable, match=r"has no model m \(other_model: the server offers another"):
        model.probe()
    world.stop(server)
    with pytest.raises(
        Unreachable, match=r"does not answer \(no_connection.*start its server, or set url and model of models\.ext"
    ):
        model.probe()


def test_a_password_in_the_address_is_not_shown(world, caplog):
    caplog.set_level("DEBUG")
    server = world.serve("openai")
    url = server.url.replace("//", "//me:hid@den@")
    model = world.model(server, url=url)
    told = [repr(model), model.probe().describe("m", url), str(model.complete([ask("раз", YES)]))]
    world.stop(server)
    nowhere = world.model(None, url="http://me:hid@den@127.0.0.1:99999/v1", patience=0.2)
    told += [str(model.complete([ask("два")])), str(nowhere.complete([ask("раз")]))]
    for one in (model, nowhere):
        with pytest.raises(Unreachable) as away:
            one.probe()
        told.append(str(away.value))
    with pytest.raises(BadInput) as refused:
        world.model(None, url="me:hid@den@127.0.0.1:8000/v1")
    told = "\n".join([*told, str(refused.value), caplog.text])
    assert "hid" not in told and "den@" not in told
    assert all(b"hid" not in path.read_bytes() for path in world.folder.iterdir())


@pytest.mark.parametrize(
    "asked, told, same",
    [
        ("llama3", "llama3:latest", True),
        ("llama3:latest", "llama3", True),
        ("llama3:8b", "llama3:70b", False),
        ("gpt-x", "gpt-x-2026-05-13", True),
        ("gpt-x", "gpt-x-mini", False),
        ("gpt-x", "gpt-x-4", False),
        ("Qwen/Qwen2.5-7B", "Qwen/Qwen2.5-72B", False),
    ],
)
def test_which_names_mean_the_same_model(asked, told, same):
    assert same_model(asked, told) is same
