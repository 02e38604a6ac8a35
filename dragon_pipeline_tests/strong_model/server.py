"""A server like vLLM's behind which a strong model sits: what it answers to 20 articles of the newsroom was written by hand.

`triplets.yaml`, `links.yaml` and `questions.yaml` hold the answers; what stands in none of them the model has not "thought" of:
it leaves names as they are, and asks nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Self

import yaml

from dragon_pipeline.demo.articles import Story, read_stories
from dragon_pipeline.languages.ru import prompts

MODEL = "strong-model"
WINDOW = 32_768
SENTENCE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
NAME = re.compile(r"^\[(\d+)\] (.*) \(([A-Z]+)\)$")
CANDIDATE = re.compile(r"^(\d+)\) (.*)$")
FACT = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
FENCED = re.compile(r"<<<(\w+)\n(.*?)\n\1>>>", re.DOTALL)
NOTHING = "nothing was written for this"


@cache
def written(name: str) -> Any:
    return yaml.safe_load(Path(__file__).with_name(f"{name}.yaml").read_text("utf-8"))


@cache
def instructions() -> dict[str, str]:
    """Instructions → name of their prompt."""
    return {prompts.load(name).system: name for name in prompts.names()}


@cache
def stories() -> dict[str, Story]:
    """Title → the first version of an article for which there are answers."""
    found: dict[str, Story] = {}
    for story in read_stories():
        if story.id in written("triplets"):
            found.setdefault(story.title, story)
    return found


def fenced(message: str) -> list[str]:
    """The values of a prompt, in order."""
    return [match[2] for match in FENCED.finditer(message)]


def extract(message: str) -> dict:
    title, *_, part = fenced(message)
    sentences = {int(number): text for number, text in SENTENCE.findall(part)}
    told = []
    for words, head, head_kind, relation, tail, tail_kind in written("triplets").get(stories()[title].id, ()):
        for number in [number for number, text in sentences.items() if words in text]:
            names = {"head": head, "head_kind": head_kind, "relation": relation, "tail": tail, "tail_kind": tail_kind}
            told.append({"sentence": number, **names})
    return {"triplets": told}


def normalise(message: str) -> dict:
    """The candidate that `links.yaml` names for the name, else none."""
    choices: dict[str, int] = {}
    number, wanted = "", ""
    for text in fenced(message)[-1].splitlines():
        if name := NAME.match(text):
            number, wanted = name[1], written("links").get(name[2], NOTHING)
            choices[number] = 0
        elif (candidate := CANDIDATE.match(text)) and candidate[2].startswith(wanted):
            choices[number] = int(candidate[1])
    return choices


def write(message: str) -> dict:
    """The question that `questions.yaml` holds under its facts and what is asked."""
    facts, *values = fenced(message)
    asked = values[-2]
    key = " + ".join([*sorted(FACT.findall(facts)), f"? {asked.replace(chr(10), ' / ')}"])
    return {"question": written("questions").get(key, NOTHING), "answers": asked.splitlines()}


def judge(message: str) -> dict:
    return {"why": "Замечаний нет.", "score": 2}


def prove(message: str) -> dict:
    """The answer, when the articles that are shown state every fact that `questions.yaml` puts behind the question."""
    context, question = fenced(message)
    titles = [title for _, title in SENTENCE.findall(context) if title in stories()]
    rows = [row for title in titles for row in written("triplets")[stories()[title].id]]
    told = {" | ".join(row[place] for place in (1, 3, 4)) for row in rows}
    for key, asks in written("questions").items():
        *facts, asked = key.split(" + ")
        if asks == question and set(facts) <= told:
            return {"answerable": True, "answer": asked.removeprefix("? ")}
    return {"answerable": False, "answer": ""}


def remember(message: str) -> dict:
    return {"answer": "Не знаю."}


ANSWERS: dict[str, Callable[[str], dict]] = {
    "extractor": extract, "normaliser": normalise, "closed_book": remember, "multi_hop_proof": prove,
}  # fmt: skip


Think = Callable[[str, str, dict], dict | None]
"""From the prompt's name, the last message and the schema to the reply; None: the connection is closed without one."""


def strong(prompt: str, message: str, schema: dict) -> dict:
    task = ANSWERS.get(prompt) or (write if prompt.startswith("writer_") else judge)
    return task(message)


def weak(prompt: str, message: str, schema: dict) -> dict:
    """Valid under the schema, and nonsense."""
    return nonsense(schema)


def nonsense(schema: dict) -> Any:
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "object":
        return {name: nonsense(value) for name, value in schema["properties"].items() if name in schema.get("required", ())}
    if schema["type"] == "array":
        return [nonsense(schema["items"])] * 3
    return {"integer": 1, "string": "абыр валг", "boolean": True}[schema["type"]]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "StrongModel"

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._reply({"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": WINDOW}]})
        elif self.path == "/version":
            self._reply({"version": "0.0"})
        else:
            self._reply({"error": {"message": "not found"}}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            self._reply({"count": len(body["prompt"]) // 3, "max_model_len": WINDOW})
            return
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        said = self._think(body["messages"], schema)
        if said is None:
            self.close_connection = True
            return
        text = json.dumps(said, ensure_ascii=False)
        tokens = sum(len(message["content"]) for message in body["messages"]) // 3
        with self.server.lock:
            self.server.asked.append((body, text))
        self._reply(
            {
                "model": MODEL,
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": tokens, "completion_tokens": len(text) // 3},
            }
        )

    def _think(self, messages: list[dict], schema: dict) -> dict | None:
        """By its instructions the model knows the role; by others the client asks whether a schema holds."""
        if prompt := instructions().get(messages[0]["content"]):
            return self.server.think(prompt, messages[-1]["content"], schema)
        return {name: values["enum"][0] for name, values in schema["properties"].items()}

    def _reply(self, value: dict, status: int = 200) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class StrongModel(ThreadingHTTPServer):
    """Serves on a free loopback port while it is entered; `asked`: every request that it answered, with the answer."""

    daemon_threads = True

    def __init__(self, think: Think = strong) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock = Lock()
        self.think = think
        self.asked: list[tuple[dict, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def roles(self) -> Counter[str]:
        """How often each prompt was sent."""
        return Counter(instructions().get(body["messages"][0]["content"], "probe") for body, _ in self.asked)

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
