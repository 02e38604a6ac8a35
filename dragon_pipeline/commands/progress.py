"""Progress of a run: a bar with the time left on a terminal, plain lines otherwise. All on stderr."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dragon_pipeline.defs.automation import STEPS

LONG_WORK = (logging.getLogger("dragon.models"), logging.getLogger("dragon.embedder"))
"""say how far they are inside a step"""
ERRORS = Console(stderr=True, soft_wrap=True, highlight=False)


class _Lines(logging.Handler):
    """Tells of every step that ended."""

    def __init__(self, day: str, bar: Progress | None) -> None:
        super().__init__()
        self.day, self.bar, self.since = day, bar, time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        step, state = record.__dict__["step"], record.__dict__["state"]
        if state == "start":
            self.since = time.monotonic()
            if self.bar:
                self.bar.update(self.bar.task_ids[0], description=f"{self.day} {step}")
        elif self.bar:
            self.bar.advance(self.bar.task_ids[0])
        elif state != "skipped":
            told = f"{time.monotonic() - self.since:.1f} s" if state == "success" else "failed"
            ERRORS.print(f"{self.day}  {step}  {told}", markup=False)


class _Calls(logging.Handler):
    """Tells how far long work inside a step is."""

    def __init__(self, day: str) -> None:
        super().__init__()
        self.day = day

    def emit(self, record: logging.LogRecord) -> None:
        ERRORS.print(f"{self.day}  {record.getMessage()}", markup=False)


class Steps:
    """Shows steps of several days as one piece of work."""

    def __init__(self, total: int) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=ERRORS) if ERRORS.is_terminal else None
        self.total = total

    def __enter__(self) -> "Steps":
        if self.bar:
            self.bar.add_task("", total=self.total)
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    @contextmanager
    def of(self, day: str, done: int) -> Iterator[None]:
        """Steps of this day; `done` of them need not run."""
        steps, calls = _Lines(day, self.bar), _Calls(day)
        if self.bar:
            self.bar.advance(self.bar.task_ids[0], done)
        elif done:
            ERRORS.print(f"{day}  {done} steps are done already")
        handlers = [(STEPS, steps), *((log, calls) for log in LONG_WORK)]
        for log, handler in handlers:
            log.setLevel(logging.INFO)
            log.propagate = False
            log.addHandler(handler)
        try:
            yield
        finally:
            for log, handler in handlers:
                log.removeHandler(handler)
