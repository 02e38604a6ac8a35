"""RAG systems: two methods of your own, asked every question of a release.

    class MySystem:
        def retrieve(self, question, k):      # ids of public texts, best first
            return self.index.search(question, k)
        def answer(self, question, passages): # the texts of these ids
            return self.model(f"{passages} {question}")

A system that searches chunks returns `Found(text_id, passage)` instead of ids: its passages then are the chunks.
"""

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from rag_bench.errors import RagBenchError
from rag_bench.installation import require_single_client
from rag_bench.journal import Journal, Key
from rag_bench.progress import Progress
from rag_bench.releases import Release
from rag_bench.replies import reason, reply, require_system
from rag_bench.runs import Answer, write_run

K = 5
FAILURES_IN_A_ROW = 20
"""after which the rest is not asked: the model's server is gone, or the key is wrong"""


class Found(NamedTuple):
    """A passage of a text; a plain pair will do."""

    text_id: int
    passage: str


class System(Protocol):
    """What `run` asks. With `workers` above 1 both methods are called from several threads at once.

    An attribute `name` tells runs apart: give a new one when the system changes, or answers of the old one are continued.
    """

    def retrieve(self, question: str, k: int) -> Sequence[int] | Sequence[tuple[int, str]]:
        """Ids of public texts, best first, or `Found` passages of them; entries after the first k are not used."""
        ...

    def answer(self, question: str, passages: Sequence[str]) -> str:
        """The answer alone. `passages` are the found passages, or the whole texts of the ids, best first."""
        ...


@dataclass(frozen=True)
class SystemRun(Mapping[int, Answer]):
    """What a system answered: question id → `Answer`, in id order."""

    answers: Mapping[int, Answer] = field(repr=False)
    failures: Mapping[int, str] = field(repr=False)
    """question id → why the system gave no answer; asked again when the run is"""
    key: Key
    """release, and system"""

    def __getitem__(self, question: int) -> Answer:
        return self.answers[question]

    def __iter__(self) -> Iterator[int]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def save(self, path: str | Path) -> None:
        """Writes the results file that `check`, `evaluate` and `submit` take."""
        write_run(self.answers, path)

    def __str__(self) -> str:
        told = f"{self.key.system} on {self.key.release}: {len(self.answers):,} answers"
        return told + "".join(f"\n  question {one} failed: {reason}" for one, reason in self.failures.items())


class NoAnswers(RagBenchError):
    """So many questions in a row failed that the rest was not asked."""


def run(
    system: System, release: Release, k: int = K, path: str | Path | None = None, workers: int = 1, limit: int | None = None
) -> SystemRun:
    """Asks a system the questions of a release.

    With a path, every answer goes into a journal beside it at once (`results.json`: `results.journal.jsonl`), and the same
    call goes on where a stopped one was; delete the journal to ask everything again. The results file is written at the end.

    A question on which the system raises, or returns what is no answer, is kept in `failures` with the reason.

    Args:
        system: yours, or a `baseline`.
        k: how many texts to find.
        path: results file to write.
        workers: questions at a time, each in a thread; 1 asks in this thread.
        limit: only the first so many questions, to try out.

    Raises:
        RagBenchError: this is no system, a number is too small, or the path is a folder.
        NoAnswers: twenty questions in a row failed.
        BadJournal: the journal cannot be read or written.
        KeyboardInterrupt: after Ctrl-C, when what was being asked is in the journal; Ctrl-C again leaves that out.
    """
    require_single_client()
    require_system(system)
    _require_numbers(k, workers, limit)
    if path is not None and Path(path).is_dir():
        raise RagBenchError(f"{path} is a folder; give the results file that is to be written")
    questions = {row["id"]: row["question"] for row in release.questions[: len(release.questions) if limit is None else limit]}
    name = str(getattr(system, "name", None) or type(system).__qualname__)
    asking = _Asking(system, release, k, Key(release.version, release.content, k, name))
    journal = None
    if path is not None:
        journal = Journal(Path(path).with_suffix(".journal.jsonl"), asking.key)
        asking.answers |= {one: answer for one, answer in journal.answers.items() if one in questions}
    open_questions = {one: question for one, question in questions.items() if one not in asking.answers}
    asking.progress = Progress(len(open_questions))
    if journal and asking.answers:
        asking.progress.say(
            f"{len(asking.answers):,} of {len(questions):,} answers are from {journal.path}; delete it to ask again"
        )
    asking.journal = journal
    try:
        asking.ask(open_questions, workers)
    except KeyboardInterrupt:
        asking.progress.say(
            f"stopped with {len(asking.answers):,} answers" + ("; the same call goes on from there" if journal else "")
        )
        raise
    finally:
        asking.progress.close()
        if journal:
            journal.close()
    answers = {one: asking.answers[one] for one in sorted(asking.answers)}
    finished = SystemRun(answers, dict(sorted(asking.failures.items())), asking.key)
    if path is not None:
        finished.save(path)
    _tell_failures(finished.failures, asking.progress)
    return finished


