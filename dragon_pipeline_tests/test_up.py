"""`dragon up` and `dragon run` on one home: what one makes the other shows, and they do not work at the same time."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

DRAGON = [sys.executable, "-c", "from dragon_pipeline.cli import main; main()"]
DAY, NEXT = "2025-09-01", "2025-09-02"
DONE = {"SUCCESS", "FAILURE", "CANCELED"}
LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) {
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
STATUS = "query ($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"
LOADED = "{ repositoriesOrError { ... on RepositoryConnection { nodes { name location { name } } } } }"
pytestmark = pytest.mark.slow


class Server:
    """A `dragon up` that answers."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.home = home
        words = [*DRAGON, "up", "--home", str(home), "--port", str(self.port)]
        self.process = subprocess.Popen(words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.repository = wait_for(self._loaded)

    def ask(self, query: str, **variables: object) -> dict:
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql", body, {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]

    def launch(self, day: str, *assets: list[str]) -> str:
        selector = {
            "repositoryName": self.repository["name"],
            "repositoryLocationName": self.repository["location"]["name"],
            "jobName": "daily_benchmark",
        }
        if assets:
            selector["assetSelection"] = [{"path": path} for path in assets]
        tags = {"tags": [{"key": "dagster/partition", "value": day}]}
        params = {"selector": selector, "runConfigData": {}, "mode": "default", "executionMetadata": tags}
        return self.ask(LAUNCH, params=params)["launchRun"]["run"]["runId"]

    def status(self, run: str) -> str:
        return self.ask(STATUS, id=run)["runOrError"]["status"]

    def _loaded(self) -> dict | None:
        with suppress(URLError, ConnectionError):
            nodes = self.ask(LOADED)["repositoriesOrError"].get("nodes")
            return nodes[0] if nodes else None
        return None


def wait_for(look: Callable[[], Any], seconds: float = 180) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.5)
    raise TimeoutError


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("DRAGON_", "DAGSTER_"))}


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*DRAGON, *words, "--home", str(home)], capture_output=True, text=True, env=environment())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("up") / "home"
    home.mkdir()
    (home / "dragon.yaml").write_text(
        f"first_day: {DAY}\n"
        "newsroom: {gateway: demo, delay: 0, outlets: [severny-kurier, delovaya-volna, motor-city, afisha-kvartal]}\n"
        "evaluation: {baselines: [bm25]}\n"
    )
    assert run(home, "run", "--day", DAY).returncode == 0
    server = Server(home)
    yield server
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == 0


def tables(home: Path) -> dict[str, bytes]:
    paths = (home / "tables").rglob("*.parquet")
    return {str(path.relative_to(home)): path.read_bytes() for path in paths if path.parent.name != "revision"}


def test_the_crawl_of_a_day_can_be_made_again_in_the_ui(server: Server):
    before = tables(server.home)
    made = server.launch(DAY, ["crawl", "motor-city"])
    assert wait_for(lambda: server.status(made) in DONE and server.status(made)) == "SUCCESS"
    assert tables(server.home) == before


def test_a_run_beside_one_of_the_ui_says_so_and_after_it_shows_the_same(server: Server):
    before = tables(server.home)
    made = server.launch(DAY)
    wait_for(lambda: server.status(made) in {"STARTING", "STARTED"})
    told = run(server.home, "run", "--day", DAY)
    assert told.returncode == 1
    assert f"run {made} of `dragon up`" in told.stderr and "is in progress; wait for it or stop it there" in told.stderr
    assert wait_for(lambda: server.status(made) in DONE and server.status(made)) == "SUCCESS"
    assert run(server.home, "run", "--day", DAY).returncode == 0
    assert tables(server.home) == before


def test_beside_an_idle_ui_a_day_is_run(server: Server):
    assert run(server.home, "run", "--day", NEXT).returncode == 0


def test_a_second_ui_on_a_home_says_who_is_there(server: Server):
    told = run(server.home, "up", "--port", "1")
    assert told.returncode == 1
    assert f"another `dragon up` (process {server.process.pid}) serves this home" in told.stderr
