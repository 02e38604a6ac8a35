"""Runs a command beside a real vLLM on this machine's processors: `python serving.py [--log FILE] COMMAND…`.

The command finds the server in LIVE_URL (base URL, with /v1), the model's name in LIVE_MODEL, and the process id of the
server that runs now in the file LIVE_PID. A server that dies is started again, as one under Kubernetes would be; when the
command ends, fails or is interrupted, the server is stopped. Needs the environment of `make live`.
"""

import argparse
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv-live"
MODEL = "smollm2-135m-instruct"
PATIENCE = 600
"""seconds until a server answers its first request; 40 on two idle cores, 240 on two that a dozen others use"""
GRACE = 20
"""seconds to stop"""
FLAGS = [
    *("--model", str(VENV / "model"), "--served-model-name", MODEL, "--host", "127.0.0.1"),
    *("--enforce-eager", "--max-num-seqs", "8", "--enable-prompt-tokens-details"),
    # without it a weak model's JSON is white space without end
    *("--structured-outputs-config", json.dumps({"backend": "xgrammar", "disable_any_whitespace": True})),
]
SURROUNDINGS = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "OMP_NUM_THREADS": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CACHE_ROOT": str(VENV / "cache"),
}
PR_SET_PDEATHSIG = 1


class VllmServer:
    """One address at which a server is kept running, in a process group of its own."""

    def __init__(self, log: IO[bytes], pid_file: Path):
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._log = log
        self._pid_file = pid_file
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        command = [VENV / "bin/python", "-m", "vllm.entrypoints.openai.api_server", *FLAGS, "--port", str(self.port)]
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **SURROUNDINGS},
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        self._pid_file.write_text(str(self._process.pid))

    def wait(self, going_on: Callable[[], bool]) -> None:
        """Until it has answered a request: the first takes longest.

        Raises:
            TimeoutError, ChildProcessError: it did not come up.
        """
        deadline = time.monotonic() + PATIENCE
        while going_on():
            if not self.running:
                raise ChildProcessError(f"vLLM ended with {self._process and self._process.returncode}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"vLLM did not answer within {PATIENCE} s")
            if self._answers():
                return
            time.sleep(0.5)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _answers(self) -> bool:
        asked = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 8})
        request = urllib.request.Request(
            f"{self.url}/chat/completions", asked.encode(), headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return reply.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def stop(self) -> None:
        """Ends the server and what it started; the engine outlives its parent when that is killed."""
        if self._process is None:
            return
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, how)
                self._process.wait(GRACE)
            except ProcessLookupError:
                return
            except subprocess.TimeoutExpired:
                continue


def keep(server: VllmServer, done: threading.Event) -> None:
    """Starts the server again whenever it dies, until `done`."""
    while not done.wait(0.2):
        if not server.running:
            server.stop()
            server.start()


def run(command: list[str], log_file: Path) -> int:
    """Exit code of the command, or 70 when there was no server."""
    log_file.parent.mkdir(parents=True, exist_ok=True)
    done = threading.Event()
    with log_file.open("wb") as log, tempfile.TemporaryDirectory() as folder:
        server = VllmServer(log, Path(folder) / "pid")
        child: subprocess.Popen | None = None
        try:
            _say(f"starting vLLM at {server.url}, log: {log_file}")
            began = time.monotonic()
            server.start()
            server.wait(lambda: True)
            _say(f"vLLM answers after {time.monotonic() - began:.0f} s")
            threading.Thread(target=keep, args=(server, done), daemon=True).start()
            told = {"LIVE_URL": server.url, "LIVE_MODEL": MODEL, "LIVE_PID": str(Path(folder) / "pid")}
            child = subprocess.Popen(command, env={**os.environ, **told}, start_new_session=True)
            return child.wait()
        except (TimeoutError, ChildProcessError) as error:
            log.flush()
            _say(f"{error}; the end of {log_file}:\n{log_file.read_text('utf-8', 'replace')[-3000:]}")
            return 70
        finally:
            done.set()
            _end(child)
            server.stop()
            _say(f"vLLM stopped, log: {log_file}")


def _end(child: subprocess.Popen | None) -> None:
    """The command and what it started."""
    if child is None or child.poll() is not None:
        return
    for how in (signal.SIGINT, signal.SIGKILL):
        os.killpg(child.pid, how)
        try:
            child.wait(GRACE)
            return
        except subprocess.TimeoutExpired:
            continue


def _die_with_parent() -> None:
    """A supervisor that is killed takes the server along."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _say(text: str) -> None:
    sys.stderr.write(f"live: {text}\n")
    sys.stderr.flush()


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=ROOT / "build" / "live" / "vllm.log")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    return run(asked.command, asked.log)


if __name__ == "__main__":
    sys.exit(main())
