"""A server that limits how much it is asked."""

import time
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from dragon_pipeline_tests.adapters.llm.model_server import Raw, Written, ask, only_for


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


def test_429_that_asks_for_longer_than_patience_is_lost_at_once(world):
    server = world.serve(answer=only_for("раз", Raw(429, b"", {"Retry-After": "3600"})))
    began = time.monotonic()
    replies = world.model(server, patience=5).complete([ask("раз"), ask("два")])
    assert [reply.reason for reply in replies] == ["rate_limited: 429", None]
    assert time.monotonic() - began < 3


def test_429_without_an_end_is_lost_when_patience_ends(world):
    server = world.serve(answer=only_for("раз", Raw(429, b"")))
    model = world.model(server, patience=1.5, attempts=1)
    began = time.monotonic()
    replies = model.complete([ask("раз"), ask("два")])
    assert replies[0].reason == "rate_limited: 429" and replies[1].text == "да"
    assert 1 < time.monotonic() - began < 6
    assert server.prompts.count("раз") >= 2
