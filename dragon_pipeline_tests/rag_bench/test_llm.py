import json
from itertools import pairwise

import pytest

from dragon_pipeline_tests.adapters.llm.model_server import ModelServer, Raw, Written, failing, last
from rag_bench.errors import RagBenchError, Refused, Unreachable
from rag_bench.llm import ChatModel, paper_prompt
from rag_bench.retrying import Retrying

PASSAGES = ["В Твери открыли мост.", "Завод в Казани выпустил трактор.", "В Пскове зажгли ёлку."]


@pytest.fixture
def serve():
    servers: list[ModelServer] = []

    def start(answer=None, **how):
        servers.append(ModelServer("openai", answer=answer, **how))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def model(server, waits=None, **how):
    return ChatModel(server.url, "m", retrying=Retrying(3, 1.0, (waits if waits is not None else []).append), **how)


def test_the_prompt_is_the_paper_s(serve):
    server = serve(lambda body: "Тверь")
    assert model(server).answer("Где мост?", PASSAGES) == "Тверь"
    (body,) = server.asked
    assert body["messages"] == [
        {
            "role": "user",
            "content": "Answer the question using the provided context.\nGive me only an answer.\n"
            f"<context> {PASSAGES[0]}\n\n{PASSAGES[1]}\n\n{PASSAGES[2]} </context>\nQuestion: Где мост?\nAnswer: ",
        }
    ]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 1000, 0.0)


def test_braces_in_a_text_are_no_slots(serve):
    server = serve(lambda body: "да")
    model(server).answer("Что в {context}?", ["{question} и {context}"])
    assert "<context> {question} и {context} </context>\nQuestion: Что в {context}?\n" in server.prompts[0]


def test_a_template_of_one_s_own_needs_both_slots():
    with pytest.raises(RagBenchError, match=r"the template has no \{context\}"):
        ChatModel("http://localhost:1/v1", "m", template="Ответь: {question}")
    with pytest.raises(RagBenchError, match="is no address of a model server"):
        ChatModel("localhost:1", "m")


def words(text):
    return len(text.split())


@pytest.mark.parametrize("room", range(24, 40))
def test_a_context_that_is_too_long_for_the_window_is_cut_at_its_end_only(serve, room):
    server = serve(lambda body: "да")
    whole = model(server).fill("Где мост?", "\n\n".join(PASSAGES))
    chat = model(server, window=room + 10 + 32, max_tokens=10, count=words)
    chat.answer("Где мост?", PASSAGES)
    prompt = server.prompts[0]
    context = prompt.partition("<context> ")[2].rpartition(" </context>")[0]
    assert words(prompt) <= room or prompt == whole
    assert "\n\n".join(PASSAGES).startswith(context)
    assert prompt == chat.fill("Где мост?", context)
    assert prompt == whole or words(chat.fill("Где мост?", "\n\n".join(PASSAGES)[: len(context) + 1])) > room


def test_a_question_longer_than_the_window_is_said(serve):
    with pytest.raises(RagBenchError, match=r"the prompt without context has \d+ tokens, and a window of 60 leaves 18"):
        model(serve(), window=60, max_tokens=10, count=words).answer("слово " * 20, PASSAGES)


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 20 tokens. However, you requested 29 tokens",
        "the request exceeds the available context size, try increasing it",
        "Input length (29) exceeds model's maximum context length (20).",
        "prompt is too long: 29 tokens > 20 maximum",
    ],
)
def test_what_a_server_calls_too_long_is_asked_again_with_less_context(serve, message):
    def answer(body):
        fits = words(last(body)) <= 24
        return "Тверь" if fits else failing(400, {"error": {"message": message}})

    server = serve(answer)
    assert model(server).answer("Где мост?", PASSAGES) == "Тверь"
    contexts = [prompt.partition("<context> ")[2].rpartition(" </context>")[0] for prompt in server.prompts]
    assert len(contexts) > 1 and all(longer.startswith(shorter) for longer, shorter in pairwise(contexts))
    assert all("Question: Где мост?\nAnswer: " in prompt for prompt in server.prompts)


def test_a_server_that_calls_everything_too_long_is_not_asked_for_ever(serve):
    server = serve(lambda body: failing(400, {"error": {"message": "maximum context length is 0 tokens"}}))
    with pytest.raises(Refused, match="says 400"):
        model(server).answer("Где мост?", PASSAGES)
    assert len(server.asked) < 40


def test_a_busy_server_is_asked_again(serve):
    answers = [failing(429, {}, **{"Retry-After": "9"}), failing(503, {}), Raw(cut=True), "Тверь"]
    server, waits = serve(lambda body: answers.pop(0)), []
    chat = ChatModel(server.url, "m", retrying=Retrying(4, 1.0, waits.append))
    assert chat.answer("Где?", PASSAGES) == "Тверь" and waits[0] == 9.0 and len(waits) == 3


@pytest.mark.parametrize("url", ["", "localhost:8000/v1", "http://", "http://a..b/v1", "http://[::1", "http://local host/v1"])
def test_what_is_no_address_of_a_server_is_said(url):
    with pytest.raises(RagBenchError, match="is no address of a model server"):
        ChatModel(url, "m")


def test_a_server_that_stays_busy_or_is_gone_is_unreachable(serve):
    server = serve(lambda body: failing(503, {"error": "overloaded"}))
    with pytest.raises(Unreachable, match=r'says 503: \{"error": "overloaded"\}'):
        model(server).answer("Где?", PASSAGES)
    assert len(server.asked) == 3
    with pytest.raises(Unreachable, match="gives no answer"):
        ChatModel("http://127.0.0.1:9/v1", "m", retrying=Retrying(1)).answer("Где?", PASSAGES)


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_asked_once_and_does_not_show_the_key(serve, status):
    server = serve()
    chat = ChatModel(server.url, "m", "sk-7f3a91")
    server.answer = lambda body: failing(status, {"error": f"bad key {chat.key}"})
    with pytest.raises(Refused, match=r"bad key \*\*\*") as refused:
        chat.answer("Где?", PASSAGES)
    assert refused.value.status == status and len(server.asked) == 1
    assert server.keys == {f"Bearer {chat.key}"} and chat.key not in repr(chat)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Written(""), r"m wrote no answer \(it stopped for: stop\)"),
        (Written("<think>думаю, думаю", "length"), r"m wrote no answer \(it stopped for: length\)"),
        (Raw(200, b"<html>"), "answers no JSON object: <html>"),
        (Raw(200, b"[]"), "answers no JSON object"),
        (Raw(200, json.dumps({"choices": []}).encode()), "answers no chat completion"),
        (Raw(200, json.dumps({"choices": [{"message": {"content": None}}]}).encode()), "wrote no answer"),
    ],
)
def test_what_is_no_answer_is_said(serve, said, words):
    with pytest.raises(RagBenchError, match=words):
        model(serve(lambda body: said)).answer("Где?", PASSAGES)


def test_what_a_model_thinks_aloud_is_no_answer(serve):
    assert model(serve(lambda body: "<think>\nМост?\n</think>\n\nТверь\n")).answer("Где?", PASSAGES) == "Тверь"


def test_the_template_is_a_file_with_both_slots():
    assert paper_prompt().count("{context}") == paper_prompt().count("{question}") == 1
