"""`dragon wikidata build` as a user meets it."""

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.commands.wikidata import line

DRAGON = [sys.executable, "-c", "from dragon_pipeline.cli import main; main()", "wikidata", "build"]
RIVERS = ["Ока", "Кама", "Обь", "Лена"]


def dump(names: list[str], size: int = 0) -> bytes:
    """`size` bytes more in each entity."""
    entities = [
        {"type": "item", "id": f"Q{n}", "labels": {"ru": {"value": name}}, "modified": "2026-10-05T00:00:00Z", "x": "x" * size}
        for n, name in enumerate(names, start=1)
    ]
    return ("[\n" + ",\n".join(map(json.dumps, entities)) + "\n]\n").encode()


@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.json.gz"
    path.write_bytes(gzip.compress(dump(RIVERS)))
    return path


def build(
    *words: str | Path, data: bytes = b"", within: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*DRAGON, *map(str, words)], input=data, capture_output=True, preexec_fn=within, check=False)


def test_a_dump_becomes_an_index_and_says_so(rivers, tmp_path):
    told = build(rivers, "--language", "ru", "--out", tmp_path / "index")
    assert told.returncode == 0, told.stderr
    assert "4 items" in told.stdout.decode()
    kb = WikidataIndex.open(tmp_path / "index")
    assert [len(found) for found in kb.search(RIVERS, "item")] == [1, 1, 1, 1]
    assert kb.revision in told.stdout.decode()
    assert kb.revision.startswith("dump-2026-10-05-")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "index.report.json", rivers.name]


def test_a_dump_comes_from_a_pipe_too(rivers, tmp_path):
    told = build("-", "--language", "ru", "--out", tmp_path / "index", "--revision", "autumn", data=rivers.read_bytes())
    assert told.returncode == 0, told.stderr
    assert WikidataIndex.open(tmp_path / "index").revision.startswith("dump-autumn-")


def test_faulty_lines_are_counted_with_their_numbers_and_the_build_is_done(tmp_path):
    data = dump(RIVERS).replace(b'"id": "Q2"', b'"id": 2').replace(b"}}, ", b"}, ", 1)
    told = build("-", "--language", "ru", "--out", tmp_path / "index", data=data)
    assert told.returncode == 0, told.stderr
    rows = [row.split() for row in told.stdout.decode().splitlines()]
    assert ["1", "no", "JSON", "2"] in rows
    assert ["1", "without", "an", "id", "3"] in rows
    report = json.loads((tmp_path / "index.report.json").read_text("utf-8"))
    assert {reason: fault["count"] for reason, fault in report["faults"].items()} == {"broken_json": 1, "no_id": 1}


def test_of_a_cut_dump_the_loss_is_told(rivers, tmp_path):
    told = build("-", "--language", "ru", "--out", tmp_path / "index", data=dump(RIVERS)[:-20])
    assert told.returncode == 0, told.stderr
    assert "warning: the dump is not whole" in told.stdout.decode()


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["none.json", "--language", "ru", "--out", "OUT"], 1, "name a Wikidata JSON dump"),
        (["DUMP", "--language", "be", "--out", "OUT"], 1, "no item or property with a label in be"),
        (["DUMP", "--language", "ru", "--out", "DUMP"], 1, "is no Wikidata index; name another file"),
        (["DUMP", "--language", "ru", "--out", "."], 1, "is a folder"),
        (["DUMP", "--language", "ru", "--out", "DUMP/index"], 1, "no index was written"),
        (["-", "--language", "ru", "--out", "OUT"], 1, "is empty"),
        (["DUMP", "--language", "Русский", "--out", "OUT"], 2, "no code of a language"),
        (["DUMP", "--language", "ru", "--out", "OUT", "--revision", "a b"], 2, "letters, digits"),
        (["DUMP", "--out", "OUT"], 2, "Missing option"),
    ],
)
def test_wrong_use_is_told_in_plain_words(rivers, tmp_path, words, code, says):
    before = rivers.read_bytes()
    told = build(*(word.replace("DUMP", str(rivers)).replace("OUT", str(tmp_path / "index")) for word in words))
    assert told.returncode == code
    assert says in told.stderr.decode()
    assert "Traceback" not in told.stderr.decode()
    assert [path.name for path in tmp_path.iterdir()] == [rivers.name]
    assert rivers.read_bytes() == before


def test_where_no_file_may_grow_on_the_folder_is_named_and_nothing_is_left(tmp_path):
    names = [f"Имя {n}" for n in range(20_000)]
    told = build(
        "-",
        "--language",
        "ru",
        "--out",
        tmp_path / "index",
        data=dump(names),
        within=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200 * 1024, 200 * 1024)),
    )
    assert told.returncode == 1
    assert f"make room at {tmp_path}" in told.stderr.decode()
    assert "no index was written" in told.stderr.decode()
    assert not list(tmp_path.iterdir())


@pytest.fixture
def working(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A build in two processes that waits for the rest of its dump."""
    command = [*DRAGON, "-", "--language", "ru", "--out", str(tmp_path / "index"), "--processes", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(dump([f"Имя {n}" for n in range(8000)], size=3000)[:-200_000])
        process.stdin.flush()
        until(lambda: len(workers_of(process.pid)) >= 2)
        yield process
        process.kill()


def workers_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            is_worker = b"spawn_main" in stat.with_name("cmdline").read_bytes()
            if is_worker and stat.read_text().rpartition(")")[2].split()[1] == str(pid):
                found.append(int(stat.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def until(true: Callable[[], bool]) -> None:
    last = time.monotonic() + 60
    while not true():
        assert time.monotonic() < last
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_build_and_leaves_nothing(working, tmp_path, number):
    workers = workers_of(working.pid)
    working.send_signal(number)
    _, stderr = working.communicate(timeout=60)
    assert working.returncode == 1
    assert b"stopped; no index was written" in stderr
    assert b"Traceback" not in stderr
    assert not list(tmp_path.iterdir())
    until(lambda: not any(map(alive, workers)))


def test_a_killed_build_leaves_no_half_index_and_no_processes(working, tmp_path, rivers):
    workers = workers_of(working.pid)
    os.kill(working.pid, signal.SIGKILL)
    working.wait()
    until(lambda: not any(map(alive, workers)))
    assert not (tmp_path / "index").exists()
    assert build(rivers, "--language", "ru", "--out", tmp_path / "index").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "index.report.json", rivers.name]


def test_a_killed_worker_is_told(working):
    os.kill(workers_of(working.pid)[0], signal.SIGKILL)
    _, stderr = working.communicate(timeout=60)
    assert working.returncode == 1
    assert b"--processes 1" in stderr
    assert b"Traceback" not in stderr


def test_progress_tells_the_time_that_is_left_where_the_end_is_known():
    assert line(1000, 25_000_000, 100_000_000, 30) == "1,000 entities, 25 MB read of 100 (25%), 90 s left"
    assert line(1000, 1_000_000, 1_000_000_000, 60).endswith("(0%), 16.6 h left")
    assert line(1000, 50_000_000, 100_000_000, 600).endswith("(50%), 10 min left")
    assert line(1000, 25_000_000, None, 30) == "1,000 entities, 25 MB read in 30 s"
