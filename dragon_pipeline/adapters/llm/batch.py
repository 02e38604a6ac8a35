"""Many calls at once: a pool of workers over one session, until all is answered, the budget is spent, or the server is gone."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

from dragon_pipeline.adapters.llm.asking import Asker
from dragon_pipeline.adapters.llm.call import Call
from dragon_pipeline.adapters.llm.paying import OutOfBudget
from dragon_pipeline.core.language_model import ModelReply, Usage

T = TypeVar("T")

SECONDS_BETWEEN_LOOKS = 0.1
"""at a caller that may have been cancelled"""


async def ask_all(asker: Asker, calls: Sequence[Call], workers: int, done: Callable[[Call, ModelReply, Usage], None]) -> bool:
    """Calls `done` for each answer as it comes. False: the budget was spent first; what was in flight then is among them."""
    waiting = iter(calls)
    spent = asyncio.Event()

    async def work() -> None:
        for call in _until(spent, waiting):
            try:
                done(call, *await asker.ask(call))
            except OutOfBudget:
                spent.set()

    await together([work() for _ in range(min(workers, len(calls)))])
    return not spent.is_set()


async def together(work: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """All results in order; when one fails, or this is cancelled, the others are stopped first."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs it to its end for a caller that waits; beside a loop that runs in this thread already, in a thread of its own.

    An interrupt (a signal's exception, Ctrl-C) stops what is in flight and goes on to the caller.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main)
    return _run_aside(main)


def _run_aside(main: Coroutine[Any, Any, T]) -> T:
    caller = asyncio.current_task()
    loop = asyncio.new_event_loop()
    task = loop.create_task(main)
    thread = threading.Thread(target=_finish, args=(loop, task), name="language model")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(SECONDS_BETWEEN_LOOKS)
            if caller is not None and caller.cancelling():
                raise asyncio.CancelledError  # Ctrl-C under asyncio.run only marks the task, which is busy waiting here
        return task.result()
    except BaseException:
        if thread.is_alive():
            loop.call_soon_threadsafe(task.cancel)
        raise
    finally:
        thread.join()
        loop.close()


def _finish(loop: asyncio.AbstractEventLoop, task: asyncio.Task) -> None:
    asyncio.set_event_loop(loop)
    loop.run_until_complete(asyncio.wait([task]))
    loop.run_until_complete(loop.shutdown_asyncgens())


def _until(stopped: asyncio.Event, calls: Iterator[Call]) -> Iterator[Call]:
    while not stopped.is_set():
        call = next(calls, None)
        if call is None:
            return
        yield call
