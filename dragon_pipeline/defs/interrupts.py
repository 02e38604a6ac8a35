"""Signals inside an event loop: one that is raised wherever it hits ends some task of many, and is lost with it."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """Within it SIGINT and SIGTERM cancel the running task, which lets go of what it holds, and then end the step.

    Raises:
        DagsterExecutionInterruptedError: a signal came.
    """
    loop, task, came = asyncio.get_running_loop(), asyncio.current_task(), []
    if task is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int) -> None:
        came.append(number)
        task.cancel()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    except asyncio.CancelledError:
        if not came:
            raise
        raise dg.DagsterExecutionInterruptedError from None
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
