"""Real client processes that are killed, interrupted, or share one cache."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from dragon_pipeline_tests.adapters.llm.model_server import Written, ask

CONCURRENCY = 4
CLIENT = """
import json, sys
from pathlib import Path
from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.language_model import Message, ModelRequest
from dragon_pipeline.core.settings import ModelSettings
url, cache, first, last = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
settings = ModelSettings(url=url, model="m", max_tokens=64, concurrency=4)
model = open_model("extractor", settings, cache)
numbers = range(first, last, 1 if first < last else -1)
asked = [ModelRequest((Message("system", "Отвечай."), Message("user", f"слово {n}"))) for n in numbers]
print("ready", flush=True)
print(json.dumps([reply.text for reply in model.complete(asked)]))
"""


def start(server, world, first, last, script=CLIENT):
    command = [sys.executable, "-c", script, server.url, str(world.cache), str(first), str(last)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def slow(body):
    return Written(body["messages"][-1]["content"].upper(), delay=0.1)


class Held:
    """Answers so many at once, and the others when it is released."""

    def __init__(self, after):
        self.released = threading.Event()
        self._at_once = threading.Semaphore(after)

    def __call__(self, body):
        if not self._at_once.acquire(blocking=False):
            assert self.released.wait(60)
        return body["messages"][-1]["content"].upper()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_client_that_is_stopped_in_mid_batch_pays_again_for_what_was_in_flight_only(world, how):
    held = Held(after=10)
    server = world.serve(answer=held)
    client = start(server, world, 0, 40)
    until(lambda: len(server.asked) == 14)
    client.send_signal(how)
    client.communicate(timeout=20)
    held.released.set()
    assert client.returncode == -how
    again = start(server, world, 0, 40)
    told, errors = again.communicate(timeout=30)
    assert again.returncode == 0, errors
    assert json.loads(told.splitlines()[-1]) == [f"СЛОВО {number}" for number in range(40)]
    paid = Counter(server.prompts)
    assert len(paid) == 40
    assert sum(paid.values()) - 40 <= CONCURRENCY and max(paid.values()) <= 2
    assert server.most_at_once <= CONCURRENCY * 2


def test_two_processes_share_one_cache_file_and_pay_twice_only_for_what_both_have_in_flight(world):
    server = world.serve(answer=slow)
    up, down = range(40), range(59, 19, -1)  # towards each other: side by side both would have the same in flight all along
    clients = [start(server, world, 0, 40), start(server, world, 59, 19)]
    for client, numbers in zip(clients, (up, down), strict=True):
        told, errors = client.communicate(timeout=60)
        assert client.returncode == 0, errors
        assert json.loads(told.splitlines()[-1]) == [f"СЛОВО {number}" for number in numbers]
    paid = Counter(server.prompts)
    assert len(paid) == 60
    assert sum(paid.values()) - 60 <= 2 * CONCURRENCY
    world.stop(server)
    replies = world.model(server).complete([ask(f"слово {number}") for number in range(60)])
    assert [reply.text for reply in replies] == [f"СЛОВО {number}" for number in range(60)]


def test_processes_that_make_the_cache_file_at_the_same_time_do_not_disturb_each_other(world):
    server = world.serve(answer=lambda body: "да")
    clients = [start(server, world, 10 * number, 10 * number + 10) for number in range(3)]
    for client in clients:
        _, errors = client.communicate(timeout=60)
        assert client.returncode == 0, errors
    assert len(server.asked) == 30


def test_an_interrupt_stops_a_batch_that_runs_beside_another_loop(world):
    """As in an async step: the batch has a thread of its own, and the signal comes to the main thread."""
    held = Held(after=0)
    server = world.serve(answer=held)
    script = CLIENT.replace("model.complete(asked)", "asyncio.run(main())").replace("import json,", "import asyncio, json,")
    script = script.replace('print("ready"', 'async def main():\n    return model.complete(asked)\nprint("ready"')
    client = start(server, world, 0, 9, script)
    until(lambda: len(server.asked) >= CONCURRENCY)
    client.send_signal(signal.SIGINT)
    client.communicate(timeout=20)  # while no answer has come
    held.released.set()
    assert client.returncode != 0 and len(server.asked) == CONCURRENCY


def test_a_signal_that_raises_in_the_main_thread_stops_the_batch_and_keeps_what_was_answered(world):
    """As Dagster's own handlers do."""
    held = Held(after=10)
    server = world.serve(answer=held)
    handler = "class Stop(BaseException): pass\ndef stop(*_): raise Stop('enough')\nsignal.signal(signal.SIGTERM, stop)\n"
    script = CLIENT.replace("import json,", "import signal, json,").replace("url, cache", handler + "url, cache", 1)
    client = start(server, world, 0, 40, script)
    until(lambda: len(server.asked) == 14)
    client.send_signal(signal.SIGTERM)
    _, errors = client.communicate(timeout=20)
    held.released.set()
    assert client.returncode == 1 and "Stop: enough" in errors
    sent = len(server.asked)
    world.model(server).complete([ask(f"слово {number}") for number in range(sent)])
    assert len(server.asked) - sent <= CONCURRENCY
