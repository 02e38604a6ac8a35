"""Processes that read articles: Natasha works on one core, a day's articles deserve them all.

Each worker is a Python of its own that loads Natasha's models once: nothing depends on how the parent was started, and its main
module is not run again. A worker talks over one socket and lives only as long as the parent's end of it: however the parent
dies, the worker reads the end of the stream and goes.
"""

import atexit
import hashlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from multiprocessing.connection import Connection, Pipe, wait

from dragon_pipeline.core.errors import DragonError

LEAST = 300_000
"""Characters of a batch from which on starting workers pays (docs/performance.md): about 4 s of work on one core."""
IDLE = 120.0
"""Seconds without work after which a worker ends and gives its 400 MB back; the next batch starts it again."""
BEAT = 5.0
PROGRAM = "import sys; sys.path[:] = {path!r}; from dragon_pipeline.languages.ru.workers import serve; serve({fd})"
NOISE = "ignore:pkg_resources is deprecated:UserWarning"
"""pymorphy2 looks its dictionaries up by pkg_resources (docs/adr/0008)."""
Job = tuple[str, dict]
"""what to do (`mentions` or `triplets`) and the article"""


class WorkerDied(DragonError):
    """A worker process ended before it answered: killed, or out of memory."""


class Workers:
    """A fixed number of worker processes; an article always meets the same one, which still knows its parse.

    Args:
        processes: how many; by default, as many as this process may use cores. With one, none is started.
        least: characters of a batch below which it stays in this process, unless the workers are running anyhow.
    """

    def __init__(self, processes: int | None = None, least: int = LEAST) -> None:
        if processes is not None and processes < 1:
            raise ValueError(f"processes must be at least 1, not {processes}")
        self.processes = processes or available()
        self.least = least
        self._workers = self._none()
        self._known: dict[bytes, int] = {}
        self._pid = os.getpid()
        self._lock = threading.Lock()

    def read(self, task: str, articles: Sequence[dict]) -> Iterator[dict]:
        """The rows of each article, in order, as `TASKS[task]` makes them; in worker processes when the batch is large.

        Raises:
            WorkerDied: a worker ended before it answered. What a task raises comes through as it is.
        """
        if self.wanted(articles):
            for rows in self._spread(task, articles):
                yield from rows
        else:
            for article in articles:
                yield from _tasks()[task](article)

    def wanted(self, articles: Sequence[dict]) -> bool:
        """Whether a batch is worth the processes."""
        if self.processes < 2 or len(articles) < 2:
            return False
        return self.running or sum(len(article["text"]) for article in articles) >= self.least

    @property
    def running(self) -> bool:
        return self._pid == os.getpid() and any(worker is not None and worker.alive for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that run."""
        return [worker.process.pid for worker in self._workers if worker is not None and worker.alive] if self.running else []

    def close(self) -> None:
        """Ends the workers; the next large batch starts new ones."""
        self._known.clear()
        if self._pid == os.getpid():
            for worker in self._workers:
                if worker is not None:
                    worker.end()
        self._workers = self._none()

    def _none(self) -> list["_Worker | None"]:
        return [None] * self.processes

    def _spread(self, task: str, articles: Sequence[dict]) -> list[list[dict]]:
        with self._lock:
            if self._pid != os.getpid():  # a fork has the parent's workers, which are the parent's
                self._workers, self._pid = self._none(), os.getpid()
            try:
                return self._answers(task, articles)
            except BaseException:  # an answer may still be on its way: nobody must take it for the next one
                self.close()
                raise

    def _answers(self, task: str, articles: Sequence[dict]) -> list[list[dict]]:
        waiting: list[list[int]] = [[] for _ in range(self.processes)]
        for at, place in reversed(list(enumerate(self._places([article["text"] for article in articles])))):
            waiting[place].append(at)
        answers: dict[int, list[dict]] = {}
        busy: dict[object, tuple[_Worker, int, list[int]]] = {}

        def ask(worker: _Worker, queue: list[int]) -> None:
            """One article at a time: a worker that is sending is never sent to, so that none waits for the other."""
            if queue:
                at = queue.pop()
                worker.ask(task, articles[at])
                busy[worker.connection] = worker, at, queue

        for worker, queue in zip(self._ready(), waiting, strict=True):
            ask(worker, queue)
        while busy:
            for connection in wait([worker.connection for worker, _, _ in busy.values()]):
                worker, at, queue = busy.pop(connection)
                answers[at] = worker.answer(articles[at])
                ask(worker, queue)
        return [answers[at] for at in range(len(articles))]

    def _places(self, texts: Sequence[str]) -> list[int]:
        """The worker of each text: the one that has read it before, or the one with the fewest characters to read."""
        load, places = [0] * self.processes, []
        for text in texts:
            digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
            place = self._known.setdefault(digest, min(range(self.processes), key=load.__getitem__))
            load[place] += len(text) + 1
            places.append(place)
        return places

    def _ready(self) -> list["_Worker"]:
        """All workers, those that ended for want of work started anew."""
        if not self.running:
            atexit.unregister(self.close)
            atexit.register(self.close)
        for at, worker in enumerate(self._workers):
            if worker is None or not worker.greets():
                if worker is not None:
                    worker.end()
                self._workers[at] = _Worker()
        return [worker for worker in self._workers if worker is not None]


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-W", NOISE, "-c", PROGRAM.format(path=sys.path, fd=theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl-C is the parent's to answer
            )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def greets(self) -> bool:
        """Whether it is there and will wait for work again: one that was idle may be on its way out."""
        try:
            self.connection.send(None)
            return self.connection.recv() is None
        except (EOFError, OSError):
            return False

    def ask(self, task: str, article: dict) -> None:
        try:
            self.connection.send((task, article))
        except OSError:
            raise self._died(article) from None

    def answer(self, article: dict) -> list[dict]:
        try:
            rows, error = self.connection.recv()
        except (EOFError, OSError):
            raise self._died(article) from None
        if error is not None:
            raise error
        return rows

    def _died(self, article: dict) -> WorkerDied:
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        how, what = f"exit code {code}", "its own words are on the error stream"
        if code < 0:
            how, what = f"killed by {signal.Signals(-code).name}", "give the machine more memory, or run again"
        return WorkerDied(f"the worker process that read article {article['article_id']} ended too early ({how}): {what}")

    def end(self) -> None:
        """Closes the socket, at which the worker goes; kills it when it is busy."""
        self.connection.close()
        try:
            self.process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@cache
def shared() -> Workers:
    """The workers of this process, which mentions and triplets have in common."""
    return Workers()


def available() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tasks() -> dict[str, Callable[[dict], list[dict]]]:
    from dragon_pipeline.languages.ru.entities import mentions_of
    from dragon_pipeline.languages.ru.extraction import triplets_of

    return {"mentions": mentions_of, "triplets": triplets_of}


def serve(fd: int, idle: float = IDLE) -> None:
    """A worker's life: answers one article at a time until the other end closes, or nothing comes for `idle` seconds."""
    connection = Connection(fd)
    parent, waited = os.getppid(), 0.0
    try:
        while waited < idle and os.getppid() == parent:
            if not connection.poll(BEAT):
                waited += BEAT
                continue
            waited, job = 0.0, connection.recv()
            connection.send(None if job is None else _done(*job))
    except (EOFError, OSError):
        pass  # the parent has closed its end or is gone
    os._exit(0)


def _done(task: str, article: dict) -> tuple[list[dict] | None, BaseException | None]:
    """Rows, or the exception with the worker's traceback as a note."""
    try:
        return _tasks()[task](article), None
    except Exception as error:
        error.add_note(f"in a worker process, article {article['article_id']}:\n{traceback.format_exc()}")
        try:
            return None, pickle.loads(pickle.dumps(error))
        except Exception:  # one that cannot cross: its words can
            return None, RuntimeError(f"{type(error).__name__}: {error}\n" + "\n".join(error.__notes__))
