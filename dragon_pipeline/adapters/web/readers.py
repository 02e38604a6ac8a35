"""Processes that read pages and listings: what comes from the web can take a core, or a process, down with it.

Each is a Python of its own on one socket, and lives only as long as our end of it. One that takes too long over an answer,
or dies of it, is replaced, and the answer counts as unreadable: no page harms another.
"""

import asyncio
import atexit
import os
import pickle
import queue
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection, Pipe
from typing import Any

IDLE = 120.0
"""seconds without work after which a reader ends; the next page starts it again"""
BEAT = 5.0
PATIENCE = 20.0
"""seconds for one answer"""
MOST_MEMORY = 3 * 1024**3
"""bytes of address space for one reader: a page of five megabytes takes half of one gigabyte, the largest listing two"""
PROGRAM = "import sys; sys.path[:] = {path!r}; from dragon_pipeline.adapters.web.readers import serve; serve({fd}, {patience})"


class Unreadable(Exception):
    """Reading it took too long, or ended the process that did."""


class Readers:
    """A fixed number of reader processes, started when something is to be read."""

    def __init__(self, processes: int | None = None, patience: float = PATIENCE):
        self.processes = processes or max(2, available())
        self.patience = patience
        self._threads = ThreadPoolExecutor(self.processes, "reader")
        self._idle: queue.SimpleQueue[_Reader] = queue.SimpleQueue()
        for _ in range(self.processes):
            self._idle.put(_Reader())
        atexit.register(self.close)

    def read(self, task: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """What `task(*arguments)` gives in a reader; it is a function of a module.

        The future raises Unreadable, or what the task raised.
        """
        return self._threads.submit(self._read, task, arguments)

    def close(self) -> None:
        """Ends those that are idle; the next page starts them again."""
        for _ in range(self._idle.qsize()):
            reader = self._idle.get()
            reader.end()
            self._idle.put(reader)

    def _read(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        reader = self._idle.get()
        try:
            return reader.answer(task, arguments, self.patience)
        finally:
            self._idle.put(reader)


class Share:
    """One crawl's share of the readers: never all of them at once, so that an outlet whose pages hang them stops no other."""

    def __init__(self, readers: Readers):
        self._readers = readers
        self._free = asyncio.Semaphore(max(1, readers.processes - 1))

    async def read(self, task: Callable[..., Any], *arguments: Any) -> Any:
        """As `Readers.read`."""
        async with self._free:
            return await asyncio.wrap_future(self._readers.read(task, *arguments))


class _Reader:
    """Our end of one reader process."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None

    def answer(self, task: Callable[..., Any], arguments: tuple[Any, ...], patience: float) -> Any:
        connection = self._ready(patience)
        try:
            connection.send((task, arguments))
            if not connection.poll(patience):
                raise EOFError(f"no answer within {patience:g} s")
            result, error = connection.recv()
        except (EOFError, OSError) as fault:
            self.end()
            raise Unreadable(f"the process that read it was stopped: {fault or 'it died'}") from None
        if error is not None:
            raise error
        return result

    def end(self) -> None:
        if self.connection is not None:
            self.connection.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.connection = self.process = None

    def _ready(self, patience: float) -> Connection:
        """Its connection, the process started anew when there is none or it is on its way out."""
        try:
            if self.connection is not None:
                self.connection.send(None)
                self.connection.recv()
                return self.connection
        except (EOFError, OSError):
            pass
        self.end()
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM.format(path=sys.path, fd=theirs.fileno(), patience=patience)],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl-C is the parent's to answer
            )
        return self.connection


@cache
def shared() -> Readers:
    """The readers of this process, which all its crawls have in common."""
    return Readers()


def available() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def serve(fd: int, patience: float, idle: float = IDLE) -> None:
    """A reader's life: one answer at a time until the other end closes, or nothing comes for `idle` seconds.

    An answer that takes longer than `patience` ends it from within too: whoever waits for it may have been killed, and a
    pattern that never ends lets no other thread run.
    """
    connection = Connection(fd)
    _limit_memory(MOST_MEMORY)
    parent, waited = os.getppid(), 0.0
    try:
        while waited < idle and os.getppid() == parent:
            if not connection.poll(BEAT):
                waited += BEAT
                continue
            waited, job = 0.0, connection.recv()
            signal.setitimer(signal.ITIMER_REAL, patience + BEAT)
            answer = None if job is None else _done(*job)
            signal.setitimer(signal.ITIMER_REAL, 0)
            connection.send(answer)
    except (EOFError, OSError):
        pass  # the parent has closed its end or is gone
    os._exit(0)


def _limit_memory(most: int) -> None:
    """No page takes the machine down with it. Where a system knows no such limit there is none."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _done(task: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return task(*arguments), None
    except MemoryError:
        os._exit(1)  # what is left of such a process is of no use
    except Exception as error:
        try:
            return None, pickle.loads(pickle.dumps(error))
        except Exception:  # one that cannot cross: its words can
            return None, Unreadable(f"{type(error).__name__}: {error}")
