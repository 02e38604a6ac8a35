import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from dragon_pipeline.adapters.web.readers import Readers, Unreadable
from dragon_pipeline_tests.adapters.web import reading_tasks as tasks


@pytest.fixture
def readers() -> Iterator[Readers]:
    two = Readers(2, patience=2)
    yield two
    two.close()


def test_answers_come_from_other_processes_and_all_of_them_work(readers):
    at_work = {future.result() for future in [readers.read(tasks.sleep, 0.3) for _ in range(4)]}
    assert len(at_work) == 2
    assert os.getpid() not in at_work


def test_many_answers_are_each_the_right_one(readers):
    futures = [readers.read(tasks.double, number) for number in range(500)]
    assert [future.result() for future in futures] == [2 * number for number in range(500)]


@pytest.mark.parametrize("fatal", [(tasks.die,), (tasks.sleep, 60), (tasks.hoard,)])
def test_what_ends_a_reader_or_takes_too_long_is_unreadable_and_the_next_is_read(readers, fatal):
    doomed = [readers.read(*fatal) for _ in range(2)]
    for future in doomed:
        with pytest.raises(Unreadable):
            future.result()
    assert readers.read(tasks.double, 21).result() == 42


def test_an_error_comes_through(readers):
    with pytest.raises(ZeroDivisionError):
        readers.read(tasks.divide).result()
    with pytest.raises(Unreadable, match="Odd: one"):
        readers.read(tasks.oddly).result()


def test_a_reader_that_was_killed_while_idle_is_replaced(readers):
    before = readers.read(tasks.pid).result()
    os.kill(before, signal.SIGKILL)
    assert readers.read(tasks.pid).result() != before


PARENT = """
import os, signal, sys, time
from dragon_pipeline.adapters.web.readers import Readers
from dragon_pipeline_tests.adapters.web import reading_tasks as tasks
readers = Readers(1, patience=1)
print(readers.read(tasks.pid).result(), flush=True)
if sys.argv[1:]:
    readers.read(tasks.never)
    time.sleep(0.5)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_reader_does_not_outlive_a_parent_that_is_killed(busy: bool):
    program = [sys.executable, "-c", PARENT, *(["busy"] if busy else [])]
    told = subprocess.run(program, capture_output=True, text=True, check=False)
    reader = int(told.stdout)
    until = time.monotonic() + 40
    while _lives(reader) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _lives(reader)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
