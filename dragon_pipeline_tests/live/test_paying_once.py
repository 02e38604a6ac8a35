"""Nothing is paid for twice: over runs, and when server or client are killed in the middle, but for what was in flight."""

import runpy
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from dragon_pipeline.adapters.llm.client import open_model

CLIENT = Path(__file__).with_name("asking.py")
requests = runpy.run_path(str(CLIENT))["requests"]
NUMBER = 32
IN_FLIGHT = 8


def open_client(server, url: str, cache: Path):
    return open_model("writer", server.settings(url, max_tokens=200, concurrency=IN_FLIGHT), cache)


def until(true: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_second_run_asks_the_server_for_nothing(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    before = server.asked()
    first = open_client(server, server.url, cache)
    replies = first.complete(requests(NUMBER))
    assert [reply.reason for reply in replies] == [None] * NUMBER
    asked = server.asked()
    assert asked - before >= NUMBER

    second = open_client(server, server.url, cache)
    assert second.complete(requests(NUMBER)) == replies
    assert server.asked() == asked
    assert (second.usage.cached, second.usage.prompt_tokens) == (NUMBER, 0)


def test_equal_requests_of_one_batch_are_asked_once(server, proxy, tmp_path):
    client = open_client(server, proxy.url, tmp_path / "replies.sqlite")
    one, two = client.complete(requests(1) * 2)
    assert one == two and one.reason is None
    assert proxy.asked == 1


def test_a_killed_client_pays_again_for_what_was_in_flight_at_most(server, proxy, tmp_path):
    cache = tmp_path / "replies.sqlite"
    command = [sys.executable, CLIENT, proxy.url, server.model, cache, str(NUMBER)]
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(lambda: proxy.asked >= NUMBER // 2)
    first.kill()
    first.wait()
    sent = proxy.asked
    assert sent < NUMBER

    client = open_client(server, proxy.url, cache)
    assert [reply.reason for reply in client.complete(requests(NUMBER))] == [None] * NUMBER
    assert client.usage.cached >= sent - IN_FLIGHT
    assert NUMBER <= proxy.asked <= NUMBER + IN_FLIGHT


def test_a_killed_server_is_waited_for_and_asked_again_for_what_was_in_flight_at_most(server, tmp_path):
    client = open_client(server, server.url, tmp_path / "replies.sqlite")
    client.probe()
    before = server.asked()
    replies = []
    batch = threading.Thread(target=lambda: replies.extend(client.complete(requests(NUMBER))))
    batch.start()
    until(lambda: server.asked() - before >= NUMBER // 2)
    answered = server.asked() - before
    server.kill()
    batch.join()
    assert [reply.reason for reply in replies] == [None] * NUMBER
    assert client.usage.retries > 0, "nothing was in flight"
    # Another server counts from 0. What the first had answered it was not asked for again.
    assert answered + server.asked() <= NUMBER + IN_FLIGHT
