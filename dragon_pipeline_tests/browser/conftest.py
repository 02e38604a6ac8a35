"""One demo day, its `dragon up`, and a page of a headless Chromium. `make browser` installs what this needs."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 120
"""seconds until the UI answers; its daemon and code server start beside it"""
DRAGON = Path(sys.executable).with_name("dragon")


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("demo")
    subprocess.run([DRAGON, "demo", "--home", home, "--days", "1"], check=True, capture_output=True, timeout=600)
    return home


@pytest.fixture(scope="session")
def ui(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the running UI."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("up") / "log"
    with log.open("wb") as lines:
        command = [DRAGON, "up", "--home", demo_home, "--port", str(port)]
        server = subprocess.Popen(command, stdout=lines, stderr=lines, start_new_session=True)
    try:
        _wait_for(f"{address}/server_info", server, log)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGINT)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            raise


def _wait_for(url: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    pytest.fail(f"dragon up did not answer within {PATIENCE} s, exit code {server.poll()}:\n{log.read_text('utf-8')[-3000:]}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("no chromium here: `make browser` installs Debian's")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    expect.set_options(timeout=45_000)
    opened = chromium.new_page(viewport={"width": 1800, "height": 1100})
    yield opened
    opened.close()
