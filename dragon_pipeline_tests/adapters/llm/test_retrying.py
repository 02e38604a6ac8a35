"""A server that limits how much it is asked."""

import threading
import time
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from dragon_pipeline_tests.adapters.llm.model_server import Raw, Written, ask, last, only_for


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_429_is_waited_out_as_long_as_the_server_asks(world, form):
    free = int(time.time()) + 2
    header = format_datetime(datetime.fromtimestamp(free, UTC), usegmt=True) if form == "date" else "2"

    def answer(body):
        return Raw(429, b"", {"Retry-After": header}) if time.time() < free else "да"

    server = world.serve(answer=answer)
    model = world.model(server, attempts=1, patience=30, concurrency=2)
    replies = model.complete([ask(f"слово {number}") for number in range(6)])
    assert [reply.text for reply in replies] == ["да"] * 6
    assert len(server.asked) <= 6 + 2


def test_while_one_request_waits_the_others_wait_too(world):
    seen = []

    def answer(body):
        seen.append(time.monotonic())
        return Raw(429, b"", {"Retry-After": "1"}) if len(seen) == 1 else Written("да", delay=0.2)

    world.model(world.serve(answer=answer), concurrency=2).complete([ask(f"слово {number}") for number in range(6)])
    assert len(seen) == 7
    assert all(later - seen[0] > 0.95 for later in seen[2:]), "but for the one that was in flight"


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_to_wait_for_longer_than_patience_is_asked_for_nothing_more(world, status):
    server = world.serve(answer=lambda body: "да")
    model = world.model(server, patience=5, concurrency=3)
    assert model.complete([ask("раз")])[0].text == "да"
    server.answer = lambda body: Raw(status, b"", {"Retry-After": "3600"})
    began = time.monotonic()
    replies = model.complete([ask(f"слово {number}") for number in range(300)])
    assert len(server.asked) <= 1 + 3, "but for those in flight"
    assert {reply.reason for reply in replies[3:]} == {"given_up: the server asked to wait for 3600 s"}
    assert all(reply.lost for reply in replies)
    sent = len(server.paths)
    assert model.complete([ask("раз"), ask("ещё")])[1].reason == "given_up: the server asked to wait for 3600 s"
    assert len(server.paths) == sent, "the hour is not over in the next batch"
    assert time.monotonic() - began < 5


def test_what_is_in_flight_when_a_server_asks_to_wait_for_long_is_finished(world):
    server = world.serve()
    model = world.model(server, patience=5, concurrency=2)
    model.complete([ask("ноль")])
    both = threading.Barrier(2, timeout=20)

    def answer(body):
        both.wait()
        return Raw(429, b"", {"Retry-After": "3600"}) if last(body) == "раз" else Written("да", delay=0.5)

    server.answer = answer
    replies = model.complete([ask("раз"), ask("два"), ask("три")])
    assert [reply.reason for reply in replies] == ["rate_limited: 429", None, "given_up: the server asked to wait for 3600 s"]


def test_an_error_of_one_request_that_asks_for_long_does_not_hold_up_the_others(world):
    server = world.serve(answer=only_for("раз", Raw(500, b"", {"Retry-After": "3600"})))
    replies = world.model(server, patience=5).complete([ask("раз"), *(ask(f"слово {number}") for number in range(20))])
    assert [reply.reason for reply in replies] == ["http_error: 500", *[None] * 20]


def test_429_without_an_end_is_lost_when_patience_ends(world):
    server = world.serve(answer=only_for("раз", Raw(429, b"")))
    model = world.model(server, patience=1.5, attempts=1)
    began = time.monotonic()
    replies = model.complete([ask("раз"), ask("два")])
    assert replies[0].reason == "rate_limited: 429" and replies[1].text == "да"
    assert 1 < time.monotonic() - began < 6
    assert server.prompts.count("раз") >= 2