@dataclass
class _Asking:
    """One run while it is under way; `_one` is called from several threads."""

    system: System
    release: Release
    k: int
    key: Key
    progress: Progress = field(default_factory=lambda: Progress(0))
    journal: Journal | None = None
    answers: dict[int, Answer] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    _in_a_row: int = 0
    _broken: BaseException | None = None
    """what stopped a thread, such as a full disk"""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, questions: Mapping[int, str], workers: int) -> None:
        waiting: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        for asked in questions.items():
            waiting.put(asked)
        stop = threading.Event()
        if min(workers, len(questions)) > 1:
            self._in_threads(waiting, stop, min(workers, len(questions)))
        else:
            self._work(waiting, stop)
        if self._broken is not None:
            raise self._broken
        if self._in_a_row >= FAILURES_IN_A_ROW:
            reason = list(self.failures.values())[-1]
            told = f"{self._in_a_row} questions in a row failed, {waiting.qsize():,} were not asked. The last one: {reason}"
            raise NoAnswers(told)

    def _in_threads(self, waiting: queue.SimpleQueue, stop: threading.Event, workers: int) -> None:
        self.release.passages(self.release.texts["id"][:1])  # read once, not by every thread
        idle = threading.Barrier(workers, action=(all_done := threading.Event()).set)

        def work() -> None:
            try:
                self._work(waiting, stop)
            finally:
                idle.wait()

        for _ in range(workers):
            threading.Thread(target=work, daemon=True).start()
        try:
            all_done.wait()  # not `Thread.join`: in Python 3.11 one that is interrupted returns at once when it is called again
        except KeyboardInterrupt:
            stop.set()
            self.progress.say("stopping: waiting for the questions that are being answered; Ctrl-C again leaves them out")
            all_done.wait()
            raise

    def _work(self, waiting: queue.SimpleQueue, stop: threading.Event) -> None:
        while not stop.is_set() and self._in_a_row < FAILURES_IN_A_ROW:
            try:
                public_id, question = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                self._one(public_id, question)
            except BaseException as error:  # in a thread nobody else would hear of it
                self._broken = error
                stop.set()

    def _one(self, public_id: int, question: str) -> None:
        try:
            answer = reply(self.system, self.release, public_id, question, self.k)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a stranger's system may raise: kept, counted and shown
            answer = reason(error)
        with self._lock:
            if isinstance(answer, Answer):
                self.answers[public_id] = answer
            else:
                self.failures[public_id] = answer
            if self.journal:
                self.journal.append(public_id, answer)
            self._in_a_row = self._in_a_row + 1 if isinstance(answer, str) else 0
            self.progress.step(failed=isinstance(answer, str))


def _require_numbers(k: int, workers: int, limit: int | None) -> None:
    for name, number, least in (("k", k, 1), ("workers", workers, 1), ("limit", limit or 0, 0)):
        if number < least:
            raise RagBenchError(f"{name} must be at least {least}, and is {number}")


def _tell_failures(failures: Mapping[int, str], progress: Progress) -> None:
    if failures:
        first = next(iter(failures))
        more = f" and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        progress.say(f"no answer to question {first}{more} ({failures[first]:.200}); the same call asks them again")
