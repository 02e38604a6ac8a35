"""A local server that answers like one of several kinds of model servers, and misbehaves as it is told."""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from dragon_pipeline.adapters.llm.probing import PROBE
from dragon_pipeline.core.language_model import Message, ModelRequest

HONOURED = {
    "vllm": {"response_format", "structured_outputs"},
    "llama.cpp": {"json_object"},
    "ollama": {"format"},
    "openai": set(),
}


@dataclass
class Raw:
    """A response that is no chat completion."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0
    cut: bool = False
    """the connection is closed in the middle of the body"""


@dataclass
class Written:
    """A chat completion."""

    text: str
    finish: str = "stop"
    model: str | None = None
    delay: float = 0


def instance(schema):
    """The least value under a simple schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: instance(schema["properties"][name]) for name in schema.get("required", ())}
    return {"array": [], "integer": schema.get("minimum", 0), "string": "х", "boolean": True}[schema["type"]]


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, kind="vllm", *, model="m", window=4096, honours=None, answer=None, port=0):
        self.kind = kind
        self.model = model
        self.window = window
        self.honours = HONOURED[kind] if honours is None else honours
        self.version = "1.2.3"
        self.answer = answer or (lambda body: "Голубое.")
        """what the model writes by itself: text, Written, Raw, or None for the least value under the schema"""
        self.asked: list[dict] = []
        """bodies of all chats but the probes"""
        self.probes: list[dict] = []
        self.paths: list[str] = []
        self.keys: set[str | None] = set()
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), Handler)
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def prompts(self):
        """The last message of each chat."""
        return [body["messages"][-1]["content"] for body in self.asked]

    def stop(self):
        self.shutdown()
        self.server_close()
        self.thread.join()

    def chat(self, body):
        told = self._schema_told(body)
        if body["messages"][-1]["content"] == PROBE:
            self.probes.append(body)
            if isinstance(told, Raw):
                return told
            if told is not None:
                return json.dumps(instance(told))
            early = self.answer(body)
            return early if isinstance(early, Raw) else "Голубое."
        with self._lock:
            self.asked.append(body)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if isinstance(told, Raw):
                return told
            said = self.answer(body)
            if isinstance(said, (Written, Raw)):
                time.sleep(said.delay)
            return json.dumps(instance(told)) if said is None and told is not None else said
        finally:
            with self._lock:
                self._at_once -= 1

    def _schema_told(self, body):
        """The schema, if it is told in a form that this server honours."""
        form = body.get("response_format") or {}
        if self.kind == "llama.cpp" and form.get("type") == "json_schema":
            return Raw(500, json.dumps({"error": {"code": 500, "message": "response_format type"}}).encode())
        told = {
            "response_format": (form.get("json_schema") or {}).get("schema"),
            "json_object": form.get("schema"),
            "structured_outputs": (body.get("structured_outputs") or {}).get("json"),
            "format": body.get("format"),
        }
        return next((told[name] for name in sorted(self.honours) if told[name] is not None), None)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        self._note()
        server = self.server
        entry = {"id": server.model, "object": "model", "owned_by": "somebody"}
        if server.kind == "vllm":
            entry |= {"owned_by": "vllm", "max_model_len": server.window}
        pages = {"/v1/models": {"object": "list", "data": [entry]}}
        if server.kind == "vllm":
            pages["/version"] = {"version": server.version}
        if server.kind == "llama.cpp":
            pages["/props"] = {"default_generation_settings": {"n_ctx": server.window}, "build_info": server.version}
        if server.kind == "ollama":
            pages |= {"/api/version": {"version": server.version}, "/api/tags": {"models": [{"name": server.model}]}}
        self._send(pages.get(self.path))

    def do_POST(self):
        self._note()
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize" and server.kind in ("vllm", "llama.cpp"):
            words = (body["prompt"] if server.kind == "vllm" else body["content"]).split()
            self._send({"count": len(words), "tokens": words} if server.kind == "vllm" else {"tokens": words})
        elif self.path == "/api/show" and server.kind == "ollama":
            self._send({"parameters": "stop x\nnum_ctx 2048", "model_info": {"llama.context_length": server.window}})
        elif self.path == ("/api/chat" if server.kind == "ollama" else "/v1/chat/completions"):
            self._chat(body, server.chat(body))
        else:
            self._send(None)

    def _chat(self, body, said):
        if isinstance(said, Raw):
            return self._raw(said)
        if isinstance(said, dict):
            said = json.dumps(said, ensure_ascii=False)
        said = said if isinstance(said, Written) else Written(said)
        model = said.model or body["model"]
        prompt = sum(len(message["content"].split()) for message in body["messages"])
        count = len(said.text.split())
        message = {"role": "assistant", "content": said.text}
        if self.server.kind == "ollama":
            counts = {"prompt_eval_count": prompt, "eval_count": count}
            return self._send({"model": f"{model}:latest", "message": message, "done_reason": said.finish, **counts})
        usage = {"prompt_tokens": prompt, "completion_tokens": count, "prompt_tokens_details": {"cached_tokens": 1}}
        return self._send({"model": model, "choices": [{"message": message, "finish_reason": said.finish}], "usage": usage})

    def _raw(self, raw):
        self.send_response(raw.status)
        for name, value in raw.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw.body) + (100 if raw.cut else 0)))
        self.end_headers()
        self.wfile.write(raw.body)
        self.close_connection = self.close_connection or raw.cut

    def _send(self, payload):
        data = json.dumps(payload if payload is not None else {"error": "not found"}).encode()
        self._raw(Raw(200 if payload is not None else 404, data, {"Content-Type": "application/json"}))

    def _note(self):
        self.server.paths.append(self.path)
        self.server.keys.add(self.headers.get("Authorization"))


def ask(text, schema=None, max_tokens=None):
    return ModelRequest((Message("system", "Отвечай."), Message("user", text)), schema, max_tokens)


def failing(status, body, **headers):
    """An error as JSON."""
    return Raw(status, json.dumps(body).encode(), {"Content-Type": "application/json"} | headers)


def last(body):
    return body["messages"][-1]["content"]


def only_for(text, bad, good="да"):
    """The bad answer for one request, the good one for all others."""
    return lambda body: bad if last(body) == text else good
